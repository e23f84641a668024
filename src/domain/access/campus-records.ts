import { sql } from 'kysely'
import type { Handle } from '../../database/database.ts'
import { accessDenied } from '../../errors.ts'
import { DENIALS, isAdministrator, powerOverCampuses } from './powers.ts'

type Named = { readonly table: string; readonly id: number }

/** Tables that link records to campuses, by the table of the records and the column that names them. */
const LINKS: Readonly<Record<string, readonly [table: string, column: string]>> = {
  achievements: ['achievements_campus', 'achievement_id'],
  announcements: ['announcements_campus', 'announcement_id'],
  events: ['events_campus', 'event_id'],
  offers: ['offers_campus', 'offer_id'],
  products: ['campus_products', 'product_id'],
}

/** Records that register people of any campus for something that belongs to a campus. */
const REGISTRATIONS: Readonly<Record<string, readonly [table: string, column: string]>> = {
  events_users: ['events', 'event_id'],
  exams_users: ['exams', 'exam_id'],
  waitlists: ['events', 'event_id'],
}

/** Tables whose records the whole school shares: a moderator answers for every campus. */
const SCHOOL_WIDE: readonly string[] = ['topics', 'messages', 'votes']

/**
 * Checks that a member of the staff may write a record on the pages of staff: each campus that the record belongs to is
 * one of theirs, and its user belongs to one of theirs. Administrators may write every record. Throws 403.
 */
export async function requirePowerOverRecord(handle: Handle, staffId: number, { table, id }: Named): Promise<void> {
  if (SCHOOL_WIDE.includes(table) || (await isAdministrator(handle, staffId))) return
  const isStaffOf = await powerOverCampuses(handle, staffId)
  const row = await rowOf(handle, { table, id })
  if (!row) return
  const campuses = await campusesOf(handle, { table, id }, row)
  if (!campuses.every(isStaffOf)) throw accessDenied(DENIALS.campus)
  const userId = table === 'users' ? id : row.user_id
  if (typeof userId !== 'number' || userId === staffId) return
  const { rows } = await sql<{
    campus_id: number
  }>`select campus_id from campus_users where user_id = ${userId}`.execute(handle.kysely)
  if (!rows.some(({ campus_id }) => isStaffOf(campus_id))) throw accessDenied(DENIALS.otherCampus)
}

type Row = Readonly<Record<string, unknown>>

async function rowOf({ kysely }: Handle, { table, id }: Named): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where id = ${id}`.execute(kysely)
  return rows[0]
}

async function campusesOf(handle: Handle, { table, id }: Named, row: Row): Promise<readonly number[]> {
  const own = typeof row.campus_id === 'number' ? [row.campus_id] : []
  const [holder, key] = REGISTRATIONS[table] ?? []
  const held = key === undefined ? undefined : row[key]
  if (holder !== undefined && typeof held === 'number') {
    const found = await rowOf(handle, { table: holder, id: held })
    return found ? campusesOf(handle, { table: holder, id: held }, found) : own
  }
  const link = LINKS[table]
  if (!link) return own
  const [through, column] = link
  const { rows } = await sql<{ campus_id: number }>`
    select campus_id from ${sql.table(through)} where ${sql.ref(column)} = ${id}`.execute(handle.kysely)
  return [...own, ...rows.map(({ campus_id }) => campus_id)]
}
