import type { Handle } from '@campus/engine/database/database'
import { countAttempt, forgetAttempts } from '../../access/attempts.ts'
import { factorsOf, isProtected } from '../../access/factors.ts'
import { provePasskey } from '../../access/prove-passkey.ts'
import { isFresh, proofNeeded, reauthenticate } from '../../access/reauthenticate.ts'
import { verifySecondFactor } from '../../access/second-factor.ts'
import { renewKey } from '../../access/sessions.ts'
import { actorOf } from '../actor.ts'
import { csrfField, textField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import { type Form, type FormState, type PersonPageContext, page, part, pathOf } from '../page.ts'
import { checkingOf, credentialField, hasPasskeys, passkeyButton, passkeyFault, requestOptions } from '../passkeys.ts'
import type { ScriptName } from '../scripts.ts'
import { tallyOf } from '../tally.ts'

const OPTIONS_PATH = '/security/passkeys/proof'
const PER_SESSION = { max: 10, withinSeconds: 900 }
const PER_DAY = { max: 50, withinSeconds: 86_400, remedy: 'sign in again' } as const

export const proofLabels = () => ({ code: say('Code'), current_password: say('Current password') })

/**
 * Proof before a change of how a person signs in. `factor` is a code or a passkey. `all` is the password (or a fresh
 * sign-in without a password) and a second factor, if the person has one. A passkey satisfies both.
 */
export type Proof = 'factor' | 'all'

type Needs = {
  readonly password: boolean
  readonly freshSignIn: boolean
  readonly code: boolean
  readonly passkey: boolean
}

async function needsOf(context: PersonPageContext, proof: Proof): Promise<Needs & { readonly hasApp: boolean }> {
  const { database, clock } = context.dependencies
  const factors = await factorsOf(database, context.person.id)
  const asked = proof === 'all' ? await proofNeeded(database, context.person.id) : undefined
  return {
    password: asked === 'password',
    freshSignIn: asked === 'fresh sign-in' && !isFresh(clock.now(), context.session),
    code: proof === 'factor' || isProtected(factors),
    passkey: factors.passkeys > 0 && hasPasskeys(context),
    hasApp: factors.appSince !== null,
  }
}

type Question = {
  readonly proof: Proof
  readonly path: string
  readonly back: string
  readonly button: string
  /** Explains beside the password field what the proof protects from. */
  readonly reason: string
  readonly isDanger?: boolean
}

export async function proofForm(
  context: PersonPageContext,
  state: FormState,
  { proof, path, back, button, reason, isDanger = false }: Question,
): Promise<{ readonly main: Html; readonly scripts: readonly ScriptName[] }> {
  const needs = await needsOf(context, proof)
  const labels = proofLabels()
  const byTyping = needs.freshSignIn
    ? html`<p>${reason} ${say('You signed in some time ago.')}</p>
      <p><a class="button second" href="/sign-in?again=yes&amp;return_to=${encodeURIComponent(pathOf(context))}">${say('Sign in again')}</a></p>`
    : html`
    ${needs.password ? html`<input type="hidden" name="username" autocomplete="username" value="${context.person.login}">` : ''}
    ${
      needs.password
        ? textField(state, {
            name: 'current_password',
            label: labels.current_password,
            type: 'password',
            required: true,
            autocomplete: 'current-password',
            hint: reason,
          })
        : ''
    }
    ${needs.code ? codeField(state, needs.hasApp ? say('A code of the app, or one of your recovery codes.') : say('One of your recovery codes.')) : ''}
    <div class="actions"><button class="${isDanger ? 'danger' : ''}">${button}</button><a href="${back}">${say('Cancel')}</a></div>`
  const main = html`
    <form method="post" action="${path}"${needs.passkey ? html` data-passkey="${OPTIONS_PATH}"` : ''}>
      ${csrfField(context)}
      ${byTyping}
      ${
        needs.passkey
          ? html`<p class="quiet for-scripts">${say('Or show that it is you with a passkey:')}</p>
      ${credentialField}
      <div class="actions">${passkeyButton(say('Use a passkey'))}</div>
      ${passkeyFault}`
          : ''
      }
    </form>`
  return { main, scripts: needs.passkey ? ['passkeys'] : [] }
}

export const otherBrowsersNote = () =>
  say('Other browsers in which you signed in without a second factor are signed out.')

/** Renders an empty field for a code, since a refused code never becomes valid. Recovery codes have letters, so only `isNumeric` fields ask for a numeric keypad. */
export const codeField = ({ errors }: FormState, hint: string, { isNumeric = false } = {}): Html =>
  textField(
    { errors, form: undefined },
    {
      name: 'code',
      label: proofLabels().code,
      hint,
      autocomplete: 'one-time-code',
      ...(isNumeric && { inputMode: 'numeric' as const }),
      required: true,
    },
  )

export const proofOptions = page({
  path: OPTIONS_PATH,
  access: 'signed-in',
  show: async (context) =>
    part('application/json', await requestOptions(context, { purpose: 'proof', userId: context.person.id })),
})

/**
 * Runs `work` after a proof, in a transaction that also renews the session's key. A code is used up only if the transaction
 * commits. Throws 422 and 429.
 */
export async function proven<T>(
  context: PersonPageContext,
  form: Form,
  proof: Proof,
  work: (tx: Handle) => Promise<T>,
): Promise<T> {
  const { database } = context.dependencies
  if (form.text('credential') !== '') {
    await byPasskey(context, form)
    return renewingKey(context, work)
  }
  if (proof === 'all') {
    await reauthenticate(tallyOf(context), context.session, form.text('current_password'))
    if (!isProtected(await factorsOf(database, context.person.id))) return renewingKey(context, work)
  }
  return guarded(context, () =>
    renewingKey(context, async (tx) => {
      await verifySecondFactor(tx, withCode(context, form))
      return work(tx)
    }),
  )
}

/** Counts attempts with codes in a session. A success resets the short-term count. Throws 429. */
export async function guarded<T>(context: PersonPageContext, work: () => Promise<T>): Promise<T> {
  const name = `second factor in session ${context.session.id}`
  await countAttempt(tallyOf(context), name, PER_SESSION)
  await countAttempt(tallyOf(context), `${name} in a day`, PER_DAY)
  const done = await work()
  await forgetAttempts(tallyOf(context), name)
  return done
}

async function byPasskey(context: PersonPageContext, form: Form): Promise<void> {
  const answered = { credential: form.text('credential'), browserKey: context.key }
  const proving = { ...answered, userId: context.person.id, purpose: 'proof', actor: actorOf(context) } as const
  await guarded(context, () => provePasskey(checkingOf(context), proving))
}

export const withCode = (context: PersonPageContext, form: Form) => ({
  sealer: context.dependencies.sealer,
  userId: context.person.id,
  now: context.dependencies.clock.now(),
  code: form.text('code'),
  actor: actorOf(context),
})

/** Runs a transaction that also renews the session's key, so that copies of its former cookie stop working. */
export async function renewingKey<T>(context: PersonPageContext, work: (tx: Handle) => Promise<T>): Promise<T> {
  const { result, key } = await context.dependencies.database.transaction(async (tx) => ({
    result: await work(tx),
    key: await renewKey(tx, context.session.id),
  }))
  context.setKey(key)
  return result
}
