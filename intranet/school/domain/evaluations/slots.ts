import type { ActionInput } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { accessDenied, unprocessable } from '@campus/engine/errors'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { sql } from 'kysely'
import { findRow, readRow, updateRow } from '../rows.ts'
import { evaluationsOf } from './availability.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const DAY = 24 * 60 * MINUTE
const EARLIEST = 30 * MINUTE
const LATEST_DAYS = 14
const MAX_DAYS = 7
const DEFAULT_MINIMUM_MINUTES = 30

type SlotValues = {
  readonly user_id?: number
  readonly begin_at?: string
  readonly end_at?: string
  readonly scale_team_id?: number | null
}
type OfferValues = SlotValues & Required<Pick<SlotValues, 'user_id' | 'begin_at' | 'end_at'>>

/** Milliseconds, at whole quarters of an hour. */
type Span = { readonly begin: number; readonly end: number }

/** Offers a span of time as slots of 15 minutes (POST /v2/slots). Skips existing slots, and returns the new ones. */
export async function offerTime(tx: Handle, input: ActionInput<OfferValues>): Promise<readonly number[]> {
  const { values, now } = input
  const userId = values.user_id
  const span = toQuarters(values.begin_at, values.end_at)
  const minimum = await minimumMinutesOf(tx, userId)
  await checkSpan(span, input, minimum)
  const evaluationId = await checkEvaluation(tx, input, userId)
  const ids = await insertSlots(tx, { userId, span, evaluationId, now })
  if (ids.length === 0) throw unprocessable({ begin_at: ['every quarter of an hour of that time is taken already'] })
  return ids
}

/** Moves a free slot (PATCH /v2/slots/:id). A longer span adds slots. */
export async function moveSlot(tx: Handle, input: ActionInput<SlotValues>): Promise<number> {
  const { id, values, now } = input
  const slot = await findSlot(tx, id)
  const isMoved = values.begin_at !== undefined || values.end_at !== undefined || values.user_id !== undefined
  if (isMoved && slot.scale_team_id !== null) throw booked('moved')
  const userId = values.user_id ?? slot.user_id
  const span = toQuarters(values.begin_at ?? slot.begin_at, values.end_at ?? slot.end_at)
  if (isMoved) await checkSpan(span, input, QUARTER / MINUTE)
  const evaluationId =
    values.scale_team_id === undefined ? slot.scale_team_id : await checkEvaluation(tx, input, userId)
  const first = { begin_at: new Date(span.begin), end_at: new Date(span.begin + QUARTER) }
  if (isMoved && (await isTaken(tx, userId, first, evaluationId))) {
    throw unprocessable({ begin_at: ['is a time at which the user evaluates somebody'] })
  }
  await updateRow(tx, 'slots', id, { ...first, user_id: userId, scale_team_id: evaluationId, updated_at: now })
  await insertSlots(tx, { userId, span: { ...span, begin: span.begin + QUARTER }, evaluationId, now })
  return id
}

/** Users cannot withdraw a booked slot, since the evaluation would lose its time. */
export async function withdrawSlot(tx: Handle, { id, ownOnly }: ActionInput): Promise<number> {
  const slot = await findSlot(tx, id)
  if (ownOnly && slot.scale_team_id !== null) throw booked('withdrawn')
  await tx.kysely.deleteFrom('slots').where('id', '=', id).execute()
  return id
}

const booked = (what: string) =>
  unprocessable({
    base: [
      message('a booked slot cannot be {done}: cancel its evaluation first (DELETE /v2/scale_teams/:id)', {
        done: what,
      }),
    ],
  })

/** The engine has locked the row. */
const findSlot = (tx: Handle, id: number) =>
  readRow(tx, 'slots', id, ['user_id', 'begin_at', 'end_at', 'scale_team_id'])

/** Rounds the begin up and the end down, so that the slots stay within the sent span. */
function toQuarters(beginAt: string | Date, endAt: string | Date): Span {
  return {
    begin: Math.ceil(new Date(beginAt).getTime() / QUARTER) * QUARTER,
    end: Math.floor(new Date(endAt).getTime() / QUARTER) * QUARTER,
  }
}

/** Users offer future time only. Applications with Advanced Tutor offer any. Throws 422. */
async function checkSpan(
  { begin, end }: Span,
  { ownOnly, now }: Pick<ActionInput, 'ownOnly' | 'now'>,
  minimumMinutes: number,
): Promise<void> {
  const errors = new ValidationErrors()
  const minimum = ownOnly ? minimumMinutes : QUARTER / MINUTE
  if (end - begin < minimum * MINUTE) {
    errors.add(
      'end_at',
      message('must be at least {minutes} minutes after begin_at, in whole quarters of an hour', { minutes: minimum }),
    )
  } else if (end - begin > MAX_DAYS * DAY) {
    errors.add('end_at', message('must be at most {days} days after begin_at', { days: MAX_DAYS }))
  }
  if (ownOnly) {
    // Rounded down to the minute, since the request takes time to arrive.
    if (begin < Math.floor(now.getTime() / MINUTE) * MINUTE + EARLIEST) {
      errors.add('begin_at', 'must be at least 30 minutes from now')
    } else if (begin > now.getTime() + LATEST_DAYS * DAY) {
      errors.add('begin_at', 'must be at most two weeks from now')
    }
  }
  errors.throwIfAny()
}

/** Returns the evaluation that a tutor books the slots for. Throws 422 unless it has the same corrector. */
async function checkEvaluation(
  tx: Handle,
  { values, ownOnly }: ActionInput<SlotValues>,
  userId: number,
): Promise<number | null> {
  const id = values.scale_team_id
  if (ownOnly && id !== undefined) {
    throw accessDenied(
      'You are not authorized to access this page. To write scale_team_id needs the role Advanced Tutor; evaluations are booked by POST /v2/scale_teams.',
    )
  }
  if (id === undefined || id === null) return null
  const evaluation = await findRow(tx, 'scale_teams', id, ['user_id'])
  if (!evaluation) throw unprocessable({ scale_team_id: ['must exist'] })
  if (evaluation.user_id !== userId) throw unprocessable({ scale_team_id: ['has another corrector'] })
  return id
}

/** Returns the minimum of the user's primary campus. */
async function minimumMinutesOf(tx: Handle, userId: number): Promise<number> {
  const { rows } = await sql<{ minutes: number | null }>`
    select c.minimum_slot_duration as minutes from campus_users m join campus c on c.id = m.campus_id
    where m.user_id = ${userId} and m.is_primary`.execute(tx.kysely)
  return rows[0]?.minutes ?? DEFAULT_MINIMUM_MINUTES
}

/** Reports whether the user has an evaluation at that time other than the slot's. */
async function isTaken(
  tx: Handle,
  userId: number,
  { begin_at, end_at }: { readonly begin_at: Date; readonly end_at: Date },
  evaluationId: number | null,
): Promise<boolean> {
  const { rows } = await evaluationsOf(
    userId,
    sql`${begin_at}::timestamptz`,
    sql`${end_at}::timestamptz`,
    evaluationId ?? 0,
  ).execute(tx.kysely)
  return rows.length > 0
}

type NewSlots = {
  readonly userId: number
  readonly span: Span
  readonly evaluationId: number | null
  readonly now: Date
}

/** Skips existing slots and times of evaluations. */
async function insertSlots(tx: Handle, { userId, span, evaluationId, now }: NewSlots): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into slots (user_id, begin_at, end_at, scale_team_id, created_at, updated_at)
    select ${userId}, quarter, quarter + interval '15 minutes', ${evaluationId}::int, ${now}, ${now}
    from generate_series(${new Date(span.begin)}::timestamptz, ${new Date(span.end - QUARTER)}::timestamptz, '15 minutes') quarter
    where not exists (
      ${evaluationsOf(userId, sql`quarter`, sql`quarter + interval '15 minutes'`, evaluationId ?? 0)}
    )
    order by quarter on conflict (user_id, begin_at) do nothing returning id`.execute(tx.kysely)
  return rows.map(({ id }) => id)
}
