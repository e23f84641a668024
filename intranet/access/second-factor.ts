import { randomBytes } from 'node:crypto'
import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { Secret, TOTP } from 'otpauth'
import { actingCaller } from '../services/audit/actors.ts'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { queueMail } from '../services/mail/queue-mail.ts'
import type { Sealer } from '../services/sealing/sealer.ts'
import { recordAccountChange } from './account-changes.ts'
import { factorsOf, isProtected, lockFactors } from './factors.ts'
import { requirePower } from './powers.ts'
import { countRecoveryCodes, deleteRecoveryCodes, replaceRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { checkNoneRequired } from './second-factor-requirements.ts'
import { recordAddedFactor } from './sessions.ts'

/** Parameters that all common authenticator apps support (RFC 6238). */
const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** Accepts one step before and after, since clocks of phones are not exact. */
const WINDOW = 1
const ISSUER = 'Campus Intranet'
/** Time after the proof within which the app must be confirmed. */
const BEGUN_MINUTES = 15

/** Secret to check codes against if no second factor is enabled, so that it takes as long. */
const NO_SECRET = new Secret({ size: SECRET_BYTES }).base32

const begunSince = (now: Date) => new Date(now.getTime() - BEGUN_MINUTES * 60_000)

/** Secret of an app, as text to type and as the address in a QR code. */
export type Enrolment = { readonly secret: string; readonly uri: string }

type Dependencies = { readonly sealer: Sealer; readonly userId: number; readonly now: Date }
type InSession = Dependencies & { readonly sessionId: number }

/**
 * Begins to set up an app in the session that proved itself. Sign-ins ask for codes only after it is confirmed. Must run in a
 * transaction. Throws 422.
 */
export async function beginSecondFactor(tx: Handle, { sealer, userId, sessionId, now }: InSession): Promise<void> {
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
  const sealed_secret = sealer.seal('second_factors.sealed_secret', `${userId}:${secret}`)
  const row = { sealed_secret, session_id: sessionId, last_step: 0, created_at: now, confirmed_at: null }
  const { numInsertedOrUpdatedRows } = await tx.kysely
    .insertInto('second_factors')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(row).where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) throw unprocessable({ base: ['A second factor is set up already.'] })
}

/** Returns the secret that the session has begun to set up, if any. */
export async function pendingEnrolment(
  handle: Handle,
  { sealer, userId, sessionId, now }: InSession,
): Promise<Enrolment | undefined> {
  const row = await handle.kysely
    .selectFrom('second_factors')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['sealed_secret', 'login'])
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .where('confirmed_at', 'is', null)
    .where('second_factors.created_at', '>=', begunSince(now))
    .executeTakeFirst()
  if (!row) return undefined
  const secret = openSecret(sealer, userId, row.sealed_secret)
  return { secret, uri: totpOf(secret, row.login).toString() }
}

type WithCode = Dependencies & { readonly code: string; readonly actor: Actor }

/**
 * Enables an app, proved by one of its codes, and mails the user. Ends the user's other sessions with one factor. Returns
 * recovery codes, which are not stored, if this is the first second factor. Must run in a transaction. Throws 422.
 */
export async function confirmSecondFactor(
  tx: Handle,
  { sealer, userId, sessionId, now, code, actor }: WithCode & InSession,
): Promise<string[]> {
  const factors = await lockFactors(tx, userId)
  const row = await lock(tx, userId)
  if (!row || row.confirmed_at || row.created_at < begunSince(now)) {
    throw unprocessable({ base: ['There is nothing to confirm, or it was begun too long ago. Begin again.'] })
  }
  if (row.session_id !== sessionId) {
    throw unprocessable({
      base: [
        'The set-up was begun again in another browser, so the secret in your app is no longer valid. Remove it from the app and begin again.',
      ],
    })
  }
  const step = stepOf(openSecret(sealer, userId, row.sealed_secret), code, now)
  if (step === undefined) throw wrongCode()
  await tx.kysely
    .updateTable('second_factors')
    .set({ confirmed_at: now, session_id: null, last_step: step })
    .where('user_id', '=', userId)
    .execute()
  await recordAddedFactor(tx, { userId, sessionId, method: 'one-time code', isFirst: !isProtected(factors) })
  await recordAudit(tx, now, { kind: 'second_factor_enabled', actor, subjectId: userId })
  const details = { what: 'app' as const, name: '', at: now.toISOString(), address: actor.address ?? '' }
  await queueMail(tx, { kind: 'second_factor_added', userId, details, now })
  return isProtected(factors) ? [] : replaceRecoveryCodes(tx, userId)
}

/**
 * Verifies a code of the app, which is accepted once, or a recovery code, which is used up. Returns which it was. Must run in
 * a transaction that commits. Throws 422.
 */
export async function verifySecondFactor(
  tx: Handle,
  { sealer, userId, now, code, actor }: WithCode,
): Promise<'one-time code' | 'recovery code'> {
  const row = await lock(tx, userId)
  const isInForce = row !== undefined && row.confirmed_at !== null
  if (/^\d{6}$/.test(digitsOf(code))) {
    const step = stepOf(isInForce ? openSecret(sealer, userId, row.sealed_secret) : NO_SECRET, code, now)
    if (!isInForce || step === undefined) throw wrongCode()
    if (step <= Number(row.last_step)) throw unprocessable({ code: ['was used already; wait for the next one'] })
    await tx.kysely.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()
    return 'one-time code'
  }
  const isOwn = await spendRecoveryCode(tx, userId, code)
  // Recovery codes are also for passkeys.
  if (!isOwn || !isProtected(await factorsOf(tx, userId))) throw wrongCode()
  const details = { left: String(await countRecoveryCodes(tx, userId)) }
  await recordAudit(tx, now, { kind: 'recovery_code_used', actor, subjectId: userId, details })
  return 'recovery code'
}

/** Replaces recovery codes, which are not stored. Must run in a transaction, after a proof. */
export async function renewRecoveryCodes(tx: Handle, { userId, now, actor }: Omit<WithCode, 'sealer' | 'code'>) {
  await recordAudit(tx, now, { kind: 'recovery_codes_renewed', actor, subjectId: userId })
  return replaceRecoveryCodes(tx, userId)
}

type Removal = Omit<WithCode, 'sealer' | 'code'>

/**
 * Removes the user's own app, confirmed or not. The last second factor ends the recovery codes. Must run in a transaction,
 * after a proof. Throws 422 if a second factor is required.
 */
export async function removeSecondFactor(tx: Handle, { userId, now, actor }: Removal) {
  const { appSince, passkeys } = await lockFactors(tx, userId)
  const isLast = appSince !== null && passkeys === 0
  if (isLast) await checkNoneRequired(tx, userId)
  await tx.kysely.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  if (appSince === null) return
  if (isLast) await deleteRecoveryCodes(tx, userId)
  await recordAccountChange(tx, now, { kind: 'second_factor_disabled', actor, subjectId: userId })
}

/** Removes the app and passkeys of another user. Throws 403. */
export async function removeSecondFactorOf(tx: Handle, { userId, now, actor }: Removal): Promise<void> {
  await requirePower(tx, actor, userId)
  const factors = await lockFactors(tx, userId)
  for (const table of ['second_factors', 'passkeys', 'recovery_codes'] as const)
    await tx.kysely.deleteFrom(table).where('user_id', '=', userId).execute()
  if (!isProtected(factors)) return
  await recordAccountChange(tx, now, { kind: 'second_factor_disabled', actor, subjectId: userId })
}

/** DELETE /v2/users/:id/otp_settings/remove. */
export async function disableSecondFactor(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  await removeSecondFactorOf(tx, { userId: id, now, actor: actingCaller(caller) })
  return id
}

/** Returns when a second factor was enabled, or null. */
export async function secondFactorSince(handle: Handle, userId: number): Promise<Date | null> {
  const row = await handle.kysely
    .selectFrom('second_factors')
    .select('confirmed_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.confirmed_at ?? null
}

const lock = (tx: Handle, userId: number) =>
  tx.kysely
    .selectFrom('second_factors')
    .select(['sealed_secret', 'session_id', 'last_step', 'created_at', 'confirmed_at'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

/**
 * Returns the secret. It is sealed together with the user id, so a secret copied to the row of another user is refused.
 */
function openSecret(sealer: Sealer, userId: number, sealed: string): string {
  const [owner, secret = ''] = sealer.open(sealed).split(':')
  if (owner !== String(userId)) throw new Error('a second factor was sealed for somebody else')
  return secret
}

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer: ISSUER, label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS })

/** Returns the time step of a valid code. */
function stepOf(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret, '').validate({ token: digitsOf(code), timestamp: now.getTime(), window: WINDOW })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
}

/** Apps show "123 456". */
const digitsOf = (code: string) => code.replace(/[\s-]/g, '')

const wrongCode = () => unprocessable({ code: ['is wrong: check it and try again'] })
