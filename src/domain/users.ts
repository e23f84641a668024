import type { Handle } from '../database/database.ts'
import type { WriteInput } from '../rest/resource.ts'
import { type AccountValues, checkChanges, createAccount, hashNewPassword } from './accounts.ts'
import { recordEvent } from './audit.ts'
import { endSessions } from './sessions.ts'

/** What an account may hold beside what it is opened with. */
const MORE = ['correction_point', 'wallet', 'anonymize_date', 'data_erasure_date', 'alumnized_at'] as const

/** Opens an account for a new user (POST /v2/users). */
export async function createUser(tx: Handle, { values, now }: WriteInput): Promise<number> {
  const { campus_id: campusId, cursus_id: cursusId } = values
  const { id } = await createAccount(tx, { ...values, campusId, cursusId } as AccountValues, now)
  const more = Object.fromEntries(MORE.filter((name) => values[name] != null).map((name) => [name, values[name]]))
  if (Object.keys(more).length > 0) await tx.kysely.updateTable('users').set(more).where('id', '=', id).execute()
  return id
}

/** Changes a user. A campus becomes the primary one, a cursus is joined from now on. */
export async function updateUser(tx: Handle, { id, values, caller, now }: WriteInput): Promise<number> {
  const { password, campus_id: campusId, cursus_id: cursusId, ...changes } = checkChanges(values)
  const { skip_welcome_mail: _mail, user_candidature_attributes: _candidature, ...columns } = changes
  const digest = typeof password === 'string' ? { password_digest: await hashNewPassword(password) } : {}
  await tx.kysely
    .updateTable('users')
    .set({ ...columns, ...digest, updated_at: now })
    .where('id', '=', id)
    .execute()
  if ('password_digest' in digest) {
    await endSessions(tx, id)
    const doer = { userId: caller.resourceOwnerId, applicationId: caller.application.id }
    await recordEvent(tx, now, { kind: 'password_changed', doer, subjectId: id })
  }
  if (typeof campusId === 'number') await makePrimaryCampus(tx, id, campusId, now)
  if (typeof cursusId === 'number') await joinCursus(tx, id, cursusId, now)
  return id
}

async function makePrimaryCampus(tx: Handle, user_id: number, campus_id: number, now: Date): Promise<void> {
  await tx.kysely
    .updateTable('campus_users')
    .set({ is_primary: false, updated_at: now })
    .where('user_id', '=', user_id)
    .where('campus_id', '!=', campus_id)
    .where('is_primary', '=', true)
    .execute()
  await tx.kysely
    .insertInto('campus_users')
    .values({ user_id, campus_id, is_primary: true, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'campus_id']).doUpdateSet({ is_primary: true, updated_at: now }),
    )
    .execute()
}

async function joinCursus(tx: Handle, user_id: number, cursus_id: number, now: Date): Promise<void> {
  await tx.kysely
    .insertInto('cursus_users')
    .values({ user_id, cursus_id, begin_at: now, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'cursus_id']).doNothing())
    .execute()
}
