import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import { enterPoints, type PointEntry, REASONS } from './correction-points.ts'
import type { Evaluation } from './evaluation.ts'

type Members = readonly { readonly user_id: number; readonly login: string }[]

type Paid = {
  /** Undefined for a booking. */
  readonly before?: Evaluation
  readonly after: Evaluation
  readonly members: Members
  readonly ownOnly: boolean
  readonly now: Date
}

/**
 * Moves the points that a booking costs and a defence earns (neighbours §2): one from each member, one to the corrector when
 * it is filled, if they came. People book only for what all members can pay; who has nothing pays nothing where a tutor
 * books. Cancelling gives nothing back. Throws 422.
 */
export async function payForEvaluation(tx: Handle, { before, after, members, ownOnly, now }: Paid): Promise<void> {
  const scaleTeamId = after.id
  const costs = before
    ? []
    : members.map(({ user_id }) => ({ userId: user_id, sum: -1, reason: REASONS.booking, scaleTeamId }))
  const earnings: PointEntry[] = (await isNewlyEarned(tx, before, after))
    ? [{ userId: Number(after.user_id), sum: 1, reason: REASONS.earning, scaleTeamId }]
    : []
  const lacking = await enterPoints(tx, [...costs, ...earnings], now)
  if (lacking.length === 0 || !ownOnly) return
  const logins = members.flatMap(({ user_id, login }) =>
    lacking.some(({ userId }) => userId === user_id) ? login : [],
  )
  throw unprocessable({ team_id: [`has members without an evaluation point to pay with: ${logins.join(', ')}`] })
}

/** Whoever did not come earns nothing. */
const isEarned = ({ filled_at, user_id, truant_id }: Evaluation) =>
  filled_at !== null && user_id !== null && truant_id !== user_id

/** A tutor may say of one that is filled who came to it, and say so again. */
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
