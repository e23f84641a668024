import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { accessDenied, notFound, unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { HAS_NO_FACTOR } from './factors.ts'
import { DENIALS, powerOverCampuses, requireAdministrator } from './powers.ts'

/** A campus or role that can require a second factor. */
export type Group = { readonly of: 'campus' | 'role'; readonly id: number }

export type Requirement = Group & {
  readonly name: string
  readonly isRequired: boolean
  /** Number of its people with an open account and no second factor. */
  readonly without: number
}

/** SQL condition: a campus or role requires a second factor of the user. */
const IS_BOUND = sql<boolean>`exists (select from second_factor_requirements q
  where q.campus_id in (select m.campus_id from campus_users m where m.user_id = users.id)
    or q.role_id in (select m.role_id from roles_users m where m.user_id = users.id))`

/** SQL condition: the user must set up a second factor first. */
export const MUST_ENROL = sql<boolean>`(${IS_BOUND} and ${HAS_NO_FACTOR})`

export async function mustEnrol({ kysely }: Handle, userId: number): Promise<boolean> {
  const row = await kysely.selectFrom('users').select(MUST_ENROL.as('must')).where('id', '=', userId).executeTakeFirst()
  return row?.must === true
}

/** Returns the names of the campuses and roles that require a second factor of a user. */
export async function requiredBy(handle: Handle, userId: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select coalesce(c.name, r.name) as name from second_factor_requirements q
    left join campus c on c.id = q.campus_id left join roles r on r.id = q.role_id
    where q.campus_id in (select campus_id from campus_users where user_id = ${userId})
      or q.role_id in (select role_id from roles_users where user_id = ${userId})
    order by q.id`.execute(handle.kysely)
  return rows.map(({ name }) => name)
}

/** Throws 422, with the names of those who require it, if the user must have a second factor. */
export async function checkNoneRequired(tx: Handle, userId: number): Promise<void> {
  const names = await requiredBy(tx, userId)
  if (names.length === 0) return
  throw unprocessable({
    base: [
      message('{names} requires a second factor of you, and this is the last one. Set up another one first.', {
        names: names.join(', '),
      }),
    ],
  })
}

/** Returns all campuses, then all roles, by name. */
export async function requirements({ kysely }: Pick<Handle, 'kysely'>): Promise<readonly Requirement[]> {
  const { rows } = await sql<Requirement>`
    with lacking as (select users.id from users where users.closed_at is null and ${HAS_NO_FACTOR}),
    members as (
      select 'campus' as of, m.campus_id as id, count(distinct m.user_id)::int as without
      from campus_users m join lacking on lacking.id = m.user_id group by m.campus_id
      union all
      select 'role', m.role_id, count(distinct m.user_id)::int
      from roles_users m join lacking on lacking.id = m.user_id group by m.role_id)
    select one.*, coalesce(members.without, 0) as without from (
      select 'campus' as of, c.id, c.name, q.id is not null as "isRequired"
      from campus c left join second_factor_requirements q on q.campus_id = c.id
      union all
      select 'role', r.id, r.name, q.id is not null
      from roles r left join second_factor_requirements q on q.role_id = r.id) one
    left join members on members.of = one.of and members.id = one.id
    order by one.of, one.name, one.id`.execute(kysely)
  return rows
}

type Setting = { readonly group: Group; readonly isRequired: boolean; readonly actor: Actor; readonly now: Date }

/**
 * Sets whether a campus or role requires a second factor. People without one can only set one up until they have. Staff decide
 * for their campuses, administrators also for roles. Throws 403 and 404.
 */
export async function requireSecondFactor(tx: Handle, { group, isRequired, actor, now }: Setting): Promise<void> {
  await requirePowerOver(tx, actor, group)
  const table = group.of === 'campus' ? 'campus' : 'roles'
  const column = group.of === 'campus' ? 'campus_id' : 'role_id'
  const found = await tx.kysely.selectFrom(table).select('name').where('id', '=', group.id).executeTakeFirst()
  if (!found) throw notFound(group.of === 'campus' ? 'There is no such campus.' : 'There is no such role.')
  const changed = isRequired
    ? await tx.kysely
        .insertInto('second_factor_requirements')
        .values({ [column]: group.id, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .execute()
    : await tx.kysely.deleteFrom('second_factor_requirements').where(column, '=', group.id).returning('id').execute()
  if (changed.length === 0) return
  const kind = isRequired ? 'second_factor_required' : 'second_factor_not_required'
  await recordAudit(tx, now, { kind, actor, subjectId: null, details: { [group.of]: found.name } })
}

/** Requires that an actor may decide for a campus or role. Throws 403. */
export async function requirePowerOver(tx: Handle, actor: Actor, { of, id }: Group): Promise<void> {
  if (of === 'role') return requireAdministrator(tx, actor)
  if (actor.userId !== null && !(await powerOverCampuses(tx, actor.userId))(id)) throw accessDenied(DENIALS.campus)
}
