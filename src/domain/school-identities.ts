import { recordAudit } from '../audit/audit.ts'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'

/** Who somebody is in the words of the school's own provider. */
export type SchoolIdentity = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  readonly isEmailVerified: boolean
}

/**
 * The account of somebody whom the school's provider vouches for: the one matched before, else the one with the
 * address that the provider has verified, from then on by its subject, whatever address it has later. Nobody gets an
 * account that another subject was matched with. To be run in a transaction. Throws 422.
 */
export async function matchIdentity(
  tx: Handle,
  now: Date,
  { issuer, subject, email, isEmailVerified }: SchoolIdentity,
  address: string,
): Promise<number> {
  const known = await findMatched(tx, issuer, subject)
  if (known) return refuseClosed(known)
  if (!email || !isEmailVerified) throw unprocessable({ base: ['Your school has not verified your e-mail address.'] })
  const user = await tx.kysely
    .selectFrom('users')
    .select(['id', 'closed_at'])
    .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  if (!user) throw unprocessable({ base: ['No account here has the e-mail address that your school has of you.'] })
  const id = refuseClosed(user)
  const made = await tx.kysely
    .insertInto('school_identities')
    .values({ issuer, subject, user_id: id, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!made) {
    throw unprocessable({
      base: ['This account belongs to somebody else at your school. Ask the staff of your campus.'],
    })
  }
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

function refuseClosed({ id, closed_at }: { readonly id: number; readonly closed_at: Date | null }): number {
  if (closed_at) throw unprocessable({ base: ['This account is closed. Ask the staff of your campus.'] })
  return id
}
