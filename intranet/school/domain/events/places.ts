import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/** What users register for, and the table of its registrations, which users on the waitlist have, too. */
export type Registrable<K extends string = 'event_id' | 'exam_id'> = {
  readonly table: 'events' | 'exams'
  readonly registrations: 'events_users' | 'exams_users'
  /** The column that names it, in its registrations and its waitlist. */
  readonly key: K
}

export const EVENTS: Registrable<'event_id'> = { table: 'events', registrations: 'events_users', key: 'event_id' }
export const EXAMS: Registrable<'exam_id'> = { table: 'exams', registrations: 'exams_users', key: 'exam_id' }

/** An event or an exam, as far as places at it go. */
export type Places = {
  readonly id: number
  readonly begin_at: Date
  readonly end_at: Date
  readonly max_people: number | null
  readonly waitlist_id: number | null
  /** Hours before the begin; of those that have it. */
  readonly prohibition_of_cancellation?: number | null
}

/** Locks an event or exam, so that no other transaction assigns its places; undefined when there is none. */
export async function lockPlaces(tx: Handle, { table }: Registrable, id: number): Promise<Places | undefined> {
  const { rows } = await sql<Places>`select * from ${sql.table(table)} where id = ${id} for no key update`.execute(
    tx.kysely,
  )
  return rows[0]
}

/** How many places of a locked event or exam are free; Infinity where there is no limit. */
export async function freePlaces(tx: Handle, registrable: Registrable, { id, max_people }: Places): Promise<number> {
  if (max_people === null) return Number.POSITIVE_INFINITY
  const { rows } = await sql<{ taken: string }>`
    select count(*) as taken from ${sql.table(registrable.registrations)}
    where ${sql.ref(registrable.key)} = ${id} and not waiting`.execute(tx.kysely)
  return Math.max(0, max_people - Number(rows[0]?.taken))
}

/** Whether a user waits for a place. */
export async function hasWaiting(tx: Handle, { registrations, key }: Registrable, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(registrations)} where ${sql.ref(key)} = ${id} and waiting limit 1`.execute(tx.kysely)
  return rows.length > 0
}

/**
 * Gives the free places of a locked event or exam to those who have waited longest, until it is over. People may wait without a
 * waitlist in a copy of a service that does not show its waitlists.
 */
export async function moveUp(tx: Handle, registrable: Registrable, places: Places, now: Date): Promise<void> {
  if (places.end_at <= now || !(await hasWaiting(tx, registrable, places.id))) return
  const free = await freePlaces(tx, registrable, places)
  if (free === 0) return
  const registrations = sql.table(registrable.registrations)
  // A user who is leaving the waitlist holds their row and waits for the event: they are skipped.
  await sql`
    update ${registrations} set waiting = false, updated_at = ${now} where id in (
      select id from ${registrations} where ${sql.ref(registrable.key)} = ${places.id} and waiting
      order by updated_at, id limit ${free === Number.POSITIVE_INFINITY ? null : free} for update skip locked)`.execute(
    tx.kysely,
  )
}
