import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/**
 * Ends the open locations of a campus now, or at their begin if it is in the future (spec: school 4). No two locations
 * of a host may end at the same time, so a colliding one ends a millisecond later.
 */
export async function endAllLocations(tx: Handle, { id, now }: ActionInput): Promise<number> {
  await sql`
    update locations l set updated_at = ${now}, end_at = coalesce(
      (select max(other.end_at) + interval '1 millisecond' from locations other
        where other.campus_id = l.campus_id and other.host = l.host and other.end_at >= greatest(l.begin_at, ${now})),
      greatest(l.begin_at, ${now}))
    where l.campus_id = ${id} and l.end_at is null`.execute(tx.kysely)
  return id
}
