import { applicationById } from '../../oauth/applications/all.ts'
import { deleteApplication } from '../../oauth/applications/delete.ts'
import { isUnregistered } from '../../oauth/unregistered-clients.ts'
import { actorOf } from '../actor.ts'
import { unregisteredNote } from '../applications/unregistered-note.ts'
import { csrfField, errorSummary } from '../fields.ts'
import { html, say } from '../html.ts'
import { formPage, pageContent, recordId, redirectTo } from '../page.ts'

/** /staff/applications/:id/delete: asks before an application is deleted that belongs to somebody else or to nobody. */
export const staffApplicationDeletion = formPage({
  path: '/staff/applications/:id/delete',
  access: 'staff',
  async show(context, state) {
    const { id, uid, name } = await applicationById(context.dependencies.database, recordId(context))
    const note = unregisteredNote(uid)
    return pageContent(
      say('Delete {name}?', { name }),
      html`
      ${errorSummary(state.errors, {})}
      ${note ? html`<p class="quiet">${note}</p>` : ''}
      <p>${
        isUnregistered(uid)
          ? say(
              'Every token of this program stops working at once. The program may come back, but then it has to ask everybody again.',
            )
          : say(
              'Its id and secret stop working at once, and so does every token of people who let it act for them. This cannot be undone.',
            )
      }</p>
      <form method="post" action="/staff/applications/${id}/delete">
        ${csrfField(context)}
        <div class="actions"><button class="danger">${say('Delete {name}', { name })}</button><a href="/staff/applications/${id}">${say('Keep it')}</a></div>
      </form>`,
      { trail: [{ path: `/staff/applications/${id}`, label: name }] },
    )
  },
  async submit(context) {
    const { database, clock } = context.dependencies
    const id = recordId(context)
    const name = await database.transaction(async (tx) => {
      const { name } = await applicationById(tx, id)
      await deleteApplication(tx, { id, actor: actorOf(context), now: clock.now() })
      return name
    })
    return redirectTo('/staff/applications', { notice: say('{name} is deleted.', { name }) })
  },
})
