import { factorsOf } from '../../access/factors.ts'
import { provePasskey } from '../../access/prove-passkey.ts'
import { verifySecondFactor } from '../../access/second-factor.ts'
import type { SignInMethod } from '../../access/sessions.ts'
import { throttle, throttleCode } from '../../access/throttle.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import { type Form, formPage, type PageContext, page, pageContent, part, redirectTo } from '../page.ts'
import { checkingOf, credentialField, hasPasskeys, passkeyButton, passkeyFault, requestOptions } from '../passkeys.ts'
import { tallyOf } from '../tally.ts'
import { goOnSigningIn, SECOND_FACTOR_PATH, SECOND_FACTOR_STEP, startAgain } from './steps.ts'

const OPTIONS_PATH = `${SECOND_FACTOR_PATH}/passkey`

const secondFactorStep = formPage({
  path: SECOND_FACTOR_PATH,
  access: 'anybody',
  async show(context, state) {
    if (context.pending?.awaiting !== SECOND_FACTOR_STEP) return startAgain(context)
    const { appSince, passkeys } = await factorsOf(context.dependencies.database, context.pending.person.id)
    const asksPasskey = passkeys > 0 && hasPasskeys(context)
    return pageContent(
      asksPasskey ? say('Show that it is you') : say('Enter your code'),
      html`
      ${errorSummary(state.errors, { code: say('Code') })}
      ${asksPasskey ? passkeyForm(context) : ''}
      <form method="post" action="${SECOND_FACTOR_PATH}">
        ${csrfField(context)}
        ${textField(
          { ...state, form: undefined },
          {
            name: 'code',
            label: say('Code'),
            autocomplete: 'one-time-code',
            required: true,
            hint: appSince
              ? say('The six digits that your authenticator app shows, or one of your recovery codes.')
              : say('One of your recovery codes, where you have no passkey here.'),
          },
        )}
        <div class="actions"><button class="${asksPasskey ? 'second' : ''}">${say('Go on')}</button><a href="/sign-in">${say('Start again')}</a></div>
      </form>
      <p class="quiet">${say('You have neither? The staff of your campus can switch the second factor off.')}</p>`,
      { isNarrow: true, scripts: asksPasskey ? ['passkeys'] : [] },
    )
  },
  async submit(context, form) {
    const { pending } = context
    if (pending?.awaiting !== SECOND_FACTOR_STEP) return startAgain(context)
    const isPasskey = form.text('credential') !== ''
    const userId = pending.person.id
    const method = await (isPasskey ? proveByPasskey : proveByCode)(context, form, userId)
    // A process of the former release did not record the password.
    const before = pending.passed.length > 0 ? pending.passed : ['password']
    const passed = [...before, method]
    return goOnSigningIn(context, { userId, returnTo: pending.returnTo ?? '/', passed })
  },
})

const passkeyOptions = page({
  path: OPTIONS_PATH,
  access: 'anybody',
  async show(context) {
    const { pending } = context
    if (pending?.awaiting !== SECOND_FACTOR_STEP) return redirectTo('/sign-in')
    const options = await requestOptions(context, { purpose: 'second-factor', userId: pending.person.id })
    return part('application/json', options)
  },
})

export const SECOND_FACTOR_STEP_PAGES = [...secondFactorStep, ...passkeyOptions]

const passkeyForm = (context: PageContext): Html => html`
      <form method="post" action="${SECOND_FACTOR_PATH}" data-passkey="${OPTIONS_PATH}">
        ${csrfField(context)}
        ${credentialField}
        <div class="actions">${passkeyButton(say('Use a passkey'), '')}</div>
        ${passkeyFault}
      </form>`

async function proveByCode(context: PageContext, form: Form, userId: number): Promise<SignInMethod> {
  const { database, clock, sealer, signIns } = context.dependencies
  const actor = { userId, address: context.browser.address }
  const now = clock.now()
  return signIns.prove('second_factor', async () => {
    const { forget } = await throttleCode(tallyOf(context), userId, context.origin)
    const code = form.text('code')
    const method = await database.transaction((tx) => verifySecondFactor(tx, { sealer, userId, now, code, actor }))
    await forget()
    return method
  })
}

async function proveByPasskey(context: PageContext, form: Form, userId: number): Promise<SignInMethod> {
  const actor = { userId, address: context.browser.address }
  return context.dependencies.signIns.prove<SignInMethod>('passkey', async () => {
    const attempted = { what: 'passkey', account: String(userId), userId }
    const { forget } = await throttle(tallyOf(context), attempted, context.origin)
    const answered = { credential: form.text('credential'), browserKey: context.key }
    await provePasskey(checkingOf(context), { ...answered, userId, purpose: 'second-factor', actor })
    await forget()
    return 'passkey'
  })
}
