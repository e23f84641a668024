import type { Handle } from '@campus/engine/database/database'
import { inBatches } from '@campus/engine/database/in-batches'
import { type RawBuilder, sql } from 'kysely'
import { formsOf } from './redact.ts'

export type Identity = {
  readonly login: string
  readonly email: string
  readonly phone: string | null
  readonly first_name: string
  readonly last_name: string
  readonly usual_first_name: string | null
}

/**
 * Erases stored answers and callbacks that contain the login, e-mail address, telephone number or full name of a user who is
 * being anonymized. `eraseLateAnswers` erases what arrives later.
 */
export async function eraseAnswersNaming(tx: Handle, user: Identity): Promise<void> {
  const anyOf = (text: RawBuilder<unknown>, texts: readonly (string | null)[]) => {
    const forms = texts.flatMap((one) => (one ? formsOf(one) : []))
    return sql`${text} ilike any(${forms.map((form) => `%${form.replace(/[\\%_]/g, '\\$&')}%`)}::text[])`
  }
  const naming = (text: RawBuilder<unknown>) => sql`(${anyOf(text, [user.login, user.email, user.phone])}
    or ${anyOf(text, [user.first_name, user.usual_first_name])} and ${anyOf(text, [user.last_name])})`
  // Waiting for deliveries that are just being recorded could deadlock.
  for (const table of ['deliveries', 'webhook_deliveries'])
    await sql`update ${sql.table(table)} set answer = null where id in (
      select id from ${sql.table(table)} where answer is not null and ${naming(sql`answer`)} for update skip locked)`.execute(
      tx.kysely,
    )
  await sql`delete from callbacks where ${naming(sql`concat(url, initial_data, response_data)`)}`.execute(tx.kysely)
}

/** Attempts carry the former name until the user is anonymized, and their answers are recorded a little later. */
const AROUND = { before: '1 minute', after: '10 minutes' }
/** Exceeds the time for which a delivery is retried. */
const LATE_DAYS = 7
const DAY_MS = 86_400_000

/**
 * Erases answers of applications that may name a recently anonymized user: those recorded around that time, and those to
 * deliveries of the user's own record.
 */
export async function eraseLateAnswers({ kysely }: Pick<Handle, 'kysely'>, now: Date): Promise<void> {
  const earliest = new Date(now.getTime() - LATE_DAYS * DAY_MS)
  await inBatches(async (maxRows) => {
    const { numAffectedRows } = await sql`update webhook_deliveries set answer = null where id in (
      select d.id from users u
      join webhook_deliveries d on d.answer is not null
      join webhooks w on w.id = d.webhook_id
      where u.anonymized_at > ${earliest} and (
        d.updated_at between u.anonymized_at - ${AROUND.before}::interval and u.anonymized_at + ${AROUND.after}::interval
        or w.relation = 'users' and d.record_id = u.id)
      limit ${maxRows} for update of d skip locked)`.execute(kysely)
    return Number(numAffectedRows ?? 0)
  })
}
