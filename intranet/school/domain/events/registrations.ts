import { type ActionInput, chosenId } from '@campus/engine/actions'
import { defined } from '@campus/engine/base/defined'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { freePlaces, lockPlaces, moveUp, type Places, type Registrable } from './places.ts'

type Key = 'event_id' | 'exam_id'
type RegistrationValues<K extends Key> = { readonly [Name in K | 'user_id']: number }

/** Registers a user, on the waitlist if there is no free place. */
export const register =
  <K extends Key>(registrable: Registrable<K>) =>
  async (tx: Handle, { values, now }: ActionInput<RegistrationValues<K>>): Promise<number> => {
    const { registrations, key } = registrable
    const places = await findPlaces(tx, registrable, values[key])
    const isFull = (await freePlaces(tx, registrable, places)) === 0
    const { id } = chosenId(values)
    const idColumn = id === undefined ? sql`` : sql`id, `
    const idValue = id === undefined ? sql`` : sql`${id}, `
    // The insert comes first, so that a duplicate registration is reported instead of a full event.
    const { rows } = await sql<{ id: number }>`
      insert into ${sql.table(registrations)} (${idColumn}${sql.ref(key)}, user_id, waiting, created_at, updated_at)
      values (${idValue}${places.id}, ${values.user_id}, ${isFull}, ${now}, ${now}) returning id`.execute(tx.kysely)
    refuseIfClosed(registrable, places, isFull, now)
    return Number(rows[0]?.id)
  }

/** Moves a registration to another user, event or exam. The rules of both apply. */
export const updateRegistration =
  <K extends Key>(registrable: Registrable<K>) =>
  async (tx: Handle, input: ActionInput<Partial<RegistrationValues<K>>>): Promise<number> => {
    const { id, values, now } = input
    const { registrations, key } = registrable
    const before = await findRegistration(tx, registrable, id)
    const about = values[key] ?? before.about
    const userId = values.user_id ?? before.userId
    if (about === before.about && userId === before.userId) return id
    // Sorted, so that two users who swap do not deadlock.
    for (const locked of [about, before.about].sort((one, other) => one - other))
      await lockPlaces(tx, registrable, locked)

    const left = await findPlaces(tx, registrable, before.about)
    const changesPlace = about !== before.about
    if (changesPlace) refuseIfTooLate(registrable, left, before.isWaiting, input)
    const places = changesPlace ? await findPlaces(tx, registrable, about) : left
    const isFull = changesPlace ? (await freePlaces(tx, registrable, places)) === 0 : before.isWaiting
    await sql`
      update ${sql.table(registrations)}
      set ${sql.ref(key)} = ${about}, user_id = ${userId}, waiting = ${isFull}, updated_at = ${now}
      where id = ${id}`.execute(tx.kysely)
    if (!changesPlace) return id
    refuseIfClosed(registrable, places, isFull, now)
    await moveUp(tx, registrable, left, now)
    return id
  }

/** Deletes a registration. Its place goes to the waitlist. */
export const leave =
  (registrable: Registrable) =>
  async (tx: Handle, input: ActionInput): Promise<number> => {
    const { id, now } = input
    const { about, isWaiting } = await findRegistration(tx, registrable, id)
    const places = await findPlaces(tx, registrable, about)
    refuseIfTooLate(registrable, places, isWaiting, input)
    await sql`delete from ${sql.table(registrable.registrations)} where id = ${id}`.execute(tx.kysely)
    await moveUp(tx, registrable, places, now)
    return id
  }

async function findPlaces(tx: Handle, registrable: Registrable, id: number): Promise<Places> {
  const places = await lockPlaces(tx, registrable, id)
  if (!places) throw unprocessable({ [registrable.key]: ['must exist'] })
  return places
}

type Registration = { readonly about: number; readonly userId: number; readonly isWaiting: boolean }

/** The engine has locked the row. */
async function findRegistration(tx: Handle, { registrations, key }: Registrable, id: number): Promise<Registration> {
  const { rows } = await sql<Registration>`
    select ${sql.ref(key)} as about, user_id as "userId", waiting as "isWaiting"
    from ${sql.table(registrations)} where id = ${id}`.execute(tx.kysely)
  return defined(rows[0])
}

function refuseIfClosed({ key }: Registrable, { end_at, waitlist_id }: Places, isFull: boolean, now: Date): void {
  if (end_at <= now) throw unprocessable({ [key]: ['is over'] })
  if (isFull && waitlist_id === null) throw unprocessable({ [key]: ['is full'] })
}

const HOUR_MS = 3_600_000

/** Users may not leave shortly before the begin. Staff may remove them. */
function refuseIfTooLate(
  { key }: Registrable,
  { begin_at, prohibition_of_cancellation: hours = null }: Places,
  isWaiting: boolean,
  { ownOnly, now }: Pick<ActionInput, 'ownOnly' | 'now'>,
): void {
  if (!ownOnly || isWaiting || hours === null) return
  if (now.getTime() > begin_at.getTime() - hours * HOUR_MS) {
    throw unprocessable({ [key]: [message('cannot be left later than {hours} hours before it begins', { hours })] })
  }
}
