import type { ActionInput } from '@campus/engine/actions'
import { isOneOf } from '@campus/engine/base/narrow'
import type { Handle } from '@campus/engine/database/database'
import { accessDenied, unprocessable } from '@campus/engine/errors'
import { type InferResult, sql } from 'kysely'
import { actingCaller } from '../services/audit/actors.ts'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { hasPowerOverEndpointSql, isAdministratorSql } from '../webhooks/power-over-endpoint.ts'
import { hasRole, ROLES } from './roles.ts'

/** Reasons why a user may not change an account. */
export const DENIALS = {
  notStaff: 'Only staff change the accounts of others.',
  oneself: 'You change your own account on the page Sessions and security.',
  otherCampus: 'This account belongs to no campus whose staff you are.',
  moreRights: 'This account has rights that yours has not.',
  campus: 'You are not staff of this campus.',
  noCampus: 'Choose a campus where you are staff.',
  webservice: 'This webservice belongs to a campus whose staff you are not.',
  notAdministrator: 'Only an administrator of the school may do this.',
} as const

type DenialReason = keyof typeof DENIALS

/**
 * Requires the power to change how a user signs in and what they may do (spec: access 17). Administrators have it, and staff
 * of one of the user's campuses who have every right of the user. Applications without a user and commands have it, too. Must
 * be called before a change, and also after one that grants rights. Throws 403.
 */
export async function requirePower(handle: Handle, { userId }: Actor, subjectId: number): Promise<void> {
  const refusal = userId === null ? undefined : await denialOf(handle, userId, subjectId)
  if (refusal) throw accessDenied(DENIALS[refusal])
}

/** Requires an administrator, or an actor without a user. Throws 403. */
export async function requireAdministrator(handle: Handle, { userId }: Actor): Promise<void> {
  if (userId === null) return
  const [rights] = await rightsOf(handle, [userId])
  if (!rights?.is_administrator) throw accessDenied(DENIALS.notAdministrator)
}

/** Returns why a user may not change an account, or undefined. */
export async function denialOf(handle: Handle, actorId: number, subjectId: number): Promise<DenialReason | undefined> {
  if (actorId === subjectId) return 'oneself'
  const rightsQuery = await rightsOf(handle, [actorId, subjectId])
  const [actor, subject] = [actorId, subjectId].map((id) => rightsQuery.find((one) => one.id === id))
  if (!actor?.is_staff) return 'notStaff'
  if (actor.is_administrator || !subject) return undefined
  if (!subject.campus_ids.some((id) => actor.campus_ids.includes(id))) return 'otherCampus'
  return hasRightsOf(actor, subject) ? undefined : 'moreRights'
}

export async function isAdministrator(handle: Handle, userId: number): Promise<boolean> {
  const [rights] = await rightsOf(handle, [userId])
  return rights?.is_administrator === true
}

/** Returns the roles by which staff call the API on staff pages. Administrators have every role. */
export async function rolesOfStaff(handle: Handle, userId: number): Promise<readonly string[]> {
  const [rights] = await rightsOf(handle, [userId])
  if (!rights?.is_staff) return []
  return rights.is_administrator ? ROLES : rights.roles
}

/** An `authorize` for roles, which change the rights of their user. */
export async function authorizeRole(tx: Handle, { id, values, caller }: Authorizing): Promise<void> {
  const actor = actingCaller(caller)
  if (actor.userId === null) return
  const present = await tx.kysely.selectFrom('roles_users').select('user_id').where('id', '=', id).executeTakeFirst()
  for (const subject of numbersIn(present?.user_id, values.user_id)) await requirePower(tx, actor, subject)
}

/** An `authorize` for memberships. It requires power over the user, and over the old and the new campus. */
export async function authorizeMembership(tx: Handle, { id, values, caller }: Authorizing): Promise<void> {
  const actor = actingCaller(caller)
  if (actor.userId === null) return
  const present = await tx.kysely
    .selectFrom('campus_users')
    .select(['user_id', 'campus_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  for (const subject of numbersIn(present?.user_id, values.user_id)) await requirePower(tx, actor, subject)
  for (const campusId of numbersIn(present?.campus_id, values.campus_id))
    await requirePowerOverCampus(tx, actor, campusId)
}

const numbersIn = (...values: readonly unknown[]): ReadonlySet<number> =>
  new Set(values.filter((value) => typeof value === 'number'))

/**
 * Requires the power to change an endpoint, replay its deliveries and see their content (spec: access 18). Administrators have
 * it, and staff of all its campuses, since it receives the passwords of their users. An endpoint without a campus and
 * deliveries belongs to all staff. Applications without a user and commands have it, too. Throws 403.
 */
export async function requirePowerOverEndpoint(handle: Handle, { userId }: Actor, endpointId: number): Promise<void> {
  if (userId !== null && !(await hasPowerOverEndpoint(handle, userId, endpointId)))
    throw accessDenied(DENIALS.webservice)
}

export async function hasPowerOverEndpoint({ kysely }: Handle, userId: number, endpointId: number): Promise<boolean> {
  const hasPower = sql.raw<boolean>(hasPowerOverEndpointSql.write({ alias: 'pair' }))
  const { rows } = await sql<{ hasPower: boolean }>`
    select ${hasPower} as "hasPower" from (values (${userId}::int, ${endpointId}::int)) pair (person, endpoint)`.execute(
    kysely,
  )
  return rows[0]?.hasPower === true
}

/** The campuses whose webservice a user may choose: those whose staff they are; all for administrators. */
export async function powerOverCampuses(handle: Handle, userId: number): Promise<(campusId: number) => boolean> {
  const [rights] = await rightsOf(handle, [userId])
  return (id) => rights?.is_administrator || (rights?.is_staff && rights.campus_ids.includes(id)) || false
}

/** Checks that a user is staff of a campus; administrators are staff of all. Null needs an administrator. Throws 403. */
export async function requirePowerOverCampus(
  handle: Handle,
  { userId }: Actor,
  campusId: number | null,
): Promise<void> {
  if (userId === null) return
  const [rights] = await rightsOf(handle, [userId])
  if (rights?.is_administrator || (campusId !== null && rights?.is_staff && rights.campus_ids.includes(campusId)))
    return
  throw accessDenied(campusId === null ? DENIALS.noCampus : DENIALS.campus)
}

type Authorizing = Pick<ActionInput, 'id' | 'values' | 'caller'>

export const authorizeEndpoint = (tx: Handle, { id, caller }: Authorizing): Promise<void> =>
  requirePowerOverEndpoint(tx, actingCaller(caller), id)

/** An `authorize` for deliveries: that of their endpoint. */
export async function authorizeDelivery(tx: Handle, { id, caller }: Authorizing): Promise<void> {
  const found = await tx.kysely.selectFrom('deliveries').select('endpoint_id').where('id', '=', id).executeTakeFirst()
  if (found) await requirePowerOverEndpoint(tx, actingCaller(caller), found.endpoint_id)
}

/** An `authorize` for campuses: another endpoint would get the passwords of their people. */
export async function authorizeCampus(tx: Handle, { id, values, caller }: Authorizing): Promise<void> {
  const actor = actingCaller(caller)
  const { endpoint_id: chosen } = values
  if (actor.userId === null || chosen === undefined) return
  const present = await tx.kysely.selectFrom('campus').select('endpoint_id').where('id', '=', id).executeTakeFirst()
  if ((present?.endpoint_id ?? null) === chosen) return
  if (!(await powerOverCampuses(tx, actor.userId))(id)) throw accessDenied(DENIALS.campus)
  if (typeof chosen === 'number') await requirePowerOverEndpoint(tx, actor, chosen)
}

export async function isNamedAdministrator({ kysely }: Handle, userId: number): Promise<boolean> {
  const named = kysely.selectFrom('administrators').select('user_id').where('user_id', '=', userId)
  return (await named.executeTakeFirst()) !== undefined
}

type Naming = { readonly userId: number; readonly actor: Actor; readonly now: Date }

/** Throws 422 unless the user is staff. */
export async function makeAdministrator(tx: Handle, { userId, actor, now }: Naming): Promise<void> {
  const [rights] = await rightsOf(tx, [userId])
  if (!rights?.is_staff) throw unprocessable({ base: ['Only staff can be administrators: their kind is admin.'] })
  const { numInsertedOrUpdatedRows } = await tx.kysely
    .insertInto('administrators')
    .values({ user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) await recordAudit(tx, now, { kind: 'administrator_added', actor, subjectId: userId })
}

export async function removeAdministrator(tx: Handle, { userId, actor, now }: Naming): Promise<void> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('administrators')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows) await recordAudit(tx, now, { kind: 'administrator_removed', actor, subjectId: userId })
}

type AccountRights = InferResult<ReturnType<typeof rightsQuery>>[number]

const rightsOf = (handle: Handle, ids: readonly number[]): Promise<AccountRights[]> =>
  rightsQuery(handle, ids).execute()

const rightsQuery = ({ kysely }: Handle, ids: readonly number[]) =>
  kysely
    .selectFrom('users')
    .select('id')
    .select([
      sql<boolean>`kind = 'admin'`.as('is_staff'),
      sql<boolean>`kind = 'admin' and ${sql.raw(isAdministratorSql.write({ alias: 'users' }))}`.as('is_administrator'),
      sql<number[]>`array(select campus_id from campus_users where user_id = users.id)`.as('campus_ids'),
      sql<
        string[]
      >`array(select name from roles_users m join roles on roles.id = m.role_id where user_id = users.id)`.as('roles'),
      sql<string[]>`array(select roles.name from applications a join application_roles m on m.application_id = a.id
        join roles on roles.id = m.role_id where a.owner_id = users.id)`.as('application_roles'),
    ])
    .where('id', 'in', [...ids])

/** Signing in as a user also gives the roles of their applications. Roles of users count only among staff. */
function hasRightsOf(actor: AccountRights, subject: AccountRights): boolean {
  if (subject.is_administrator || !hasRoles(actor.application_roles, subject.application_roles)) return false
  if (!subject.is_staff) return true
  return hasRoles(actor.roles, subject.roles) && subject.campus_ids.every((id) => actor.campus_ids.includes(id))
}

const hasRoles = (roles: readonly string[], required: readonly string[]) =>
  required.every((role) => (isOneOf(ROLES, role) ? hasRole({ application: { roles } }, role) : roles.includes(role)))
