import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/** Waiting background work: its number, and since when the first is due. */
export type Queue = {
  readonly name: 'mails' | 'deliveries' | 'webhook_deliveries' | 'pdf_jobs'
  readonly waiting: number
  readonly oldestDueAt: Date | null
}

const MAX_COUNTED = 10_000

/** Returns the work of each queue. Counts are limited. */
export async function queues({ kysely }: Pick<Handle, 'kysely'>): Promise<Queue[]> {
  const one = (name: Queue['name'], condition: string) =>
    sql`select ${name} as name, count(*)::int as waiting, min(due_at) as "oldestDueAt"
      from (select due_at from ${sql.table(name)} where ${sql.raw(condition)} order by due_at limit ${MAX_COUNTED}) waiting`
  const { rows } = await sql<Queue>`
    ${one('mails', 'decided_at is null')} union all ${one('deliveries', "state = 'pending'")}
    union all ${one('webhook_deliveries', "state = 'pending'")} union all ${one('pdf_jobs', 'due_at is not null')}`.execute(
    kysely,
  )
  return rows
}

/** Returns the calls of applications in the last day: all, refused, and failed by the service. */
export async function callsOfDay({ kysely }: Pick<Handle, 'kysely'>, now: Date) {
  const { rows } = await sql<{ made: number; refused: number; failed: number }>`
    select coalesce(sum(made), 0)::int as made, coalesce(sum(made) filter (where status between 400 and 499), 0)::int as refused,
      coalesce(sum(made) filter (where status >= 500), 0)::int as failed
    from application_route_calls where hour > ${new Date(now.getTime() - 86_400_000)}`.execute(kysely)
  return rows[0] ?? { made: 0, refused: 0, failed: 0 }
}
