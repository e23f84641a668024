import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { Counter } from '../base/metrics/counter.ts'
import { Histogram } from '../base/metrics/histogram.ts'
import { gauge, type Metric, type Value } from '../base/metrics/metric.ts'
import type { Database } from '../database/database.ts'
import type { Outcome } from './attempt-delivery.ts'
import { pendingSince } from './delivery-states.ts'

/** Attempts of this process. */
export class AttemptMetrics {
  readonly #attempts = new Counter(
    { name: 'campus_delivery_attempts_total', help: 'Attempts of this service, by endpoint and result.' },
    ['endpoint', 'result'],
  )
  readonly #seconds = new Histogram(
    {
      name: 'campus_delivery_duration_seconds',
      help: 'How long attempts of this service took, by endpoint.',
      bounds: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    },
    ['endpoint'],
  )

  count(outcome: Outcome): void {
    if (outcome.kind !== 'attempted') return
    const { subscriptionId: endpoint, deliveryResult, milliseconds } = outcome
    this.#attempts.add({ endpoint, result: deliveryResult.state === 'pending' ? 'failed' : deliveryResult.state })
    this.#seconds.observe({ endpoint }, milliseconds / 1000)
  }

  collect(): readonly Metric[] {
    return [this.#attempts.collect(), this.#seconds.collect()]
  }
}

type Counts = Readonly<Record<'endpoint' | 'active' | 'pending' | 'oldest' | 'dead' | 'rejected', number>>

/** Endpoints and their deliveries in the database. */
export async function deliveryMetrics(database: Database, clock: Clock): Promise<readonly Metric[]> {
  const { rows } = await sql<Counts>`
    select e.id as endpoint, e.active::int as active, count(*) filter (where d.state = 'pending')::int as pending,
       coalesce(greatest(0, extract(epoch from ${clock.now().toISOString()}::timestamptz
         - min(${sql.raw(pendingSince('d'))}) filter (where d.state = 'pending'))), 0)::float8 as oldest,
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
      column('active'),
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
