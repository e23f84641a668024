import { addressBlock } from '@campus/engine/base/address-block'
import { notFound } from '@campus/engine/errors'
import { countAttempt } from '../../access/attempts.ts'
import {
  findPasswordReset,
  RESET_PATH,
  requestPasswordReset,
  resetPassword,
  unknownReset,
} from '../../access/password-resets.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import { html, say, sayWith } from '../html.ts'
import { formPage, type PageContext, pageContent, redirectTo } from '../page.ts'
import { checkRepeated, newPasswordFields, newPasswordLabels } from '../security/password.ts'
import { tallyOf } from '../tally.ts'

/** Opening the page uses nothing up. */
export const resetPasswordPage = formPage({
  path: RESET_PATH,
  access: 'anybody',
  async show(context, state) {
    const { login } = await findReset(context)
    return pageContent(
      say('Choose a password'),
      html`
      ${errorSummary(state.errors, newPasswordLabels())}
      <p>${sayWith('For the account {login}.', { login: html`<strong>${login}</strong>` })}</p>
      <form method="post" action="${context.path}">
        ${csrfField(context)}
        <input type="hidden" name="username" autocomplete="username" value="${login}">
        ${newPasswordFields(state)}
        <div class="actions"><button>${say('Set the password')}</button></div>
      </form>`,
      { isNarrow: true },
    )
  },
  async submit(context, form) {
    const { database, clock, sealing } = context.dependencies
    await findReset(context)
    const token = context.query.text('token')
    const password = checkRepeated(form)
    const { address } = context.browser
    await database.transaction((tx) => resetPassword(tx, clock.now(), sealing, { token, password, address }))
    return redirectTo('/sign-in', {
      notice: say('The password is set. Sign in with it. Calendars that follow your agenda need its new address.'),
    })
  },
})

const LIMIT = { max: 100, withinSeconds: 900 }

async function findReset(context: PageContext): Promise<{ readonly login: string }> {
  const { database, clock } = context.dependencies
  const found = await findPasswordReset(database, clock.now(), context.query.text('token'))
  // The holder of a link is not limited by others' attempts from the same address.
  if (found) return found
  await countAttempt(tallyOf(context), `reset address ${addressBlock(context.browser.address)}`, LIMIT)
  throw unknownReset()
}

export const FORGOT_PATH = '/forgot-password'

const labels = () => ({ who: say('Login or e-mail address') })

/** Neither the response nor its time reveals whether the account exists. */
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
