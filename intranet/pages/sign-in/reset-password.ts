import { addressBlock } from '@campus/engine/base/address-block'
import { countAttempt } from '../../access/attempts.ts'
import { findPasswordReset, RESET_PATH, resetPassword, unknownReset } from '../../access/password-resets.ts'
import { csrfField, errorSummary } from '../fields.ts'
import { html, say, sayWith } from '../html.ts'
import { formPage, type PageContext, pageContent, redirectTo } from '../page.ts'
import { checkRepeated, newPasswordFields, newPasswordLabels } from '../security/new-password.ts'
import { tallyOf } from '../tally.ts'

/** /reset-password: another password, for who holds a link that staff made. Opening it uses nothing up. */
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
