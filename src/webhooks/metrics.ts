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
    const { endpointId: endpoint, deliveryResult, milliseconds } = outcome
    this.#attempts.add({ endpoint, result: deliveryResult.state === 'pending' ? 'failed' : deliveryResult.state })
    this.#seconds.observe({ endpoint }, milliseconds / 1000)
  }

  collect(): readonly Metric[] {
    return [this.#attempts.collect(), this.#seconds.collect()]
  }
}

/** Endpoints and their deliveries in the database. */
export async function deliveryMetrics(database: Database, clock: Clock): Promise<readonly Metric[]> {
  const rows = await database.rows(
    `select e.id, e.active, count(*) filter (where d.state = 'pending'),
       extract(epoch from $1::timestamptz - min(${pendingSince('d')}) filter (where d.state = 'pending')),
       count(*) filter (where d.state = 'dead'), count(*) filter (where d.state = 'rejected')
     from endpoints e left join deliveries d on d.endpoint_id = e.id and d.state <> 'delivered' group by e.id`,
    [clock.now().toISOString()],
  )
  const column = (at: number, read: (text: string | null | undefined) => number = Number): Value[] =>
    rows.map((row) => ({ labels: { endpoint: String(row[0]) }, value: read(row[at]) }))
  const deliveries = (what: string, help: string, values: Value[]) =>
    gauge({ name: `campus_deliveries_${what}`, help }, values)
  return [
    gauge(
      { name: 'campus_endpoint_active', help: 'Whether the endpoint is switched on, by endpoint.' },
      column(1, (active) => (active === 't' ? 1 : 0)),
    ),
    deliveries('pending', 'Deliveries that are pending, by endpoint.', column(2)),
    deliveries(
      'oldest_pending_seconds',
      'How long the oldest pending delivery has waited, by endpoint.',
      column(3, (age) => Math.max(0, Number(age ?? 0))),
    ),
    deliveries('failed', 'Deliveries that were given up in the last thirty days, by endpoint.', column(4)),
    deliveries('rejected', 'Deliveries that the webservice rejected in the last thirty days, by endpoint.', column(5)),
  ]
}
