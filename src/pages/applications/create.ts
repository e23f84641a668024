import { createApplication } from '../../oauth/applications/create.ts'
import { actorOf } from '../actor.ts'
import { checkboxes, csrfField, errorSummary } from '../fields.ts'
import { html } from '../html.ts'
import { formPage, view } from '../page.ts'
import { credentials } from './credentials.ts'
import { applicationFields, applicationValues, LABELS } from './fields.ts'

/** /applications/new: anybody who is signed in may register one. Its secret is in the answer and nowhere else. */
export const registration = formPage({
  path: '/applications/new',
  access: 'signed-in',
  show: async (visit, state) =>
    view(
      'Register an application',
      html`
      ${errorSummary(state.errors, LABELS)}
      <form method="post" action="/applications/new">
        ${csrfField(visit)}
        ${applicationFields(state)}
        ${checkboxes(state, {
          name: 'native',
          label: 'Where it runs',
          chosen: [],
          choices: [
            {
              value: 'yes',
              label: 'It runs on people’s own machines',
              hint: 'on a phone, a desktop or in a browser, where it cannot keep a secret: it gets none and uses PKCE. It may come back by a scheme of its own, such as org.example.map:/back. This cannot be changed later.',
            },
          ],
        })}
        <div class="actions"><button>Register</button><a href="/applications">Cancel</a></div>
      </form>`,
    ),
  async submit(visit, form) {
    const { database, clock } = visit.dependencies
    const confidential = !form.list('native').includes('yes')
    const values = { ...applicationValues(form), confidential }
    const made = await database.transaction((tx) =>
      createApplication(tx, { values, ownerId: visit.person.id, actor: actorOf(visit), now: clock.now() }),
    )
    return view(
      `${form.text('name').trim()} is registered`,
      html`
      ${credentials(made)}
      <div class="actions"><a class="button" href="/applications/${made.id}">Go on to the application</a></div>`,
    )
  },
})
