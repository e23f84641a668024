import type { Database, Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { queueMail } from '../services/mail/queue-mail.ts'
import type { Sealer } from '../services/sealing/sealer.ts'
import type { RelyingParty } from '../settings/relying-party.ts'
import type { Tally } from './attempts.ts'
import { type Bound, spendChallenge } from './passkey-challenges.ts'
import { type Assertion, type Attestation, passkeyRefused, readAssertion, readAttestation } from './read-credential.ts'
import { CLOSED_ACCOUNT } from './sessions.ts'
import { countFromAddress } from './sign-in.ts'
import { type Origin, throttle } from './throttle.ts'
import {
  findPasskey,
  type Signed,
  type StoredPasskey,
  type VerifiedPasskey,
  verifyAssertion,
  verifyAttestation,
} from './verify-passkey.ts'

export type Checking = {
  readonly database: Database
  readonly sealer: Sealer
  readonly now: Date
  readonly party: RelyingParty
}

type Answered = {
  /** The answer of the browser. */
  readonly credential: string
  readonly browserKey: string
}

/**
 * Signs in by a passkey that names its user. Attempts count as those by password do, and closed accounts are refused in the
 * same way. Throws 422 and 429.
 */
export async function authenticateByPasskey(
  checking: Checking,
  { credential, browserKey }: Answered,
  origin: Origin,
): Promise<number> {
  const { database } = checking
  const tally = tallyOf(checking)
  const takeBack = await countFromAddress(tally, origin.address)
  const assertion = readAssertion(credential)
  await requireGood(checking, assertion, { purpose: 'sign-in', browserKey, userId: undefined })
  const passkey = await findPasskey(database, assertion)
  // Only a passkey that names its user was asked for.
  if (!passkey || assertion.userHandle === undefined) throw passkeyRefused()
  const { user_id: userId, closed_at } = passkey
  const { forget } = await throttle(tally, { what: 'passkey', account: String(userId), userId }, origin)
  await use(checking, assertion, passkey, { userId, address: origin.address })
  await takeBack()
  if (closed_at) throw unprocessable({ base: [CLOSED_ACCOUNT] })
  await forget()
  return userId
}

type Proving = Answered & {
  readonly userId: number
  readonly purpose: 'second-factor' | 'proof'
  readonly actor: Actor
}

/** Proves by a passkey that the person is this user. Throws 422. */
export async function provePasskey(
  checking: Checking,
  { credential, userId, actor, ...bound }: Proving,
): Promise<void> {
  const assertion = readAssertion(credential)
  await requireGood(checking, assertion, { ...bound, userId })
  const passkey = await findPasskey(checking.database, assertion)
  if (passkey?.user_id !== userId) throw passkeyRefused()
  await use(checking, assertion, passkey, actor)
}

/** Checks a new passkey for the user of the challenge. Throws 422. */
export async function checkNewPasskey(
  checking: Checking,
  { credential, browserKey, userId }: Answered & { readonly userId: number },
): Promise<VerifiedPasskey> {
  const attestation = readAttestation(credential)
  await requireGood(checking, attestation, { purpose: 'registration', browserKey, userId })
  return verifyAttestation(attestation, checking.party)
}

const tallyOf = ({ database, sealer, now }: Checking): Tally => ({ handle: database, sealer, now })

async function requireGood(checking: Checking, { challenge }: Assertion | Attestation, bound: Bound): Promise<void> {
  const spending = await spendChallenge(checking.database, checking, challenge, bound)
  if (spending === 'late') throw unprocessable({ base: ['This took longer than five minutes. Try again.'] })
  if (spending !== 'good') throw passkeyRefused()
}

async function use(checking: Checking, assertion: Assertion, passkey: StoredPasskey, actor: Actor): Promise<void> {
  const { database, now, party } = checking
  const signed = await verifyAssertion(assertion, passkey, party)
  const isAccepted = await database.transaction((tx) => recordUse(tx, { passkey, signed, actor, now }))
  // Thrown after the use has been recorded.
  if (!isAccepted) throw passkeyRefused()
}

type Use = {
  readonly passkey: StoredPasskey
  readonly signed: Signed
  readonly actor: Actor
  readonly now: Date
}

/**
 * Records the use of a passkey. Returns false and mails the user if its counter has not gone up, which means that there is a
 * copy (WebAuthn §6.1.1), or if its backup eligibility has changed. Returns false if it was removed meanwhile.
 */
async function recordUse(tx: Handle, { passkey: { id, user_id }, signed, actor, now }: Use): Promise<boolean> {
  const stored = await tx.kysely
    .selectFrom('passkeys')
    .select(['counter', 'backup_eligible', 'name'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!stored) return false
  const { name } = stored
  const former = Number(stored.counter)
  const hasCounter = signed.counter > 0 || former > 0
  if ((hasCounter && signed.counter <= former) || signed.isBackupEligible !== stored.backup_eligible) {
    await recordAudit(tx, now, { kind: 'passkey_suspected', actor, subjectId: user_id, details: { name } })
    const details = { name, at: now.toISOString(), address: actor.address ?? '' }
    await queueMail(tx, { kind: 'passkey_suspected', userId: user_id, details, now })
    return false
  }
  await tx.kysely
    .updateTable('passkeys')
    .set({ counter: signed.counter, backed_up: signed.isBackedUp, last_used_at: now })
    .where('id', '=', id)
    .execute()
  return true
}
