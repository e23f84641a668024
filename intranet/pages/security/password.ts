import { unprocessable } from '@campus/engine/errors'
import { normalizePassword } from '../../access/passwords.ts'
import { proofNeeded, reauthenticate } from '../../access/reauthenticate.ts'
import { setPassword } from '../../access/set-password.ts'
import { actorOf } from '../actor.ts'
import { checkboxes, csrfField, errorSummary, textField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import { type Form, type FormState, formPage, pageContent, redirectTo } from '../page.ts'
import { tallyOf } from '../tally.ts'
import { renewingKey } from './proof.ts'

const KEEP = 'keep'
const APPLICATIONS = 'applications'

const NO_PASSWORD = 'Your account has no password yet. The staff of your campus gives you a link to choose one.'

/** Signs all other browsers out. */
export const changePassword = formPage({
  path: '/security/password',
  access: 'signed-in',
  show: (context, state) =>
    pageContent(
      say('Change the password'),
      html`
      ${errorSummary(state.errors, { current_password: say('Current password'), ...newPasswordLabels() })}
      <form method="post" action="/security/password">
        ${csrfField(context)}
        <input type="hidden" name="username" autocomplete="username" value="${context.person.login}">
        ${textField(state, {
          name: 'current_password',
          label: say('Current password'),
          type: 'password',
          autocomplete: 'current-password',
          required: true,
        })}
        ${newPasswordFields(state)}
        ${checkboxes(state, {
          name: KEEP,
          label: say('Applications that act for you'),
          chosen: [],
          choices: [
            {
              value: APPLICATIONS,
              label: say('Keep my applications signed in'),
              hint: say('Otherwise each asks you again. Leave it off where somebody else may know your password.'),
            },
          ],
        })}
        <div class="actions"><button>${say('Change the password')}</button> <a href="/security">${say('Leave it as it is')}</a></div>
      </form>
      <p class="quiet">${say('You will be signed out everywhere but here. Calendars that follow your agenda need its new address, which is on the page of your agenda.')}</p>`,
      { isNarrow: true },
    ),
  async submit(context, form) {
    const { dependencies, person, session } = context
    const { database, clock, sealing } = dependencies
    const password = checkRepeated(form)
    const now = clock.now()
    if ((await proofNeeded(database, person.id)) !== 'password') throw unprocessable({ base: [NO_PASSWORD] })
    await reauthenticate(tallyOf(context), session, form.text('current_password'))
    const except = { sessionId: session.id, applications: form.list(KEEP).includes(APPLICATIONS) }
    const given = { userId: person.id, password, except, actor: actorOf(context), now }
    await renewingKey(context, (tx) => setPassword(tx, sealing, given))
    return redirectTo('/security', {
      notice: except.applications
        ? say('The password is changed, and you are signed out everywhere but here.')
        : say(
            'The password is changed, and you are signed out everywhere but here. Applications ask you again before they act for you.',
          ),
    })
  },
})

export const newPasswordLabels = () => ({
  password: say('New password'),
  password_again: say('New password, once more'),
})

export function newPasswordFields(state: FormState): Html {
  const common = { type: 'password', autocomplete: 'new-password', required: true } as const
  const hint = say('At least 8 characters. A few words that do not belong together are easy to remember.')
  const labels = newPasswordLabels()
  return html`
    ${textField(state, { ...common, name: 'password', label: labels.password, hint })}
    ${textField(state, { ...common, name: 'password_again', label: labels.password_again })}`
}

export function checkRepeated(form: Form): string {
  const password = form.text('password')
  if (normalizePassword(password) !== normalizePassword(form.text('password_again')))
    throw unprocessable({ password_again: ['is not the same'] })
  return password
}
