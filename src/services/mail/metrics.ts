import type { Clock } from '../../base/clock.ts'
import { Counter } from '../../base/metrics/counter.ts'
import { gauge, type Metric } from '../../base/metrics/metric.ts'
import type { Handle } from '../../database/database.ts'

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
