import type { Handle } from '@campus/engine/database/database'
import { insertRows } from '@campus/engine/database/insert-rows'
import { changeBalance, missingTo } from './balances.ts'

export const POINTS_AT_FIRST = 4

/** Reasons of entries, which clients filter by (spec: points 3). */
export const REASONS = {
  creation: 'Creation',
  booking: 'Defense plannification',
  earning: 'Earning after defense',
  refund: 'Refund during sales',
  /** Not a reason of the public service. */
  staff: 'Set by staff',
} as const

export type PointEntry = {
  readonly userId: number
  /** Negative for a loss. Never 0. */
  readonly sum: number
  readonly reason: string
  readonly scaleTeamId?: number
  /** Allows a negative balance. */
  readonly mayOwe?: boolean
}

/**
 * Changes evaluation points. No other code changes them, so that a balance is the sum of its entries. Returns the
 * entries that were refused for lack of points.
 */
export async function enterPoints(
  tx: Handle,
  entries: readonly PointEntry[],
  now: Date,
): Promise<readonly PointEntry[]> {
  const lacking: PointEntry[] = []
  // By ascending user id, so that transactions that share users do not deadlock.
  for (const entry of entries.toSorted((one, other) => one.userId - other.userId)) {
    const { userId, sum, reason, scaleTeamId = null, mayOwe = false } = entry
    const total = await changeBalance(tx, 'correction_point', { userId, by: sum, mayOwe })
    if (total === undefined) lacking.push(entry)
    else {
      const row = { user_data_id: userId, scale_team_id: scaleTeamId, reason, sum, total }
      await tx.kysely
        .insertInto('correction_point_historics')
        .values({ ...row, created_at: now, updated_at: now })
        .execute()
    }
  }
  return lacking
}

/** Records the initial points, which the rows of the users already include. */
export async function enterFirstPoints(
  tx: Handle,
  accounts: readonly { readonly userId: number; readonly points: number }[],
  now: Date,
): Promise<void> {
  const rows = accounts
    .filter(({ points }) => points !== 0)
    .map(({ userId, points }) => ({ user_data_id: userId, reason: REASONS.creation, sum: points, total: points }))
  await insertRows(
    tx,
    'correction_point_historics',
    rows.map((row) => ({ ...row, created_at: now, updated_at: now })),
  )
}

/** Sets the points of a user, whose row is locked. Returns whether they changed. */
export async function setPoints(
  tx: Handle,
  userId: number,
  { to, reason, now }: { readonly to: number; readonly reason: string; readonly now: Date },
): Promise<boolean> {
  const sum = await missingTo(tx, 'correction_point', userId, to)
  if (sum !== 0) await enterPoints(tx, [{ userId, sum, reason, mayOwe: true }], now)
  return sum !== 0
}
