import type { Handle } from '@campus/engine/database/database'
import type { RelyingParty } from '../settings/relying-party.ts'
import { type Assertion, type Attestation, passkeyRefused } from './read-credential.ts'

/** EdDSA, ES256 and RS256 in COSE. Every authenticator supports one of them. */
export const ALGORITHMS = [-8, -7, -257]

/** An RSA key with 4096 bits takes half of it. */
const MAX_KEY_BYTES = 1024

/** A new passkey for this service. */
export type VerifiedPasskey = {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
}

/** Its attestation formats load for a tenth of a second. */
const library = () => import('@simplewebauthn/server')

/** Verifies a new passkey (WebAuthn §7.1) whose challenge was good. Throws 422. */
export async function verifyAttestation(attestation: Attestation, party: RelyingParty): Promise<VerifiedPasskey> {
  const { id, challenge, transports, ...response } = attestation
  const { verifyRegistrationResponse } = await library()
  await refuseCertificates(attestation)
  const { verified, registrationInfo } = await orRefuse(() =>
    verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verified || registrationInfo.credential.publicKey.length > MAX_KEY_BYTES) throw passkeyRefused()
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
  // The browser sends the id beside the data that the authenticator has signed.
  const credentialId = Buffer.from(credential.id, 'base64url')
  if (!credentialId.equals(Buffer.from(id, 'base64url'))) throw passkeyRefused()
  return {
    credentialId,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  }
}

/**
 * Attestation is not requested, so browsers send none or a self attestation. A statement with certificates is refused unread:
 * the library would call addresses in them.
 */
async function refuseCertificates({ attestationObject }: Attestation): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = await orRefuse(() =>
    decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))),
  )
  const [format, statement] = [decoded.get('fmt'), decoded.get('attStmt')]
  const isOwn = format === 'none' || (format === 'packed' && statement instanceof Map && !statement.has('x5c'))
  if (!isOwn) throw passkeyRefused()
}

export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>

/** Returns the passkey that answered, or undefined if it is unknown or was removed. */
export const findPasskey = ({ kysely }: Pick<Handle, 'kysely'>, { id }: Pick<Assertion, 'id'>) =>
  kysely
    .selectFrom('passkeys')
    .innerJoin('passkey_handles', 'passkey_handles.user_id', 'passkeys.user_id')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select([
      'passkeys.id',
      'passkeys.user_id',
      'credential_id',
      'public_key',
      'backup_eligible',
      'handle',
      'closed_at',
    ])
    .where('credential_id', '=', Buffer.from(id, 'base64url'))
    .executeTakeFirst()

export type Signed = { readonly counter: number; readonly isBackupEligible: boolean; readonly isBackedUp: boolean }

/** Verifies an answer (WebAuthn §7.2) except for its counter. Throws 422. */
export async function verifyAssertion(
  { challenge, id, ...response }: Assertion,
  { credential_id, public_key, handle }: StoredPasskey,
  party: RelyingParty,
): Promise<Signed> {
  const { userHandle } = response
  if (userHandle !== undefined && !handle.equals(Buffer.from(userHandle, 'base64url'))) throw passkeyRefused()
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await orRefuse(() =>
    verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The stored counter is compared under the lock of the row, so that one of two concurrent answers is refused.
      credential: { id: credential_id.toString('base64url'), publicKey: new Uint8Array(public_key), counter: 0 },
    }),
  )
  if (!verified) throw passkeyRefused()
  const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo
  return {
    counter: newCounter,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  }
}

/** The library's messages contain parts of the answer. */
async function orRefuse<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    throw passkeyRefused()
  }
}
