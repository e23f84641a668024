import { notFound } from '@campus/engine/errors'
import { issueChallenge } from '../access/passkey-challenges.ts'
import { passkeysOf } from '../access/passkeys.ts'
import type { Checking } from '../access/prove-passkey.ts'
import { type Html, html, say } from './html.ts'
import type { PageContext } from './page-context.ts'

/** Whether the service has a name that passkeys may belong to. */
export const hasPasskeys = ({ dependencies: { config } }: PageContext): boolean => config.relyingParty !== undefined

/** What passkeys are checked with. Throws 404 where there are none. */
export function checkingOf({ dependencies }: PageContext): Checking {
  const { config, database, sealer, clock } = dependencies
  if (!config.relyingParty) throw notFound('There are no passkeys here, since the service has no name of its own.')
  return { database, sealer, now: clock.now(), party: config.relyingParty }
}

/** How long a browser asks, as long as the challenge is good. */
export const ASKED_MS = 300_000

type Asked = {
  readonly purpose: 'sign-in' | 'second-factor' | 'proof'
  /** Undefined where the passkey is to say whose it is: then the answer says nothing of anybody. */
  readonly userId: number | undefined
}

/** What a browser is asked with (PublicKeyCredentialRequestOptionsJSON). */
export async function requestOptions(context: PageContext, { purpose, userId }: Asked): Promise<string> {
  const checking = checkingOf(context)
  const own = userId === undefined ? [] : await passkeysOf(checking.database, userId)
  return JSON.stringify({
    challenge: issueChallenge(checking, { purpose, browserKey: context.key, userId }),
    rpId: checking.party.id,
    allowCredentials: own.map(descriptorOf),
    userVerification: 'required',
    timeout: ASKED_MS,
  })
}

/** A passkey as browsers know it (PublicKeyCredentialDescriptorJSON). */
export const descriptorOf = (one: { readonly credential_id: Buffer; readonly transports: readonly string[] }) => ({
  type: 'public-key',
  id: one.credential_id.toString('base64url'),
  transports: one.transports,
})

/** The field of a form that a passkey is sent in, and where a script says what went wrong. */
export const credentialField: Html = html`<input type="hidden" name="credential" value="">`

/** A button that asks the browser for a passkey; only those who have scripts see it. */
export const passkeyButton = (text: string, kind: '' | 'second' = 'second'): Html => html`
  <button type="button" class="${kind} for-scripts" data-asks-passkey data-refused="${say('The browser gave no passkey. Try again, or go another way.')}" data-unsupported="${say('This browser knows no passkeys.')}">${text}</button>`

export const passkeyFault: Html = html`<p class="quiet for-scripts" role="status" data-passkey-fault></p>`
