import { changeApplication } from '../../oauth/applications/change.ts'
import { ownApplication } from '../../oauth/applications/own.ts'
import { actorOf } from '../actor.ts'
import { csrfField, errorSummary } from '../fields.ts'
import { html, say } from '../html.ts'
import { formPage, pageContent, recordId, redirectTo } from '../page.ts'
import { applicationFields, applicationValues, labels } from './fields.ts'

/** /applications/:id/edit */
export const editing = formPage({
  path: '/applications/:id/edit',
  access: 'signed-in',
  async show(context, state) {
    const found = await ownApplication(context.dependencies.database, context.person.id, recordId(context))
    return pageContent(
      say('Change {name}', { name: found.name }),
      html`
      ${errorSummary(state.errors, labels())}
      <form method="post" action="/applications/${found.id}/edit">
        ${csrfField(context)}
        ${applicationFields(state, found)}
        <div class="actions"><button>${say('Save')}</button><a href="/applications/${found.id}">${say('Cancel')}</a></div>
      </form>`,
      { trail: [{ path: `/applications/${found.id}`, label: found.name }] },
    )
  },
  async submit(context, form) {
    const { database, clock } = context.dependencies
    const id = recordId(context)
    await database.transaction(async (tx) => {
      await ownApplication(tx, context.person.id, id)
      await changeApplication(tx, { id, values: applicationValues(form), actor: actorOf(context), now: clock.now() })
    })
    return redirectTo(`/applications/${id}`, { notice: say('Saved.') })
  },
})
