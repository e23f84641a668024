import { deleteApplication } from '../../oauth/applications/delete.ts'
import { ownApplication } from '../../oauth/applications/own.ts'
import { actorOf } from '../actor.ts'
import { csrfField, errorSummary } from '../fields.ts'
import { html, say } from '../html.ts'
import { formPage, pageContent, recordId, redirectTo } from '../page.ts'

/** /applications/:id/delete: asks first, since nothing brings it back. */
export const deletion = formPage({
  path: '/applications/:id/delete',
  access: 'signed-in',
  async show(context, state) {
    const { id, name } = await ownApplication(context.dependencies.database, context.person.id, recordId(context))
    return pageContent(
      say('Delete {name}?', { name }),
      html`
      ${errorSummary(state.errors, {})}
      <p>${say(
        'Its id and secret stop working at once, and so does every token of people who let it act for them. This cannot be undone.',
      )}</p>
      <form method="post" action="/applications/${id}/delete">
        ${csrfField(context)}
        <div class="actions"><button class="danger">${say('Delete {name}', { name })}</button><a href="/applications/${id}">${say('Keep it')}</a></div>
      </form>`,
      { trail: [{ path: `/applications/${id}`, label: name }] },
    )
  },
  async submit(context) {
    const { database, clock } = context.dependencies
    const id = recordId(context)
    const { name } = await ownApplication(database, context.person.id, id)
    await database.transaction(async (tx) => {
      await ownApplication(tx, context.person.id, id)
      await deleteApplication(tx, { id, actor: actorOf(context), now: clock.now() })
    })
    return redirectTo('/applications', { notice: say('{name} is deleted.', { name }) })
  },
})
