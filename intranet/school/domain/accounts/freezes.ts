import type { ActionInput, Renderer, Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { lockRow } from '@campus/engine/database/lock-row'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'

type PastFreeze = Values & { readonly duration: number; readonly reason?: string | null }

/**
 * Grants a user a free pause of some days that ends today and moves the black hole of the user's courses (spec:
 * accounts 12). Represents the pause. Throws 422 if the user has a pause at that time.
 */
export async function giveFreePastFreeze(
  tx: Handle,
  { id, values, now, render }: ActionInput<PastFreeze> & Renderer,
): Promise<string> {
  const { duration: days, reason = null } = values
  await lockRow(tx, 'users', id)
  const { rows } = await sql<{ id: number }>`
    insert into anti_grav_units_users (
      user_id, begin_date, expected_end_date, end_date, reason, is_free, created_at, updated_at)
    select ${id}::int, today - ${days}::int, today, today, ${reason}::text, true, ${now}, ${now}
    from (select ${dayOf(now)}::date as today) d
    where not exists (
      select 1 from anti_grav_units_users other
      where other.user_id = ${id} and other.begin_date < today and coalesce(other.end_date, today) > today - ${days}::int
    )
    returning id`.execute(tx.kysely)
  const freeze = rows[0]
  if (!freeze) throw unprocessable({ duration: ['reaches into another pause of the user'] })
  await sql`
    update cursus_users set blackholed_at = blackholed_at + make_interval(days => ${days}), updated_at = ${now}
    where user_id = ${id} and blackholed_at is not null and (end_at is null or end_at > ${now})`.execute(tx.kysely)
  return render('anti_grav_units_users', 'record', freeze.id)
}

/** Ends all current pauses of a user today. Throws 422 if there is none. */
export async function endFreezes(tx: Handle, { id, now }: ActionInput): Promise<number> {
  await lockRow(tx, 'users', id)
  const { numAffectedRows } = await sql`
    update anti_grav_units_users set end_date = ${dayOf(now)}::date, updated_at = ${now}
    where user_id = ${id} and begin_date <= ${dayOf(now)}::date
      and (end_date is null or end_date > ${dayOf(now)}::date)`.execute(tx.kysely)
  if (numAffectedRows === 0n) throw unprocessable({ base: ['no pause of the user goes on'] })
  return id
}

const dayOf = (now: Date) => now.toISOString().slice(0, 10)
