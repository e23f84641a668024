import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/** An event or exam table with its registrations, which include users on the waitlist. */
export type Registrable<K extends string = 'event_id' | 'exam_id'> = {
  readonly table: 'events' | 'exams'
  readonly registrations: 'events_users' | 'exams_users'
  /** Reference to the event or exam in registrations and waitlists. */
  readonly key: K
}

export const EVENTS: Registrable<'event_id'> = { table: 'events', registrations: 'events_users', key: 'event_id' }
export const EXAMS: Registrable<'exam_id'> = { table: 'exams', registrations: 'exams_users', key: 'exam_id' }

export type Places = {
  readonly id: number
  readonly begin_at: Date
  readonly end_at: Date
  readonly max_people: number | null
  readonly waitlist_id: number | null
  /** Hours before the begin. */
  readonly prohibition_of_cancellation?: number | null
}

/** Locks an event or exam, so that only this transaction assigns its places. */
export async function lockPlaces(tx: Handle, { table }: Registrable, id: number): Promise<Places | undefined> {
  const { rows } = await sql<Places>`select * from ${sql.table(table)} where id = ${id} for no key update`.execute(
    tx.kysely,
  )
  return rows[0]
}

/** Returns the free places of a locked event or exam, or Infinity without a limit. */
export async function freePlaces(tx: Handle, registrable: Registrable, { id, max_people }: Places): Promise<number> {
  if (max_people === null) return Number.POSITIVE_INFINITY
  const { rows } = await sql<{ taken: string }>`
    select count(*) as taken from ${sql.table(registrable.registrations)}
    where ${sql.ref(registrable.key)} = ${id} and not waiting`.execute(tx.kysely)
  return Math.max(0, max_people - Number(rows[0]?.taken))
}

export async function hasWaiting(tx: Handle, { registrations, key }: Registrable, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(registrations)} where ${sql.ref(key)} = ${id} and waiting limit 1`.execute(tx.kysely)
  return rows.length > 0
}

/**
 * Moves users from the waitlist to free places of a locked event or exam until it is over. Does not require a waitlist
 * record, which copies of other services may lack.
 */
export async function moveUp(tx: Handle, registrable: Registrable, places: Places, now: Date): Promise<void> {
  if (places.end_at <= now || !(await hasWaiting(tx, registrable, places.id))) return
  const free = await freePlaces(tx, registrable, places)
  if (free === 0) return
  const registrations = sql.table(registrable.registrations)
  // Skips locked rows: a user who leaves the waitlist holds their row and waits for the event.
  await sql`
    update ${registrations} set waiting = false, updated_at = ${now} where id in (
      select id from ${registrations} where ${sql.ref(registrable.key)} = ${places.id} and waiting
      order by updated_at, id limit ${free === Number.POSITIVE_INFINITY ? null : free} for update skip locked)`.execute(
    tx.kysely,
  )
}
