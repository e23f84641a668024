import type { ActionInput } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import { type Event, freePlaces, lockEvent, moveUp } from './places.ts'

type RegistrationValues = { readonly event_id: number; readonly user_id: number }

/** Registers a user for an event, or puts them on its waitlist when it is full. */
export async function register(tx: Handle, { values, now }: ActionInput<RegistrationValues>): Promise<number> {
  const { event_id, user_id } = values
  const event = await findEvent(tx, event_id)
  const isFull = (await freePlaces(tx, event)) === 0
  // Inserted before it is judged, so that whoever has a place hears of that and not of a full event.
  const { id } = await tx.kysely
    .insertInto('events_users')
    .values({ event_id, user_id, waiting: isFull, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  refuseIfClosed(event, isFull, now)
  return id
}

/** Hands a registration to another user, or takes it to another event, where the rules of both hold. */
export async function updateRegistration(tx: Handle, input: ActionInput<Partial<RegistrationValues>>): Promise<number> {
  const { id, values, now } = input
  const before = await findRegistration(tx, id)
  const event_id = values.event_id ?? before.event_id
  const user_id = values.user_id ?? before.user_id
  if (event_id === before.event_id && user_id === before.user_id) return id
  // Always in the same order, so that two who swap do not wait for each other.
  for (const locked of [event_id, before.event_id].sort((one, other) => one - other)) await lockEvent(tx, locked)

  const left = await findEvent(tx, before.event_id)
  const changesEvent = event_id !== before.event_id
  if (changesEvent) refuseIfTooLate(left, before.waiting, input)
  const event = changesEvent ? await findEvent(tx, event_id) : left
  const isFull = changesEvent ? (await freePlaces(tx, event)) === 0 : before.waiting
  await tx.kysely
    .updateTable('events_users')
    .set({ event_id, user_id, waiting: isFull, updated_at: now })
    .where('id', '=', id)
    .execute()
  if (!changesEvent) return id
  refuseIfClosed(event, isFull, now)
  await moveUp(tx, left, now)
  return id
}

/** Gives a place up; the first in line gets it. */
export async function leave(tx: Handle, input: ActionInput): Promise<number> {
  const { id, now } = input
  const { event_id, waiting } = await findRegistration(tx, id)
  const event = await findEvent(tx, event_id)
  refuseIfTooLate(event, waiting, input)
  await tx.kysely.deleteFrom('events_users').where('id', '=', id).execute()
  await moveUp(tx, event, now)
  return id
}

async function findEvent(tx: Handle, id: number): Promise<Event> {
  const event = await lockEvent(tx, id)
  if (!event) throw unprocessable({ event_id: ['must exist'] })
  return event
}

/** The engine holds the row's lock. */
const findRegistration = (tx: Handle, id: number) =>
  tx.kysely
    .selectFrom('events_users')
    .select(['event_id', 'user_id', 'waiting'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

function refuseIfClosed({ end_at, waitlist_id }: Event, isFull: boolean, now: Date): void {
  if (end_at <= now) throw unprocessable({ event_id: ['is over'] })
  if (isFull && waitlist_id === null) throw unprocessable({ event_id: ['is full'] })
}

const HOUR_MS = 3_600_000

/** Shortly before it begins, people may no longer leave by themselves; staff may still let them go. */
function refuseIfTooLate(
  event: Event,
  isWaiting: boolean,
  { ownOnly, now }: Pick<ActionInput, 'ownOnly' | 'now'>,
): void {
  const { begin_at, prohibition_of_cancellation: hours } = event
  if (!ownOnly || isWaiting || hours === null) return
  if (now.getTime() > begin_at.getTime() - hours * HOUR_MS) {
    throw unprocessable({ event_id: [`cannot be left later than ${hours} hours before it begins`] })
  }
}
