import { verifySecondFactor } from '../../domain/access/second-factor.ts'
import { throttleCode } from '../../domain/access/throttle.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import { html } from '../html.ts'
import { formPage, pageContent, redirectTo } from '../page.ts'
import { say } from '../say.ts'
import { tallyOf } from '../tally.ts'
import { goOnSigningIn, SECOND_FACTOR_PATH, SECOND_FACTOR_STEP } from './steps.ts'

/** /sign-in/code: the second factor, after the password. */
export const secondFactorStep = formPage({
  path: SECOND_FACTOR_PATH,
  access: 'anybody',
  async show(context, state) {
    if (context.pending?.awaiting !== SECOND_FACTOR_STEP) return redirectTo('/sign-in')
    return pageContent(
      say('Enter your code'),
      html`
      ${errorSummary(state.errors, { code: say('Code') })}
      <form method="post" action="${SECOND_FACTOR_PATH}">
        ${csrfField(context)}
        ${textField(
          { ...state, form: undefined },
          {
            name: 'code',
            label: say('Code'),
            autocomplete: 'one-time-code',
            required: true,
            hint: say('The six digits that your authenticator app shows, or one of your recovery codes.'),
          },
        )}
        <div class="actions"><button>${say('Go on')}</button><a href="/sign-in">${say('Start again')}</a></div>
      </form>
      <p class="quiet">${say('You have neither? The staff of your campus can switch the second factor off.')}</p>`,
      { isNarrow: true },
    )
  },
  async submit(context, form) {
    const { pending, browser } = context
    const { database, clock, sealer, signIns } = context.dependencies
    if (pending?.awaiting !== SECOND_FACTOR_STEP) return redirectTo('/sign-in')
    const userId = pending.person.id
    const actor = { userId, address: browser.address }
    const now = clock.now()
    await signIns.prove('second_factor', async () => {
      const { forget } = await throttleCode(tallyOf(context), userId, context.origin)
      const code = form.text('code')
      await database.transaction((tx) => verifySecondFactor(tx, { sealer, userId, now, code, actor }))
      await forget()
    })
    const passed = [...pending.passed, SECOND_FACTOR_STEP]
    return goOnSigningIn(context, { userId, returnTo: pending.returnTo ?? '/', passed })
  },
})
