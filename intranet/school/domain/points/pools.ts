import type { ActionInput, Renderer, Values } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { updateRow } from '../rows.ts'

/** Adds points to a pool, or removes them if negative. Represents the pool (spec: points 10, 11). Throws 422. */
export const addToPool = (tx: Handle, input: ActionInput & Renderer) =>
  changePool(tx, input, Number(input.values.points))

/** Removes points from a pool, ignoring their sign. Represents the pool. Throws 422. */
export const removeFromPool = (tx: Handle, input: ActionInput & Renderer) =>
  changePool(tx, input, -Math.abs(Number(input.values.points)))

/** The engine has locked the pool. */
async function changePool(
  tx: Handle,
  { id, caller, now, render }: ActionInput & Renderer,
  by: number,
): Promise<string> {
  const pool = tx.kysely.selectFrom('pools').select('current_points').where('id', '=', id)
  const { current_points: held } = await pool.executeTakeFirstOrThrow()
  if (held + by < 0)
    throw unprocessable({ points: [message('are more than the {points} that the pool holds', { points: held })] })
  if (by !== 0) {
    await updateRow(tx, 'pools', id, { current_points: held + by, updated_at: now, ...giverOf(caller, by) })
  }
  return render('pools', 'record', id)
}

type PoolValues = Values & {
  readonly current_points?: number
  readonly max_points?: number
  readonly cursus_id?: number
  readonly campus_id?: number
}

/** Updates a pool. Raising `current_points` counts as giving points (spec: points 21). */
export async function updatePool(tx: Handle, { id, values, caller, now }: ActionInput<PoolValues>): Promise<number> {
  const { current_points, max_points, cursus_id, campus_id } = values
  const pool = tx.kysely.selectFrom('pools').select('current_points').where('id', '=', id)
  const { current_points: held } = await pool.executeTakeFirstOrThrow()
  const giver = giverOf(caller, (current_points ?? held) - held)
  await updateRow(tx, 'pools', id, { current_points, max_points, cursus_id, campus_id, updated_at: now, ...giver })
  return id
}

/** Sets the giver if `points` are given: the user of the token, or null for an application's own token. */
const giverOf = ({ resourceOwnerId }: ActionInput['caller'], points: number) =>
  points > 0 ? { given_by_id: resourceOwnerId } : {}

type Asked = { readonly teamId: number; readonly refunds: number; readonly at: Date; readonly now: Date }

/**
 * Takes an evaluation's share of a sale out of a pool: all refunds or none, then a bonus of one, if the pool suffices.
 * The pool is the one of the project's cursus at a member's campus, and stays locked.
 */
export async function payOut(
  tx: Handle,
  { teamId, refunds: asked, at, now }: Asked,
): Promise<{ readonly refunds: number; readonly bonus: number }> {
  const { rows } = await sql<{ id: number; held: number }>`
    select p.id, p.current_points as held from pools p
    where p.current_points > 0
      and p.campus_id in (
        select c.campus_id from campus_users c join teams_users m on m.user_id = c.user_id
        where m.team_id = ${teamId} and m.validated and c.is_primary)
      and p.cursus_id in (
        select c.cursus_id from projects_cursus c join teams t on t.project_id = c.project_id where t.id = ${teamId})
      and exists (
        select 1 from balances b where b.pool_id = p.id and b.begin_at <= ${at} and (b.end_at is null or b.end_at > ${at}))
    order by p.id limit 1 for no key update of p`.execute(tx.kysely)
  const [pool] = rows
  if (!pool) return { refunds: 0, bonus: 0 }
  const refunds = pool.held >= asked ? asked : 0
  const bonus = Math.min(1, pool.held - refunds)
  await updateRow(tx, 'pools', pool.id, { current_points: pool.held - refunds - bonus, updated_at: now })
  return { refunds, bonus }
}
