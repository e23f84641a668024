import type { Handle } from '@campus/engine/database/database'
import { sameVerifiedAddress } from '@campus/engine/database/same-name'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { recordAudit } from '../services/audit/audit.ts'
import { NOBODY } from './nobody.ts'
import { markEmailVerified } from './verify-email.ts'

/** A user's identity at the school's provider. */
export type SchoolIdentity = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  readonly isEmailVerified: boolean
}

/**
 * Returns the account of an identity that the school's provider asserts. It is the account matched with the subject before, else
 * the one with the verified address, which is then matched with the subject. If the account has the address that the provider
 * verified, the address counts as verified here, too. Refuses an account that is matched with another subject. Every refusal runs
 * the same statements. Run it in a transaction. Throws 422.
 */
export async function matchIdentity(
  tx: Handle,
  now: Date,
  { issuer, subject, email, isEmailVerified }: SchoolIdentity,
  address: string,
): Promise<number> {
  const known = await findMatched(tx, issuer, subject)
  const named = await findByEmail(tx, isEmailVerified && !known ? email : undefined)
  const isMade = await match(tx, now, { issuer, subject }, named?.closed_at === null ? named.id : NOBODY)
  if (known) {
    const id = refuseClosed(known)
    if (email && isEmailVerified) await markEmailVerified(tx, now, id, email)
    return id
  }
  if (!email || !isEmailVerified) throw unprocessable({ base: ['Your school has not verified your e-mail address.'] })
  if (!named) throw unprocessable({ base: ['No account matches your school e-mail address.'] })
  const id = refuseClosed(named)
  if (!isMade) {
    throw unprocessable({
      base: ['This account belongs to somebody else at your school. Ask the staff of your campus.'],
    })
  }
  await markEmailVerified(tx, now, id, email)
  await recordAudit(tx, now, {
    kind: 'school_identity_matched',
    actor: { userId: id, address },
    subjectId: id,
    details: { issuer },
  })
  return id
}

const findMatched = (tx: Handle, issuer: string, subject: string) =>
  tx.kysely
    .selectFrom('school_identities')
    .innerJoin('users', 'users.id', 'school_identities.user_id')
    .select(['users.id', 'users.closed_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

const findByEmail = (tx: Handle, email = '') =>
  tx.kysely
    .selectFrom('users')
    .select(['id', 'closed_at'])
    .where(sameVerifiedAddress('email', email))
    .executeTakeFirst()

/** Matches the account with the subject. Returns false if the account has another subject or does not exist. */
async function match(
  tx: Handle,
  now: Date,
  { issuer, subject }: Pick<SchoolIdentity, 'issuer' | 'subject'>,
  userId: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into school_identities (issuer, subject, user_id, created_at)
    select ${issuer}, ${subject}, id, ${now} from users where id = ${userId} on conflict do nothing
  `.execute(tx.kysely)
  return numAffectedRows > 0n
}

function refuseClosed({ id, closed_at }: { readonly id: number; readonly closed_at: Date | null }): number {
  if (closed_at) throw unprocessable({ base: ['This account is closed. Ask the staff of your campus.'] })
  return id
}
