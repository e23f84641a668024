import type { Clock } from '@campus/engine/base/clock'
import { Counter } from '@campus/engine/base/metrics/counter'
import { gauge, type Metric } from '@campus/engine/base/metrics/metric'
import type { Handle } from '@campus/engine/database/database'

/** Counts attempts to send mails. */
export const mailAttempts = () =>
  new Counter(
    {
      name: 'campus_mail_attempts_total',
      help: 'Attempts to send a mail, by kind and result (sent, unneeded, deferred, refused).',
    },
    ['kind', 'result'],
  )

/** Mails in the database. */
export async function mailMetrics({ kysely }: Handle, clock: Clock): Promise<readonly Metric[]> {
  const { late } = await kysely
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<string>().as('late'))
    .where('decided_at', 'is', null)
    .where(({ or, eb }) => or([eb('tries', '>', 0), eb('due_at', '<=', clock.now())]))
    .executeTakeFirstOrThrow()
  return [gauge({ name: 'campus_mails_late', help: 'Mails that should have been sent by now.' }, Number(late))]
}
