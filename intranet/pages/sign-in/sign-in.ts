import { authenticateByPasskey } from '../../access/prove-passkey.ts'
import { authenticateByPassword } from '../../access/sign-in.ts'
import { buttonForm, csrfField, errorSummary, textField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import {
  type FormState,
  formPage,
  type Outcome,
  type PageContext,
  page,
  pageContent,
  part,
  redirectTo,
} from '../page.ts'
import { checkingOf, credentialField, hasPasskeys, passkeyButton, passkeyFault, requestOptions } from '../passkeys.ts'
import { localPath } from '../return-to.ts'
import { ENROL_PATH } from '../security/enrol.ts'
import { tallyOf } from '../tally.ts'
import { FORGOT_PATH } from './reset-password.ts'
import { goOnSigningIn } from './steps.ts'

export const PASSKEY_PATH = '/sign-in/passkey'
export const PASSKEY_OPTIONS_PATH = '/sign-in/passkey/options'

/** `again` shows the form to signed-in users. */
export const signIn = formPage({
  path: '/sign-in',
  access: 'anybody',
  show: (context, state) => {
    const { person, enrolling, query } = context
    if (state.form || query.text('again') !== '') return showSignIn(context, state)
    if (enrolling) return redirectTo(ENROL_PATH)
    return person ? redirectTo(localPath(query.text('return_to'))) : showSignIn(context, state)
  },
  async submit(context, form) {
    const credentials = { login: form.text('login'), password: form.text('password') }
    const { signIns } = context.dependencies
    const prove = () => authenticateByPassword(tallyOf(context), credentials, context.origin)
    const userId = await signIns.prove('password', prove)
    return goOnSigningIn(context, { userId, returnTo: context.query.text('return_to'), passed: ['password'] })
  },
})

export function showSignIn(context: PageContext, state: FormState): Outcome {
  const returnTo = localPath(context.query.text('return_to'))
  const { hasEndedSession } = context
  if (hasEndedSession) context.forgetSession()
  return pageContent(
    say('Sign in'),
    html`
      ${hasEndedSession ? html`<p class="notice" role="status">${say('Your session has ended. Sign in again to continue.')}</p>` : ''}
      ${errorSummary(state.errors, {})}
      <form method="post" action="/sign-in?return_to=${encodeURIComponent(returnTo)}">
        ${csrfField(context)}
        ${textField(state, { name: 'login', label: say('Login'), value: context.query.text('login'), autocomplete: 'username webauthn', required: true })}
        ${textField(state, {
          name: 'password',
          label: say('Password'),
          type: 'password',
          autocomplete: 'current-password',
          required: true,
        })}
        <div class="actions"><button>${say('Sign in')}</button></div>
      </form>
      ${passkeyForm(context, returnTo)}
      ${schoolButton(context, returnTo)}
      <p class="quiet">${
        context.dependencies.config.mail
          ? html`<a href="${FORGOT_PATH}">${say('Forgot your password?')}</a>`
          : say('Forgot your password? The staff of your campus gives you a link to choose another one.')
      }</p>`,
    { isNarrow: true, scripts: hasPasskeys(context) ? ['passkeys'] : [] },
  )
}

const passkeyForm = (context: PageContext, returnTo: string): Html | '' =>
  hasPasskeys(context)
    ? html`
      <form method="post" action="${PASSKEY_PATH}?return_to=${encodeURIComponent(returnTo)}" data-passkey="${PASSKEY_OPTIONS_PATH}" data-suggests>
        ${csrfField(context)}
        ${credentialField}
        <div class="actions">${passkeyButton(say('Use a passkey'))}</div>
        ${passkeyFault}
      </form>`
    : ''

function schoolButton(context: PageContext, returnTo: string): Html | '' {
  const { school } = context.dependencies
  if (!school) return ''
  const button = buttonForm(context, '/sign-in/school', say('Sign in with {school}', { school: school.name }), {
    kind: 'second',
    fields: { return_to: returnTo },
  })
  return html`<div class="actions">${button}</div>`
}

/** Returns the same options to everybody, since the passkey identifies its owner. */
const options = page({
  path: PASSKEY_OPTIONS_PATH,
  access: 'anybody',
  show: async (context) =>
    part('application/json', await requestOptions(context, { purpose: 'sign-in', userId: undefined })),
})

/** A passkey stands for the password and the second factor. */
const signInByPasskey = formPage({
  path: PASSKEY_PATH,
  access: 'anybody',
  show: (context, { form, errors }) =>
    form ? showSignIn(context, { form: undefined, errors }) : redirectTo('/sign-in'),
  async submit(context, form) {
    const { signIns } = context.dependencies
    const answered = { credential: form.text('credential'), browserKey: context.key }
    const prove = () => authenticateByPasskey(checkingOf(context), answered, context.origin)
    const userId = await signIns.prove('passkey', prove)
    const returnTo = context.query.text('return_to')
    return goOnSigningIn(context, { userId, returnTo, passed: ['passkey'] })
  },
})

export const PASSKEY_SIGN_IN_PAGES = [...options, ...signInByPasskey]
