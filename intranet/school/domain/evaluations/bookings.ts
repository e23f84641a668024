import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { sql } from 'kysely'
import { neededEvaluations, type Team } from '../projects/team-marks.ts'
import {
  beginsBetween,
  findCorrector,
  freeSlots,
  isBusy,
  lockCorrector,
  type Sitting,
  takeSlots,
} from './availability.ts'
import type { Evaluation } from './evaluation.ts'

type Members = readonly { readonly user_id: number }[]

/** Returns the default scale of a team. Throws 422 if its session has no scale. */
export async function primaryScale(tx: Handle, team: Team): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select s.id from scales s join evaluations e on e.id = s.evaluation_id
    where e.project_session_id = ${team.project_session_id} order by s.is_primary desc, s.id limit 1`.execute(tx.kysely)
  const scale = rows[0]
  if (!scale) throw unprocessable({ scale_id: ["can't be blank: the session of the team has no scale"] })
  return scale.id
}

export type OpenTimes = { readonly begins: readonly Date[]; readonly durationSeconds: number }

/** Returns the start times that a team can choose from, and the duration of its default scale, if any. */
export async function openTimes(
  handle: Pick<Handle, 'kysely'>,
  teamId: number,
  span: { readonly from: Date; readonly until: Date },
  now: Date,
): Promise<OpenTimes> {
  const { rows } = await sql<{ projectId: number; duration: number }>`
    select t.project_id as "projectId", s.duration from teams t
    join evaluations e on e.project_session_id = t.project_session_id join scales s on s.evaluation_id = e.id
    where t.id = ${teamId} order by s.is_primary desc, s.id limit 1`.execute(handle.kysely)
  const [scale] = rows
  if (!scale) return { begins: [], durationSeconds: 0 }
  const { projectId, duration: durationSeconds } = scale
  return { begins: await beginsBetween(handle, { teamId, projectId, durationSeconds }, span, now), durationSeconds }
}

/**
 * Throws a 422 that names every error of a booking. The team must be locked. With `byOffer`, omits errors about the
 * corrector's time, which is hidden (`chooseCorrector`).
 */
export async function checkBooking(
  tx: Handle,
  team: Team,
  members: Members,
  evaluation: Evaluation,
  { byOffer }: { readonly byOffer: boolean },
): Promise<void> {
  const errors = new ValidationErrors()
  if (team.closed_at === null) errors.add('team_id', 'must be closed first')
  else if (team.status === 'finished') errors.add('team_id', 'is finished')
  else if (!(await hasRoom(tx, team, evaluation))) errors.add('team_id', 'has all its evaluations already')
  const duration = await durationOf(tx, team, evaluation.scale_id)
  if (duration === undefined) errors.add('scale_id', 'does not belong to the project session of the team')
  if (members.some(({ user_id }) => user_id === evaluation.user_id)) {
    errors.add('user_id', 'must not be a member of the team')
  } else if (!byOffer && (await correctorIsBusy(tx, evaluation, duration))) {
    errors.add('user_id', 'has another evaluation at that time')
  }
  errors.throwIfAny()
}

/**
 * Chooses a corrector who offers the time: the preferred one, else any. Refuses a named corrector with one message for
 * all reasons, so that it reveals nothing. Throws 422.
 */
export async function chooseCorrector(
  tx: Handle,
  team: Team,
  { begin_at: begin, scale_id, user_id: preferred }: Pick<Evaluation, 'begin_at' | 'scale_id' | 'user_id'>,
  now: Date,
): Promise<number> {
  if (begin === null) throw unprocessable({ begin_at: ["can't be blank"] })
  if (new Date(begin).getTime() <= now.getTime()) throw unprocessable({ begin_at: ['must lie ahead'] })
  const sitting = await sittingOf(tx, team, { begin_at: begin, scale_id })
  const corrector = sitting && (await findCorrector(tx, sitting, preferred, now))
  if (corrector !== undefined) return corrector
  throw unprocessable(
    preferred === null
      ? { begin_at: ['is no time at which somebody offers to evaluate the team: see /v2/projects/:project_id/slots'] }
      : { user_id: ['does not offer to evaluate the team at that time'] },
  )
}

/** Frees the slots of an evaluation, and takes the slots of its current corrector and time. */
export async function holdSlots(tx: Handle, team: Team, evaluation: Evaluation): Promise<void> {
  await freeSlots(tx, evaluation.id)
  const sitting = await sittingOf(tx, team, evaluation)
  if (evaluation.user_id !== null && sitting) await takeSlots(tx, evaluation.id, evaluation.user_id, sitting)
}

/** Does not count evaluations whose corrector was absent. */
async function hasRoom(tx: Handle, team: Team, { id, user_id, truant_id }: Evaluation): Promise<boolean> {
  if (truant_id !== null && truant_id === user_id) return true
  const { rows } = await sql<{ booked: number }>`
    select count(*)::int as booked from scale_teams
    where team_id = ${team.id} and id <> ${id} and (truant_id is null or truant_id is distinct from user_id)`.execute(
    tx.kysely,
  )
  return (rows[0]?.booked ?? 0) < (await neededEvaluations(tx, team.project_session_id))
}

/** Returns undefined if no time is set, or if the scale belongs to another project session. */
async function sittingOf(
  tx: Handle,
  team: Team,
  { scale_id, begin_at }: Pick<Evaluation, 'begin_at' | 'scale_id'>,
): Promise<Sitting | undefined> {
  const durationSeconds = await durationOf(tx, team, scale_id)
  if (durationSeconds === undefined || begin_at === null) return undefined
  return { teamId: team.id, projectId: team.project_id, beginAt: new Date(begin_at), durationSeconds }
}

/** Returns the duration in seconds, or undefined if the scale belongs to another project session. */
async function durationOf(tx: Handle, team: Team, scaleId: number): Promise<number | undefined> {
  const { rows } = await sql<{ duration: number }>`
    select s.duration from scales s join evaluations e on e.id = s.evaluation_id
    where s.id = ${scaleId} and e.project_session_id = ${team.project_session_id}`.execute(tx.kysely)
  return rows[0]?.duration
}

/** Locks the corrector, so that concurrent bookings see each other. */
async function correctorIsBusy(
  tx: Handle,
  { id, user_id, begin_at, filled_at }: Evaluation,
  durationSeconds = 0,
): Promise<boolean> {
  if (user_id === null || begin_at === null || filled_at !== null) return false
  await lockCorrector(tx, user_id)
  return isBusy(tx, user_id, { beginAt: new Date(begin_at), durationSeconds }, id)
}
