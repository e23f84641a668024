import type { Handle } from '@campus/engine/database/database'
import { accessDenied } from '@campus/engine/errors'
import { sql } from 'kysely'
import { DENIALS, isAdministrator, powerOverCampuses } from './powers.ts'

type Named = { readonly table: string; readonly id: number }

/** Join tables between records and campuses, by the table of the records, with the column that references the record. */
const LINKS: Readonly<Record<string, readonly [table: string, column: string]>> = {
  achievements: ['achievements_campus', 'achievement_id'],
  announcements: ['announcements_campus', 'announcement_id'],
  events: ['events_campus', 'event_id'],
  offers: ['offers_campus', 'offer_id'],
  products: ['campus_products', 'product_id'],
}

/**
 * Parent tables of each table, with the columns that reference them. A record also belongs to the campuses and people of its
 * parents.
 */
export const PARENTS: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  answers: [['scale_teams', 'scale_team_id']],
  attachments: [['project_sessions', 'project_session_id']],
  balances: [['pools', 'pool_id']],
  bloc_deadlines: [
    ['blocs', 'bloc_id'],
    ['coalitions', 'coalition_id'],
  ],
  coalitions: [['blocs', 'bloc_id']],
  community_services: [['closes', 'close_id']],
  cursus_users_skills: [['cursus_users', 'cursus_user_id']],
  evaluations: [['project_sessions', 'project_session_id']],
  events_users: [['events', 'event_id']],
  exams_users: [['exams', 'exam_id']],
  feedback_details: [['feedbacks', 'feedback_id']],
  project_data: [['project_sessions', 'project_session_id']],
  project_sessions_rules: [['project_sessions', 'project_session_id']],
  project_sessions_skills: [['project_sessions', 'project_session_id']],
  scale_teams: [['teams', 'team_id']],
  scales: [['evaluations', 'evaluation_id']],
  scores: [
    ['coalitions', 'coalition_id'],
    ['coalitions_users', 'coalitions_user_id'],
  ],
  squads: [['blocs', 'bloc_id']],
  teams: [['project_sessions', 'project_session_id']],
  teams_uploads: [['teams', 'team_id']],
  teams_users: [['teams', 'team_id']],
  waitlists: [
    ['events', 'event_id'],
    ['exams', 'exam_id'],
  ],
}

/** Tables whose records belong to the whole school. Moderators moderate them for every campus. */
const SCHOOL_WIDE: readonly string[] = ['topics', 'messages', 'votes']

/**
 * Requires that a staff member may write a record on staff pages: as staff of all campuses of the record, and of a campus of
 * each of its people. Administrators may write every record. Throws 403.
 */
export async function requirePowerOverRecord(handle: Handle, staffId: number, named: Named): Promise<void> {
  if (SCHOOL_WIDE.includes(named.table) || (await isAdministrator(handle, staffId))) return
  await check(handle, named, { staffId, isStaffOf: await powerOverCampuses(handle, staffId) })
}

type Staff = { readonly staffId: number; readonly isStaffOf: (campusId: number) => boolean }

async function check(handle: Handle, named: Named, staff: Staff): Promise<void> {
  const row = await rowOf(handle, named)
  if (!row) return
  const campuses = await campusesOf(handle, named, row)
  if (!campuses.every(staff.isStaffOf)) throw accessDenied(DENIALS.campus)
  const people = (await peopleOf(handle, named, row)).filter((id) => id !== staff.staffId)
  for (const userId of people) {
    const { rows } = await sql<{
      campus_id: number
    }>`select campus_id from campus_users where user_id = ${userId}`.execute(handle.kysely)
    if (!rows.some(({ campus_id }) => staff.isStaffOf(campus_id))) throw accessDenied(DENIALS.otherCampus)
  }
  for (const [table, column] of PARENTS[named.table] ?? []) {
    const id = row[column]
    if (typeof id === 'number') await check(handle, { table, id }, staff)
  }
}

type Row = Readonly<Record<string, unknown>>

async function rowOf({ kysely }: Handle, { table, id }: Named): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where id = ${id}`.execute(kysely)
  return rows[0]
}

async function campusesOf(handle: Handle, { table, id }: Named, row: Row): Promise<readonly number[]> {
  const own = typeof row.campus_id === 'number' ? [row.campus_id] : []
  const link = LINKS[table]
  if (!link) return own
  const [through, column] = link
  const { rows } = await sql<{ campus_id: number }>`
    select campus_id from ${sql.table(through)} where ${sql.ref(column)} = ${id}`.execute(handle.kysely)
  return [...own, ...rows.map(({ campus_id }) => campus_id)]
}

async function peopleOf({ kysely }: Handle, { table, id }: Named, row: Row): Promise<readonly number[]> {
  if (table === 'users') return [id]
  if (table !== 'teams') return [row.user_id, row.user_data_id].filter((one) => typeof one === 'number')
  const members = await kysely.selectFrom('teams_users').select('user_id').where('team_id', '=', id).execute()
  return members.map(({ user_id }) => user_id)
}
