import { addressBlock } from '@campus/engine/base/address-block'
import { notFound } from '@campus/engine/errors'
import { countAttempt } from '../../access/attempts.ts'
import { requestPasswordReset } from '../../access/password-resets.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import { html, say } from '../html.ts'
import { formPage, type PageContext, pageContent, redirectTo } from '../page.ts'
import { tallyOf } from '../tally.ts'

export const FORGOT_PATH = '/forgot-password'

const labels = () => ({ who: say('Login or e-mail address') })

/** /forgot-password: a link by mail, where the school sends mail. Neither the answer nor its time depends on whether there is such a person. */
export const forgotPassword = formPage({
  path: FORGOT_PATH,
  access: 'anybody',
  async show(context, state) {
    refuseWithoutMail(context)
    return pageContent(
      say('Forgot your password?'),
      html`
      ${errorSummary(state.errors, labels())}
      <p>${say('We send you a link with which you choose another one. It goes to the e-mail address of your account.')}</p>
      <form method="post" action="${FORGOT_PATH}">
        ${csrfField(context)}
        ${textField(state, { name: 'who', label: labels().who, autocomplete: 'username', required: true })}
        <div class="actions"><button>${say('Send the link')}</button></div>
      </form>`,
      { isNarrow: true },
    )
  },
  async submit(context, form) {
    refuseWithoutMail(context)
    const { database } = context.dependencies
    const who = form.text('who').trim()
    await countAttempt(tallyOf(context), `forgot address ${addressBlock(context.browser.address)}`, PER_ADDRESS)
    await requestPasswordReset(database, tallyOf(context), who)
    return redirectTo('/sign-in', {
      notice: say('If there is such an account, a link is on its way to its e-mail address.'),
    })
  },
})

const PER_ADDRESS = { max: 30, withinSeconds: 900 }

function refuseWithoutMail({ dependencies }: PageContext): void {
  if (!dependencies.config.mail) throw notFound('This school sends no mail. Its staff give you a link.')
}
