import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { lockHolders } from '../points/balances.ts'
import { enterPoints, type PointEntry, REASONS } from '../points/correction-points.ts'
import { payOut } from '../points/pools.ts'
import type { Evaluation } from './evaluation.ts'

type Members = readonly { readonly user_id: number; readonly login: string }[]

type Paid = {
  readonly before?: Evaluation
  readonly after: Evaluation
  readonly members: Members
  readonly ownOnly: boolean
  readonly now: Date
}

/**
 * Moves the points that a booking costs and an evaluation earns (spec: points 5, 7). Each member pays one, and the
 * corrector earns one when the evaluation is filled, unless absent. A user's booking fails with 422 if a member cannot
 * pay. A tutor's booking takes nothing from members without points. Cancelling refunds nothing.
 */
export async function payForEvaluation(tx: Handle, { before, after, members, ownOnly, now }: Paid): Promise<void> {
  const scaleTeamId = after.id
  const costs = before
    ? []
    : members.map(({ user_id }) => ({ userId: user_id, sum: -1, reason: REASONS.booking, scaleTeamId }))
  const earnings = (await isNewlyEarned(tx, before, after)) ? await earn(tx, after, now) : []
  const lacking = await enterPoints(tx, [...costs, ...earnings], now)
  if (lacking.length === 0 || !ownOnly) return
  const logins = members.flatMap(({ user_id, login }) =>
    lacking.some(({ userId }) => userId === user_id) ? login : [],
  )
  throw unprocessable({
    team_id: [message('has members without an evaluation point to pay with: {logins}', { logins: logins.join(', ') })],
  })
}

/** Locks all users whose points an evaluation may change. Must run before it is written. */
export async function lockConcerned(
  tx: Handle,
  { id, user_id: corrector }: Evaluation,
  members: Members,
): Promise<void> {
  const paid = id === 0 ? [] : await whoPaid(tx, id)
  await lockHolders(tx, [...members.map(({ user_id }) => user_id), ...paid, ...(corrector === null ? [] : [corrector])])
}

async function whoPaid(tx: Handle, scaleTeamId: number): Promise<number[]> {
  const entries = await tx.kysely
    .selectFrom('correction_point_historics')
    .select('user_data_id')
    .where('scale_team_id', '=', scaleTeamId)
    .where('reason', '=', REASONS.booking)
    .execute()
  return entries.map(({ user_data_id }) => user_data_id)
}

/** Returns the corrector's point and, during a sale, a second point and refunds. */
async function earn(tx: Handle, evaluation: Evaluation, now: Date): Promise<readonly PointEntry[]> {
  const { id: scaleTeamId, team_id: teamId, user_id: corrector, begin_at: begin } = evaluation
  const paid = await whoPaid(tx, scaleTeamId)
  const { refunds, bonus } = await payOut(tx, { teamId, refunds: paid.length, at: new Date(begin ?? now), now })
  return [
    { userId: Number(corrector), sum: 1 + bonus, reason: REASONS.earning, scaleTeamId },
    ...paid.slice(0, refunds).map((userId) => ({ userId, sum: 1, reason: REASONS.refund, scaleTeamId })),
  ]
}

const isEarned = ({ filled_at, user_id, truant_id }: Evaluation) =>
  filled_at !== null && user_id !== null && truant_id !== user_id

/** Reports whether the evaluation is earned for the first time. Tutors may change the truant several times. */
async function isNewlyEarned(tx: Handle, before: Evaluation | undefined, after: Evaluation): Promise<boolean> {
  if (!isEarned(after) || (before && isEarned(before))) return false
  const paid = await tx.kysely
    .selectFrom('correction_point_historics')
    .select('id')
    .where('scale_team_id', '=', after.id)
    .where('reason', '=', REASONS.earning)
    .executeTakeFirst()
  return paid === undefined
}
