import { type ActionInput, chosenId, type Values } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { lockHolders } from '../points/balances.ts'
import { lockTeam, markTeam } from '../projects/team-marks.ts'
import { membersOf } from '../projects/team-members.ts'
import { insertRow, readRow, updateRow } from '../rows.ts'
import { lockCorrector } from './availability.ts'
import { checkBooking, chooseCorrector, holdSlots, primaryScale } from './bookings.ts'
import { requireNoFeedback } from './comments.ts'
import type { Evaluation } from './evaluation.ts'
import { lockConcerned, payForEvaluation } from './evaluation-points.ts'
import { gradingOf } from './grading.ts'
import { notifyParticipants } from './notify-participants.ts'
import { BOOKING, requireBookersPart, requireCancellable, requireParticipantsPart } from './participants.ts'

/** `gradingOf` reads the other values. */
type BookingValues = Values & { readonly team_id: number; readonly scale_id?: number | null }

const OK = 1
const COMMENTS = ['feedback', 'feedback_rating']

/** Books an evaluation, or adds one that has taken place (POST /v2/scale_teams). */
export async function bookEvaluation(tx: Handle, input: ActionInput<BookingValues>): Promise<number> {
  const { values, ownOnly, now } = input
  const team = await lockTeam(tx, values.team_id)
  const members = await membersOf(tx, team.id)
  if (ownOnly) requireBookersPart(input, members)
  const blank: Evaluation = {
    ...({ id: 0, team_id: team.id, user_id: null, begin_at: null, comment: null, feedback: null } as const),
    ...({ feedback_rating: null, final_mark: null, flag_id: OK, truant_id: null, filled_at: null } as const),
    scale_id: values.scale_id ?? (await primaryScale(tx, team)),
    created_at: now,
    updated_at: now,
  }
  const asked = await gradingOf(tx, blank, input, members)
  await checkBooking(tx, team, members, asked, { byOffer: ownOnly })
  const corrector = ownOnly ? await chooseCorrector(tx, team, asked, now) : asked.user_id
  const { id: _, ...columns } = { ...asked, user_id: corrector }
  await lockConcerned(tx, { ...asked, user_id: corrector }, members)
  const id = await insertRow(tx, 'scale_teams', { ...columns, ...chosenId(values) })
  const evaluation = { ...asked, id, user_id: corrector }
  await holdSlots(tx, team, evaluation)
  await payForEvaluation(tx, { after: evaluation, members, ownOnly, now })
  await notifyParticipants(tx, 'evaluation_booked', evaluation, { members, actorId: input.caller.resourceOwnerId, now })
  return id
}

/** Locks what several bookings need in one order, so that requests with the same teams do not deadlock. */
export async function lockForBookings(tx: Handle, sent: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  const idsOf = (name: string) =>
    [...new Set(sent.map((values) => Number(values[name])))].filter(isId).toSorted(ascending)
  const [teams, correctors] = [idsOf('team_id'), idsOf('user_id')]
  await sql`select id from teams where id = any(${teams}) order by id for update`.execute(tx.kysely)
  for (const corrector of correctors) await lockCorrector(tx, corrector)
  const members = await sql<{ user_id: number }>`
    select distinct user_id from teams_users where team_id = any(${teams}) and validated`.execute(tx.kysely)
  await lockHolders(tx, [...correctors, ...members.rows.map(({ user_id }) => user_id)])
}

const isId = (id: number) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647
const ascending = (one: number, other: number) => one - other

/** Moves, fills or comments an evaluation (PATCH /v2/scale_teams/:id). */
export async function changeEvaluation(
  tx: Handle,
  input: ActionInput<Values & Partial<BookingValues>>,
): Promise<number> {
  const { id, values, ownOnly, now } = input
  const before = await findEvaluation(tx, id)
  const isMoved = BOOKING.some((name) => values[name] !== undefined)
  const oldTeam = await lockTeam(tx, before.team_id)
  const team = values.team_id === undefined ? oldTeam : await lockTeam(tx, values.team_id)
  const members = await membersOf(tx, team.id)
  if (ownOnly) requireParticipantsPart(before, input, members)
  const comments = COMMENTS.filter((name) => values[name] !== undefined)
  if (comments.length > 0) await requireNoFeedback(tx, id, comments)
  const evaluation = await gradingOf(tx, before, input, members)
  if (isMoved) await checkBooking(tx, team, members, evaluation, { byOffer: false })
  if (evaluation.filled_at !== null) await lockConcerned(tx, evaluation, members)
  const { id: _, created_at: __, ...columns } = evaluation
  await updateRow(tx, 'scale_teams', id, { ...columns, updated_at: now })
  if (isMoved) await holdSlots(tx, team, evaluation)
  await payForEvaluation(tx, { before, after: evaluation, members, ownOnly, now })
  if (before.filled_at !== null && team.id !== oldTeam.id) await markTeam(tx, oldTeam.id, now)
  return id
}

/** Checks the sent answers, and marks the team. */
export async function finishEvaluation(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const strays = await sql<{ question_id: number }>`
    select a.question_id from answers a join scale_teams t on t.id = a.scale_team_id
    join questions q on q.id = a.question_id join sections s on s.id = q.section_id
    where t.id = ${id} and s.scale_id <> t.scale_id`.execute(tx.kysely)
  const [stray] = strays.rows
  if (stray) {
    throw unprocessable({
      answers_attributes: [message("question {id} is not one of the scale's", { id: stray.question_id })],
    })
  }
  const evaluation = await findEvaluation(tx, id)
  if (evaluation.filled_at !== null) await markTeam(tx, evaluation.team_id, now)
  return id
}

/** Deletes an evaluation, and marks the team again if it was filled. */
export async function destroyEvaluation(tx: Handle, input: ActionInput): Promise<number> {
  const { id, ownOnly, now } = input
  const evaluation = await findEvaluation(tx, id)
  await lockTeam(tx, evaluation.team_id)
  const members = await membersOf(tx, evaluation.team_id)
  if (ownOnly) requireCancellable(evaluation, input, members)
  await tx.kysely.deleteFrom('scale_teams').where('id', '=', id).execute()
  if (evaluation.filled_at !== null) await markTeam(tx, evaluation.team_id, now)
  const actorId = input.caller.resourceOwnerId
  await notifyParticipants(tx, 'evaluation_cancelled', evaluation, { members, actorId, now })
  return id
}

async function findEvaluation(tx: Handle, id: number): Promise<Evaluation> {
  return readRow(tx, 'scale_teams', id, [
    'id',
    'scale_id',
    'team_id',
    'user_id',
    'begin_at',
    'comment',
    'feedback',
    'feedback_rating',
    'final_mark',
    'flag_id',
    'truant_id',
    'filled_at',
    'created_at',
    'updated_at',
  ])
}
