import { applicationById } from '../../oauth/applications/all.ts'
import { deleteApplication } from '../../oauth/applications/delete.ts'
import { ownApplication } from '../../oauth/applications/own.ts'
import { isUnregistered } from '../../oauth/unregistered-clients.ts'
import { inTransaction } from '../actor.ts'
import { csrfField, errorSummary } from '../fields.ts'
import { html, say } from '../html.ts'
import { type FormState, formPage, type PageContext, pageContent, pathOf, recordId, redirectTo } from '../page.ts'
import { unregisteredNote } from './unregistered-note.ts'

/** Asks first, since a deletion cannot be undone. */
export const deletion = formPage({
  path: '/applications/:id/delete',
  access: 'signed-in',
  async show(context, state) {
    const found = await ownApplication(context.dependencies.database, context.person.id, recordId(context))
    return ask(context, state, found, `/applications/${found.id}`)
  },
  async submit(context) {
    const id = recordId(context)
    const { name } = await inTransaction(context, async (tx, by) => {
      const found = await ownApplication(tx, context.person.id, id)
      await deleteApplication(tx, { id, ...by })
      return found
    })
    return redirectTo('/applications', { notice: say('{name} is deleted.', { name }) })
  },
})

export const staffApplicationDeletion = formPage({
  path: '/staff/applications/:id/delete',
  access: 'staff',
  async show(context, state) {
    const found = await applicationById(context.dependencies.database, recordId(context))
    return ask(context, state, found, `/staff/applications/${found.id}`)
  },
  async submit(context) {
    const id = recordId(context)
    const { name } = await inTransaction(context, async (tx, by) => {
      const found = await applicationById(tx, id)
      await deleteApplication(tx, { id, ...by })
      return found
    })
    return redirectTo('/staff/applications', { notice: say('{name} is deleted.', { name }) })
  },
})

type Found = { readonly uid: string; readonly name: string }

function ask(context: PageContext, state: FormState, { uid, name }: Found, back: string) {
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
    <form method="post" action="${pathOf(context)}">
      ${csrfField(context)}
      <div class="actions"><button class="danger">${say('Delete {name}', { name })}</button><a href="${back}">${say('Keep it')}</a></div>
    </form>`,
    { trail: [{ path: back, label: name }] },
  )
}
