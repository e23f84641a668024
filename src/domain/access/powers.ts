import { type InferResult, sql } from 'kysely'
import type { ActionInput } from '../../actions.ts'
import { actingCaller } from '../../audit/actors.ts'
import { type Actor, recordAudit } from '../../audit/audit.ts'
import type { Handle } from '../../database/database.ts'
import { accessDenied, unprocessable } from '../../errors.ts'
import { hasRole, type Role } from '../../roles.ts'

/** Why somebody may not change an account. */
export const REFUSALS = {
  notStaff: 'Only staff change the accounts of others.',
  oneself: 'You change your own account on the page Sessions and security.',
  otherCampus: 'This account belongs to no campus whose staff you are.',
  moreRights: 'This account has rights that yours has not.',
  notAdministrator: 'Only an administrator of the school may do this.',
} as const

type Refusal = keyof typeof REFUSALS

/**
 * Lets through whoever may change how somebody signs in, and what they may do (decisions §10): staff of one of their campuses
 * who have every right that they have, and administrators. Applications that act for nobody, and commands, are let through.
 * To be asked before a change, and after one that gives rights. Throws 403.
 */
export async function requirePower(handle: Handle, { userId }: Actor, subjectId: number): Promise<void> {
  const refusal = userId === null ? undefined : await refusalOfPower(handle, userId, subjectId)
  if (refusal) throw accessDenied(REFUSALS[refusal])
}

/** Lets administrators of the school through, and who acts for nobody. Throws 403. */
export async function requireAdministrator(handle: Handle, { userId }: Actor): Promise<void> {
  if (userId === null) return
  const [standing] = await standingsOf(handle, [userId])
  if (!standing?.is_administrator) throw accessDenied(REFUSALS.notAdministrator)
}

/** Why somebody may not change an account; undefined when they may. */
export async function refusalOfPower(handle: Handle, actorId: number, subjectId: number): Promise<Refusal | undefined> {
  if (actorId === subjectId) return 'oneself'
  const standings = await standingsOf(handle, [actorId, subjectId])
  const [actor, subject] = [actorId, subjectId].map((id) => standings.find((one) => one.id === id))
  if (!actor?.is_staff) return 'notStaff'
  if (actor.is_administrator || !subject) return undefined
  if (!subject.campus_ids.some((id) => actor.campus_ids.includes(id))) return 'otherCampus'
  return hasRightsOf(actor, subject) ? undefined : 'moreRights'
}

/** Whether somebody is an administrator of the school. */
export async function isAdministrator(handle: Handle, userId: number): Promise<boolean> {
  const [standing] = await standingsOf(handle, [userId])
  return standing?.is_administrator === true
}

/** An `authorize` for records whose `user_id` says whose rights they are. */
export const authorizeByUser =
  (table: 'campus_users' | 'roles_users') =>
  async (tx: Handle, { id, values, caller }: Pick<ActionInput, 'id' | 'values' | 'caller'>): Promise<void> => {
    const actor = actingCaller(caller)
    if (actor.userId === null) return
    const present = await tx.kysely.selectFrom(table).select('user_id').where('id', '=', id).executeTakeFirst()
    const subjects = [present?.user_id, values.user_id].filter((userId) => typeof userId === 'number')
    for (const subject of new Set(subjects)) await requirePower(tx, actor, subject)
  }

type Naming = { readonly userId: number; readonly actor: Actor; readonly now: Date }

/** Makes somebody of the staff an administrator of the school. Throws 422. */
export async function makeAdministrator(tx: Handle, { userId, actor, now }: Naming): Promise<void> {
  const [standing] = await standingsOf(tx, [userId])
  if (!standing?.is_staff) throw unprocessable({ base: ['Only staff can be administrators: their kind is admin.'] })
  const { numInsertedOrUpdatedRows } = await tx.kysely
    .insertInto('administrators')
    .values({ user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) await recordAudit(tx, now, { kind: 'administrator_added', actor, subjectId: userId })
}

/** Makes somebody no administrator any more. */
export async function removeAdministrator(tx: Handle, { userId, actor, now }: Naming): Promise<void> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('administrators')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows) await recordAudit(tx, now, { kind: 'administrator_removed', actor, subjectId: userId })
}

type Standing = InferResult<ReturnType<typeof standings>>[number]

const standingsOf = (handle: Handle, ids: readonly number[]): Promise<Standing[]> => standings(handle, ids).execute()

/** In a school of one campus all staff are its administrators. */
const standings = ({ kysely }: Handle, ids: readonly number[]) =>
  kysely
    .selectFrom('users')
    .select('id')
    .select([
      sql<boolean>`kind = 'admin'`.as('is_staff'),
      sql<boolean>`kind = 'admin' and (exists (select from administrators where user_id = users.id)
        or not exists (select from campus offset 1))`.as('is_administrator'),
      sql<number[]>`array(select campus_id from campus_users where user_id = users.id)`.as('campus_ids'),
      sql<
        string[]
      >`array(select name from roles_users m join roles on roles.id = m.role_id where user_id = users.id)`.as('roles'),
      sql<string[]>`array(select roles.name from applications a join application_roles m on m.application_id = a.id
        join roles on roles.id = m.role_id where a.owner_id = users.id)`.as('application_roles'),
    ])
    .where('id', 'in', [...ids])

/** Who signs in as somebody also has the roles of their applications; roles of people count among staff. */
function hasRightsOf(actor: Standing, subject: Standing): boolean {
  if (subject.is_administrator || !hasRoles(actor.application_roles, subject.application_roles)) return false
  if (!subject.is_staff) return true
  return hasRoles(actor.roles, subject.roles) && subject.campus_ids.every((id) => actor.campus_ids.includes(id))
}

const hasRoles = (roles: readonly string[], wanted: readonly string[]) =>
  wanted.every((role) => hasRole({ application: { roles } }, role as Role))
