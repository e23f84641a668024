import type { ActionInput } from '@campus/engine/actions'
import type { Message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { readRow } from '../rows.ts'
import { EVENTS, EXAMS, hasWaiting, lockPlaces, type Registrable } from './places.ts'

export async function openWaitlist(tx: Handle, { table, key }: Registrable, id: number, now: Date): Promise<void> {
  await sql`
    with opened as (
      insert into waitlists (${sql.ref(key)}, created_at, updated_at) values (${id}, ${now}, ${now}) returning id)
    update ${sql.table(table)} set waitlist_id = opened.id from opened where ${sql.table(table)}.id = ${id}`.execute(
    tx.kysely,
  )
}

/** Throws 422 in the name of `field` if users are on the waitlist. */
export async function closeWaitlist(tx: Handle, registrable: Registrable, id: number, field: string): Promise<void> {
  if (await hasWaiting(tx, registrable, id)) {
    const fault: Message =
      field === 'base' ? 'cannot be removed while somebody waits' : 'cannot be false while somebody waits'
    throw unprocessable({ [field]: [fault] })
  }
  await sql`delete from waitlists where ${sql.ref(registrable.key)} = ${id}`.execute(tx.kysely)
}

export async function removeWaitlist(tx: Handle, { id }: ActionInput): Promise<number> {
  const { event_id, exam_id } = await readRow(tx, 'waitlists', id, ['event_id', 'exam_id'])
  const [registrable, about] = event_id === null ? [EXAMS, Number(exam_id)] : [EVENTS, event_id]
  await lockPlaces(tx, registrable, about)
  await closeWaitlist(tx, registrable, about, 'base')
  return id
}
