import type { Insertable } from 'kysely'
import type { ActionInput } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import type { Events } from '../database/schema.ts'
import { unprocessable } from '../errors.ts'
import { lockEvent, moveUp } from './places.ts'

/** Announces an event, with a waitlist where that is asked for. */
export async function createEvent(tx: Handle, { values, now }: ActionInput): Promise<number> {
  const { activate_waitlist: wantsWaitlist, ...columns } = values
  const { id } = await tx.kysely
    .insertInto('events')
    .values({ ...(columns as Insertable<Events>), created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (wantsWaitlist === true) await openWaitlist(tx, id, now)
  return id
}

/** Changes an event. Where that leaves places free, those who wait move up. */
export async function updateEvent(tx: Handle, { id, values, along, now }: ActionInput): Promise<number> {
  const { activate_waitlist: wantsWaitlist, ...columns } = values
  const before = await lockEvent(tx, id)
  const hasWaitlist = before?.waitlist_id != null
  const changesWaitlist = typeof wantsWaitlist === 'boolean' && wantsWaitlist !== hasWaitlist
  if (Object.keys(columns).length + along.size > 0 || changesWaitlist) {
    await tx.kysely
      .updateTable('events')
      .set({ ...columns, updated_at: now })
      .where('id', '=', id)
      .execute()
  }
  const event = await lockEvent(tx, id)
  if (changesWaitlist && wantsWaitlist) await openWaitlist(tx, id, now)
  if (event) await moveUp(tx, event, now)
  if (changesWaitlist && !wantsWaitlist) await closeWaitlist(tx, id)
  return id
}

async function openWaitlist(tx: Handle, eventId: number, now: Date): Promise<void> {
  const { id } = await tx.kysely
    .insertInto('waitlists')
    .values({ waitlistable_id: eventId, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.kysely.updateTable('events').set({ waitlist_id: id }).where('id', '=', eventId).execute()
}

/** Nobody is sent away unheard: while people wait, the waitlist stays. */
async function closeWaitlist(tx: Handle, eventId: number): Promise<void> {
  const waiting = await tx.kysely
    .selectFrom('events_users')
    .select('id')
    .where('event_id', '=', eventId)
    .where('waiting', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (waiting) throw unprocessable({ activate_waitlist: ['cannot be false while somebody waits'] })
  await tx.kysely.deleteFrom('waitlists').where('waitlistable_id', '=', eventId).execute()
}
