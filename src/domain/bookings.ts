import { sql } from 'kysely'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import { Faults } from '../faults.ts'
import type { Evaluation } from './evaluations.ts'
import { neededEvaluations, type Team } from './team-marks.ts'

type Members = readonly { readonly user_id: number }[]

/** The scale that evaluations of a team use when none is named. Throws 422 when its session has none. */
export async function primaryScale(tx: Handle, team: Team): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select s.id from scales s join evaluations e on e.id = s.evaluation_id
    where e.project_session_id = ${team.project_session_id} order by s.is_primary desc, s.id limit 1`.execute(tx.kysely)
  const scale = rows[0]
  if (!scale) throw unprocessable({ scale_id: ["can't be blank: the session of the team has no scale"] })
  return scale.id
}

/** Holds a booking against the rules. Throws a 422 that names every fault. The team is locked already. */
export async function checkBooking(tx: Handle, team: Team, members: Members, evaluation: Evaluation): Promise<void> {
  const faults = new Faults()
  if (team.closed_at === null) faults.add('team_id', 'must be closed first')
  else if (team.status === 'finished') faults.add('team_id', 'is finished')
  else if (!(await hasSlot(tx, team, evaluation))) faults.add('team_id', 'has all its evaluations already')
  const duration = await durationOf(tx, team, evaluation.scale_id)
  if (duration === undefined) faults.add('scale_id', 'does not belong to the project session of the team')
  if (members.some(({ user_id }) => user_id === evaluation.user_id)) {
    faults.add('user_id', 'must not be a member of the team')
  } else if (await isBusy(tx, evaluation, duration ?? 0)) {
    faults.add('user_id', 'has another evaluation at that time')
  }
  faults.throwIfAny()
}

/** One whose corrector did not come leaves its slot to another. */
async function hasSlot(tx: Handle, team: Team, { id, user_id, truant_id }: Evaluation): Promise<boolean> {
  if (truant_id !== null && truant_id === user_id) return true
  const { rows } = await sql<{ booked: number }>`
    select count(*)::int as booked from scale_teams
    where team_id = ${team.id} and id <> ${id} and (truant_id is null or truant_id is distinct from user_id)`.execute(
    tx.kysely,
  )
  return (rows[0]?.booked ?? 0) < (await neededEvaluations(tx, team.project_session_id))
}

/** In seconds; undefined for a scale of another session. */
async function durationOf(tx: Handle, team: Team, scaleId: number): Promise<number | undefined> {
  const { rows } = await sql<{ duration: number }>`
    select s.duration from scales s join evaluations e on e.id = s.evaluation_id
    where s.id = ${scaleId} and e.project_session_id = ${team.project_session_id}`.execute(tx.kysely)
  return rows[0]?.duration
}

/** The corrector is locked: of two bookings that are made at once, the second sees the first. */
async function isBusy(
  tx: Handle,
  { id, user_id, begin_at, filled_at }: Evaluation,
  duration: number,
): Promise<boolean> {
  if (user_id === null || begin_at === null || filled_at !== null) return false
  await sql`select id from users where id = ${user_id} for no key update`.execute(tx.kysely)
  const { rows } = await sql`
    select 1 from scale_teams t join scales s on s.id = t.scale_id
    where t.user_id = ${user_id} and t.id <> ${id} and t.filled_at is null
      and t.begin_at < ${begin_at}::timestamptz + make_interval(secs => ${duration})
      and t.begin_at + make_interval(secs => s.duration) > ${begin_at}::timestamptz
    limit 1`.execute(tx.kysely)
  return rows.length > 0
}
