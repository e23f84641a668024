import { notFound } from '@campus/engine/errors'
import { issueChallenge } from '../access/passkey-challenges.ts'
import { passkeysOf } from '../access/passkeys.ts'
import type { Checking } from '../access/prove-passkey.ts'
import { type Html, html, say } from './html.ts'
import type { PageContext } from './page-context.ts'

/** Reports whether the service has a host name, which passkeys need. */
export const hasPasskeys = ({ dependencies: { config } }: PageContext): boolean => config.relyingParty !== undefined

/** Throws 404 if the service has no passkeys. */
export function checkingOf({ dependencies }: PageContext): Checking {
  const { config, database, sealer, clock } = dependencies
  if (!config.relyingParty) throw notFound('There are no passkeys here, since the service has no name of its own.')
  return { database, sealer, now: clock.now(), party: config.relyingParty }
}

/** Validity of a challenge. */
export const ASKED_MS = 300_000

type Asked = {
  readonly purpose: 'sign-in' | 'second-factor' | 'proof'
  /** Undefined if the passkey identifies its owner, so that the response reveals nothing. */
  readonly userId: number | undefined
}

/** Returns PublicKeyCredentialRequestOptionsJSON. */
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

/** Returns a PublicKeyCredentialDescriptorJSON. */
export const descriptorOf = (one: { readonly credential_id: Buffer; readonly transports: readonly string[] }) => ({
  type: 'public-key',
  id: one.credential_id.toString('base64url'),
  transports: one.transports,
})

export const credentialField: Html = html`<input type="hidden" name="credential" value="">`

export const passkeyButton = (text: string, kind: '' | 'second' = 'second'): Html => html`
  <button type="button" class="${kind} for-scripts" data-asks-passkey data-refused="${say('The browser gave no passkey. Try again, or go another way.')}" data-unsupported="${say('This browser knows no passkeys.')}">${text}</button>`

export const passkeyFault: Html = html`<p class="quiet for-scripts" role="status" data-passkey-fault></p>`
