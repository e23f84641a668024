import { timingSafeEqual } from 'node:crypto'
import type { Database, Handle } from '@campus/engine/database/database'
import { sameVerifiedAddress } from '@campus/engine/database/same-name'
import { notFound, unprocessable } from '@campus/engine/errors'
import { NO_MAIL_SENT, queueMail } from '../services/mail/queue-mail.ts'
import type { Sealer } from '../services/sealing/sealer.ts'
import { type AttemptLimit, countAttempt, type Tally } from './attempts.ts'

/** Path of the page that confirms an address. */
export const VERIFY_PATH = '/security/verify-email'

const LIFETIME_HOURS = 24
const PER_PERSON: AttemptLimit = { max: 3, withinSeconds: 3600 }

/** Marks a user's address as verified if it is still `email`. */
export async function markEmailVerified(tx: Handle, now: Date, userId: number, email: string): Promise<void> {
  await tx.kysely
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .where(sameVerifiedAddress('email', email))
    .execute()
}

export const emailOf = ({ kysely }: Handle, userId: number) =>
  kysely.selectFrom('users').select(['email', 'email_verified_at']).where('id', '=', userId).executeTakeFirstOrThrow()

/** Queues a mail with a confirmation link, at most three an hour for a person. Throws 422 and 429. */
export async function requestVerification(database: Database, tally: Tally, userId: number): Promise<void> {
  await countAttempt(tally, `verify email of ${userId}`, PER_PERSON)
  const isQueued = await database.transaction((tx) =>
    queueMail(tx, { kind: 'verify_email', userId, details: {}, now: tally.now }),
  )
  if (!isQueued) throw unprocessable({ base: [NO_MAIL_SENT] })
}

type Signing = Pick<Sealer, 'keyedHash'>

type Addressee = { readonly userId: number; readonly email: string }

/** Returns the path of a confirmation link. The link is signed and not stored. */
export function verificationLink(sealer: Signing, now: Date, addressee: Addressee) {
  const expiresAt = new Date(now.getTime() + LIFETIME_HOURS * 3_600_000)
  const proof = proofOf(sealer, addressee, expiresAt.getTime()).toString('base64url')
  return { path: `${VERIFY_PATH}?until=${expiresAt.getTime()}&proof=${proof}`, expiresAt }
}

type Link = { readonly until: string; readonly proof: string }

/** Throws 404 unless the link is for this user and address, and has not expired. */
export function checkVerification(sealer: Signing, now: Date, addressee: Addressee, { until, proof }: Link): void {
  const given = Buffer.from(proof, 'base64url')
  const expected = proofOf(sealer, addressee, Number(until))
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isGenuine || Number(until) <= now.getTime()) {
    throw notFound('This link has expired, or belongs to another account or address. Ask for another one.')
  }
}

const proofOf = (sealer: Signing, { userId, email }: Addressee, until: number): Buffer =>
  sealer.keyedHash('verify email').update(`${userId}\n${until}\n${email}`).digest()
