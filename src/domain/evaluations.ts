import { type Selectable, sql } from 'kysely'
import type { Handle } from '../database/database.ts'
import type { ProjectTables } from '../database/schema-projects.ts'
import { accessDenied, unprocessable } from '../errors.ts'
import type { WriteInput } from '../rest/resource.ts'
import { checkBooking, primaryScale } from './bookings.ts'
import { fillingOf } from './fillings.ts'
import { lockTeam, markTeam } from './team-marks.ts'
import { membersOf } from './team-members.ts'

export type Evaluation = Selectable<ProjectTables['scale_teams']>

const OK = 1

/** Books an evaluation, or enters one that has taken place (POST /v2/scale_teams). */
export async function bookEvaluation(tx: Handle, input: WriteInput): Promise<number> {
  const { caller, ownOnly, now } = input
  const asked = { ...input.values }
  const team = await lockTeam(tx, asked.team_id as number)
  const members = await membersOf(tx, team.id)
  const isMember = members.some(({ user_id }) => user_id === caller.resourceOwnerId)
  if (ownOnly && !isMember) asked.user_id ??= caller.resourceOwnerId
  const blank: Evaluation = {
    ...({ id: 0, team_id: team.id, user_id: null, begin_at: null, comment: null, feedback: null } as const),
    ...({ feedback_rating: null, final_mark: null, flag_id: OK, truant_id: null, filled_at: null } as const),
    scale_id: (asked.scale_id as number | null) ?? (await primaryScale(tx, team)),
    created_at: now,
    updated_at: now,
  }
  if (ownOnly) refuseOthersPart(blank, { ...input, values: asked }, asked.user_id === caller.resourceOwnerId, isMember)
  const evaluation = await fillingOf(tx, blank, { ...input, values: asked }, members)
  await checkBooking(tx, team, members, evaluation)
  const { id: _, ...columns } = evaluation
  const { id } = await tx.kysely.insertInto('scale_teams').values(columns).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Moves an evaluation, fills it, or speaks about it (PATCH /v2/scale_teams/:id). */
export async function changeEvaluation(tx: Handle, input: WriteInput): Promise<number> {
  const { id, values, caller, ownOnly, now } = input
  const before = await findEvaluation(tx, id)
  const isMoved = ['team_id', 'scale_id', 'user_id', 'begin_at'].some((name) => values[name] !== undefined)
  const oldTeam = await lockTeam(tx, before.team_id)
  const team = values.team_id === undefined ? oldTeam : await lockTeam(tx, values.team_id as number)
  const members = await membersOf(tx, team.id)
  if (ownOnly) {
    const isMember = members.some(({ user_id }) => user_id === caller.resourceOwnerId)
    refuseOthersPart(before, input, before.user_id === caller.resourceOwnerId, isMember)
  }
  const evaluation = await fillingOf(tx, before, input, members)
  if (isMoved) await checkBooking(tx, team, members, evaluation)
  const { id: _, created_at: __, ...columns } = evaluation
  await tx.kysely
    .updateTable('scale_teams')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
  if (before.filled_at !== null && team.id !== oldTeam.id) await markTeam(tx, oldTeam.id, now)
  return id
}

/** Checks the answers that came along, and lets the team have its mark. */
export async function settleEvaluation(tx: Handle, { id, now }: WriteInput): Promise<number> {
  const strays = await sql<{ question_id: number }>`
    select a.question_id from answers a join scale_teams t on t.id = a.scale_team_id
    join questions q on q.id = a.question_id join sections s on s.id = q.section_id
    where t.id = ${id} and s.scale_id <> t.scale_id`.execute(tx.kysely)
  if (strays.rows.length > 0) {
    throw unprocessable({ answers_attributes: [`question ${strays.rows[0]?.question_id} is not one of the scale's`] })
  }
  const evaluation = await findEvaluation(tx, id)
  if (evaluation.filled_at !== null) await markTeam(tx, evaluation.team_id, now)
  return id
}

/** Takes an evaluation back. That of one that was filled takes its part of the team's mark with it. */
export async function destroyEvaluation(tx: Handle, { id, ownOnly, now }: WriteInput): Promise<number> {
  const evaluation = await findEvaluation(tx, id)
  if (ownOnly && evaluation.filled_at !== null) throw unprocessable({ base: ['a filled evaluation stays'] })
  await lockTeam(tx, evaluation.team_id)
  await tx.kysely.deleteFrom('scale_teams').where('id', '=', id).execute()
  if (evaluation.filled_at !== null) await markTeam(tx, evaluation.team_id, now)
  return id
}

async function findEvaluation(tx: Handle, id: number): Promise<Evaluation> {
  return tx.kysely
    .selectFrom('scale_teams')
    .select([
      ...(['id', 'scale_id', 'team_id', 'user_id', 'begin_at', 'comment', 'feedback', 'feedback_rating'] as const),
      ...(['final_mark', 'flag_id', 'truant_id', 'filled_at', 'created_at', 'updated_at'] as const),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

const BOOKING = ['team_id', 'scale_id', 'user_id', 'begin_at']
const CORRECTORS_PART = ['comment', 'flag_id', 'final_mark', 'truant_id', 'answers_attributes']
const CORRECTEDS_PART = ['feedback', 'feedback_rating']

/** Correctors fill an evaluation once, the corrected say what they think of it, and both may move one that is to come. */
function refuseOthersPart(
  before: Evaluation,
  { values, along }: WriteInput,
  isCorrector: boolean,
  isCorrected: boolean,
): void {
  const written = [...Object.keys(values), ...along]
  const denied = (names: string[], who: string) =>
    accessDenied(`You are not authorized to access this page. ${names.join(', ')} can be written by ${who} only.`)
  if (!isCorrector && !isCorrected) throw denied(written, 'the corrector and the corrected')
  // The corrected may say that the corrector did not come.
  const reportsAbsence = isCorrected && values.truant_id != null && values.truant_id === before.user_id
  const correctors = written.filter(
    (name) => CORRECTORS_PART.includes(name) && !(reportsAbsence && name === 'truant_id'),
  )
  if (!isCorrector && correctors.length > 0) throw denied(correctors, 'the corrector')
  const correcteds = written.filter((name) => CORRECTEDS_PART.includes(name))
  if (!isCorrected && correcteds.length > 0) throw denied(correcteds, 'the corrected')
  if (before.id !== 0 && written.includes('team_id')) throw unprocessable({ team_id: ['cannot be changed'] })
  const isClosed = before.filled_at !== null && written.some((name) => [...BOOKING, ...CORRECTORS_PART].includes(name))
  if (isClosed) throw unprocessable({ base: ['the evaluation has been filled already'] })
}
