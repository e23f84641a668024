import type { Clock } from '@campus/engine/base/clock'
import { defined } from '@campus/engine/base/defined'
import { Counter } from '@campus/engine/base/metrics/counter'
import { Histogram } from '@campus/engine/base/metrics/histogram'
import { gauge, type Metric, type Value } from '@campus/engine/base/metrics/metric'
import type { Database } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { Outcome } from './attempt-delivery.ts'
import { pendingSince } from './delivery-states.ts'

const BOUNDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15]

/** Attempts of this process: to campuses by endpoint, to applications in total, since the number of webhooks is not limited. */
export class AttemptMetrics {
  readonly #toCampuses = {
    attempts: new Counter(
      { name: 'campus_delivery_attempts_total', help: 'Attempts of this service, by endpoint and result.' },
      ['endpoint', 'result'],
    ),
    seconds: new Histogram(
      {
        name: 'campus_delivery_duration_seconds',
        help: 'How long attempts of this service took, by endpoint.',
        bounds: BOUNDS,
      },
      ['endpoint'],
    ),
  }
  readonly #toApplications = {
    attempts: new Counter(
      {
        name: 'campus_webhook_attempts_total',
        help: 'Attempts of this service to deliver webhooks to applications, by result.',
      },
      ['result'],
    ),
    seconds: new Histogram({
      name: 'campus_webhook_duration_seconds',
      help: 'How long attempts of this service to deliver webhooks to applications took.',
      bounds: BOUNDS,
    }),
  }

  countToCampus(outcome: Outcome): void {
    if (outcome.kind !== 'attempted') return
    const { subscriptionId: endpoint, milliseconds } = outcome
    this.#toCampuses.attempts.add({ endpoint, result: resultOf(outcome) })
    this.#toCampuses.seconds.observe({ endpoint }, milliseconds / 1000)
  }

  countToApplication(outcome: Outcome): void {
    if (outcome.kind === 'released') return
    const isAttempt = outcome.kind === 'attempted'
    this.#toApplications.attempts.add({ result: isAttempt ? resultOf(outcome) : 'withheld' })
    if (isAttempt) this.#toApplications.seconds.observe({}, outcome.milliseconds / 1000)
  }

  collect(): readonly Metric[] {
    return [this.#toCampuses, this.#toApplications].flatMap(({ attempts, seconds }) => [
      attempts.collect(),
      seconds.collect(),
    ])
  }
}

const resultOf = ({ deliveryResult: { state } }: Extract<Outcome, { kind: 'attempted' }>) =>
  state === 'pending' ? 'failed' : state

type Totals = Readonly<Record<'enabled' | 'disabled' | 'pending' | 'oldest', number>>

export async function webhookMetrics(database: Database, clock: Clock): Promise<readonly Metric[]> {
  const { rows } = await sql<Totals>`
    select (select count(*)::int from webhooks where active) as enabled,
      (select count(*)::int from webhooks where not active) as disabled,
      count(*)::int as pending, ${oldestPending(clock)} as oldest
    from webhook_deliveries d where state = 'pending'`.execute(database.kysely)
  const { enabled, disabled, pending, oldest } = defined(rows[0])
  const one = (value: number) => [{ labels: {}, value }]
  return [
    gauge({ name: 'campus_webhooks', help: 'Webhooks of applications, by state (active, inactive).' }, [
      { labels: { state: 'active' }, value: enabled },
      { labels: { state: 'inactive' }, value: disabled },
    ]),
    gauge(
      { name: 'campus_webhook_deliveries_pending', help: 'Deliveries to applications that are pending.' },
      one(pending),
    ),
    gauge(
      {
        name: 'campus_webhook_deliveries_oldest_pending_seconds',
        help: 'How long the oldest pending delivery to an application has waited.',
      },
      one(oldest),
    ),
  ]
}

/** Seconds for which the oldest pending delivery `d` has waited, or 0. */
const oldestPending = (
  clock: Clock,
) => sql`coalesce(greatest(0, extract(epoch from ${clock.now().toISOString()}::timestamptz
  - min(${sql.raw(pendingSince('d'))}) filter (where d.state = 'pending'))), 0)::float8`

type Counts = Readonly<Record<'endpoint' | 'enabled' | 'pending' | 'oldest' | 'dead' | 'rejected', number>>

export async function deliveryMetrics(database: Database, clock: Clock): Promise<readonly Metric[]> {
  const { rows } = await sql<Counts>`
    select e.id as endpoint, e.active::int as enabled, count(*) filter (where d.state = 'pending')::int as pending,
       ${oldestPending(clock)} as oldest,
       count(*) filter (where d.state = 'dead')::int as dead, count(*) filter (where d.state = 'rejected')::int as rejected
     from endpoints e left join deliveries d on d.endpoint_id = e.id and d.state <> 'delivered' group by e.id`.execute(
    database.kysely,
  )
  const column = (name: keyof Counts): Value[] =>
    rows.map((row) => ({ labels: { endpoint: String(row.endpoint) }, value: row[name] }))
  const deliveries = (what: string, help: string, values: Value[]) =>
    gauge({ name: `campus_deliveries_${what}`, help }, values)
  return [
    gauge(
      { name: 'campus_endpoint_active', help: 'Whether the endpoint is switched on, by endpoint.' },
      column('enabled'),
    ),
    deliveries('pending', 'Deliveries that are pending, by endpoint.', column('pending')),
    deliveries(
      'oldest_pending_seconds',
      'How long the oldest pending delivery has waited, by endpoint.',
      column('oldest'),
    ),
    deliveries('failed', 'Deliveries that were given up in the last thirty days, by endpoint.', column('dead')),
    deliveries(
      'rejected',
      'Deliveries that the webservice rejected in the last thirty days, by endpoint.',
      column('rejected'),
    ),
  ]
}
