import { sql } from 'kysely'
import type { ActionInput } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'

/**
 * Ends what is open at a campus (spec: school 4): now, or when it begins where that is still to come. No two stays at a seat
 * may end at the same moment, so one that meets another there ends a millisecond after it.
 */
export async function endAllLocations(tx: Handle, { id, now }: ActionInput): Promise<number> {
  await sql`
    update locations l set end_at = coalesce(
      (select max(other.end_at) + interval '1 millisecond' from locations other
        where other.campus_id = l.campus_id and other.host = l.host and other.end_at >= greatest(l.begin_at, ${now})),
      greatest(l.begin_at, ${now}))
    where l.campus_id = ${id} and l.end_at is null`.execute(tx.kysely)
  return id
}
