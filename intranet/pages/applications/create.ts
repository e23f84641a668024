import { changeApplication } from '../../oauth/applications/change.ts'
import { createApplication } from '../../oauth/applications/create.ts'
import { ownApplication } from '../../oauth/applications/own.ts'
import { inTransaction } from '../actor.ts'
import { checkboxes, csrfField, errorSummary } from '../fields.ts'
import { html, say } from '../html.ts'
import { formPage, pageContent, recordId, redirectTo } from '../page.ts'
import { claimForm, formIdField } from '../sent-once.ts'
import { applicationFields, applicationValues, labels } from './fields.ts'
import { credentials } from './secret.ts'

/** The secret is only in the response. */
export const registration = formPage({
  path: '/applications/new',
  access: 'signed-in',
  show: async (context, state) =>
    pageContent(
      say('Register an application'),
      html`
      ${errorSummary(state.errors, labels())}
      <form method="post" action="/applications/new">
        ${csrfField(context)}${formIdField()}
        ${applicationFields(state)}
        ${checkboxes(state, {
          name: 'native',
          label: say('Where it runs'),
          chosen: [],
          choices: [
            {
              value: 'yes',
              label: say('It runs on people’s own machines'),
              hint: say(
                'on a phone, a desktop or in a browser, where it cannot keep a secret: it gets none and uses PKCE. It may come back by a scheme of its own, such as org.example.map:/back. This cannot be changed later.',
              ),
            },
          ],
        })}
        <div class="actions"><button>${say('Register')}</button><a href="/applications">${say('Cancel')}</a></div>
      </form>`,
    ),
  async submit(context, form) {
    const confidential = !form.list('native').includes('yes')
    const values = { ...applicationValues(form), confidential }
    const made = await inTransaction(context, async (tx, by) =>
      (await claimForm(tx, context, form))
        ? createApplication(tx, { values, ownerId: context.person.id, ...by })
        : undefined,
    )
    if (!made)
      return redirectTo('/applications', {
        notice: say('The application is already registered. If you did not copy its secret, create a new secret.'),
      })
    return pageContent(
      say('{name} is registered', { name: form.text('name').trim() }),
      html`
      ${credentials(context, made)}
      <div class="actions"><a class="button" href="/applications/${made.id}">${say('Go on to the application')}</a></div>`,
      { scripts: ['copy'] },
    )
  },
})

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
    const id = recordId(context)
    await inTransaction(context, async (tx, by) => {
      await ownApplication(tx, context.person.id, id)
      await changeApplication(tx, { id, values: applicationValues(form), ...by })
    })
    return redirectTo(`/applications/${id}`, { notice: say('Saved.') })
  },
})
