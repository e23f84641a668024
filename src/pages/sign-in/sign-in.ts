import { authenticateByPassword } from '../../domain/access/sign-in.ts'
import { buttonForm, csrfField, errorSummary, textField } from '../fields.ts'
import { type Html, html } from '../html.ts'
import { formPage, pageContent, redirectTo } from '../page.ts'
import type { PageContext } from '../page-context.ts'
import { localPath } from '../return-to.ts'
import { say } from '../say.ts'
import { tallyOf } from '../tally.ts'
import { FORGOT_PATH } from './forgot-password.ts'
import { goOnSigningIn } from './steps.ts'

/** /sign-in: by login and password. `again` asks for them even of a signed-in user. */
export const signIn = formPage({
  path: '/sign-in',
  access: 'anybody',
  show(context, state) {
    const { person, query } = context
    const returnTo = localPath(query.text('return_to'))
    if (person && !state.form && query.text('again') === '') return redirectTo(returnTo)
    return pageContent(
      say('Sign in'),
      html`
      ${errorSummary(state.errors, {})}
      <form method="post" action="/sign-in?return_to=${encodeURIComponent(returnTo)}">
        ${csrfField(context)}
        ${textField(state, { name: 'login', label: say('Login'), value: context.query.text('login'), autocomplete: 'username', required: true })}
        ${textField(state, {
          name: 'password',
          label: say('Password'),
          type: 'password',
          autocomplete: 'current-password',
          required: true,
        })}
        <div class="actions"><button>${say('Sign in')}</button></div>
      </form>
      ${schoolButton(context, returnTo)}
      <p class="quiet">${
        context.dependencies.config.mail
          ? html`<a href="${FORGOT_PATH}">${say('Forgot your password?')}</a>`
          : say('Forgot your password? The staff of your campus gives you a link to choose another one.')
      }</p>`,
      { isNarrow: true },
    )
  },
  async submit(context, form) {
    const credentials = { login: form.text('login'), password: form.text('password') }
    const { signIns } = context.dependencies
    const prove = () => authenticateByPassword(tallyOf(context), credentials, context.origin)
    const userId = await signIns.prove('password', prove)
    return goOnSigningIn(context, { userId, returnTo: context.query.text('return_to'), passed: [] })
  },
})

/** Where the school has a provider of its own. */
function schoolButton(context: PageContext, returnTo: string): Html | '' {
  const { school } = context.dependencies
  if (!school) return ''
  const button = buttonForm(context, '/sign-in/school', say('Sign in with {school}', { school: school.name }), {
    kind: 'second',
    fields: { return_to: returnTo },
  })
  return html`<div class="actions">${button}</div>`
}
