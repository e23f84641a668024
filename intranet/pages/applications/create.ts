import { createApplication } from '../../oauth/applications/create.ts'
import { actorOf } from '../actor.ts'
import { checkboxes, csrfField, errorSummary } from '../fields.ts'
import { html, say } from '../html.ts'
import { formPage, pageContent, redirectTo } from '../page.ts'
import { claimForm, formIdField } from '../sent-once.ts'
import { credentials } from './credentials.ts'
import { applicationFields, applicationValues, labels } from './fields.ts'

/** /applications/new: every signed-in user may register one. Its secret is in the answer and nowhere else. */
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
    const { database, clock } = context.dependencies
    const confidential = !form.list('native').includes('yes')
    const values = { ...applicationValues(form), confidential }
    const made = await database.transaction(async (tx) => {
      if (!(await claimForm(tx, context, form))) return undefined
      return createApplication(tx, { values, ownerId: context.person.id, actor: actorOf(context), now: clock.now() })
    })
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
