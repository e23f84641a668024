import type { Selectable } from 'kysely'
import type { Handle } from '../database/database.ts'
import type { Events } from '../database/schema.ts'

export type Event = Selectable<Events>

/** An event whose places nobody else gives away until the transaction ends; undefined when there is none. */
export const lockEvent = (tx: Handle, id: number): Promise<Event | undefined> =>
  tx.kysely.selectFrom('events').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** How many places of a locked event are free; Infinity where it takes everybody. */
export async function freePlaces(tx: Handle, { id, max_people }: Event): Promise<number> {
  if (max_people === null) return Number.POSITIVE_INFINITY
  const { taken } = await tx.kysely
    .selectFrom('events_users')
    .select(({ fn }) => fn.countAll<string>().as('taken'))
    .where('event_id', '=', id)
    .where('waiting', '=', false)
    .executeTakeFirstOrThrow()
  return Math.max(0, max_people - Number(taken))
}

/** Gives the free places of a locked event to those who have waited longest, until the event is over. */
export async function moveUp(tx: Handle, event: Event, now: Date): Promise<void> {
  if (event.waitlist_id === null || event.end_at <= now) return
  const free = await freePlaces(tx, event)
  if (free === 0) return
  // Whoever is leaving the line at this moment holds their row and waits for the event: they are passed over.
  const next = await tx.kysely
    .selectFrom('events_users')
    .select('id')
    .where('event_id', '=', event.id)
    .where('waiting', '=', true)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(free === Number.POSITIVE_INFINITY ? null : free)
    .forUpdate()
    .skipLocked()
    .execute()
  if (next.length === 0) return
  const ids = next.map(({ id }) => id)
  await tx.kysely.updateTable('events_users').set({ waiting: false, updated_at: now }).where('id', 'in', ids).execute()
}
