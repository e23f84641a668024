import type { Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { SumMetrics } from '../http/metrics.ts'
import { lazily } from '../lazily.ts'
import type { Outcome } from './attempt-delivery.ts'

const alone: SumMetrics = (own) => async () => (await own()).metrics()

type Sources = {
  readonly sum?: SumMetrics | undefined
  /** Adds what something else counts in this process. */
  readonly addOwn?: (registry: Registry) => Promise<void>
}

/** The metrics of deliveries for Prometheus: what the database knows, and what the processes of this service count. */
export function deliveryMetrics(
  database: Database,
  clock: Clock,
  { sum = alone, addOwn = async () => {} }: Sources = {},
) {
  // Its library takes long to load, and is needed by the first delivery or the first who reads metrics.
  const instruments = lazily(() => createInstruments(addOwn))
  const counted = sum(async () => (await instruments()).own)

  async function look(): Promise<void> {
    const { pending, oldest, failed, rejected, active } = await instruments()
    const rows = await database.rows(
      `select e.id, e.active, count(*) filter (where d.state = 'pending'),
         extract(epoch from $1::timestamptz - min(d.created_at) filter (where d.state = 'pending')),
         count(*) filter (where d.state = 'dead'), count(*) filter (where d.state = 'rejected')
       from endpoints e left join deliveries d on d.endpoint_id = e.id and d.state <> 'delivered' group by e.id`,
      [clock.now().toISOString()],
    )
    for (const one of [pending, oldest, failed, rejected, active]) one.reset()
    for (const [id, isActive, waiting, age, dead, refused] of rows) {
      const endpoint = String(id)
      active.set({ endpoint }, isActive === 't' ? 1 : 0)
      pending.set({ endpoint }, Number(waiting))
      oldest.set({ endpoint }, Math.max(0, Number(age ?? 0)))
      failed.set({ endpoint }, Number(dead))
      rejected.set({ endpoint }, Number(refused))
    }
  }

  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    async text(): Promise<string> {
      await look()
      const { registry } = await instruments()
      return `${await registry.metrics()}\n${await counted()}`
    },
    async count(outcome: Outcome): Promise<void> {
      if (outcome.kind !== 'attempted') return
      const { attempts, seconds } = await instruments()
      const { endpointId, verdict, milliseconds } = outcome
      const endpoint = String(endpointId)
      attempts.inc({ endpoint, result: verdict.state === 'pending' ? 'failed' : verdict.state })
      seconds.observe({ endpoint }, milliseconds / 1000)
    },
  }
}

async function createInstruments(addOwn: NonNullable<Sources['addOwn']>) {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const own = new Registry()
  const labelNames = ['endpoint']
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `campus_deliveries_${name}`, help, labelNames, registers })
  const pending = gauge('pending', 'Deliveries that are pending.')
  const oldest = gauge('oldest_pending_seconds', 'How long the oldest pending delivery has waited.')
  const failed = gauge('failed', 'Deliveries that were given up in the last thirty days.')
  const rejected = gauge('rejected', 'Deliveries that the webservice rejected in the last thirty days.')
  const active = new Gauge({
    name: 'campus_endpoint_active',
    help: 'Whether the endpoint is switched on.',
    labelNames,
    registers,
  })
  const attempts = new Counter({
    name: 'campus_delivery_tries_total',
    help: 'Attempts of this service, by result.',
    registers: [own],
    labelNames: ['endpoint', 'result'],
  })
  const seconds = new Histogram({
    name: 'campus_delivery_duration_seconds',
    help: 'How long attempts of this service took.',
    labelNames,
    registers: [own],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  })
  await addOwn(own)
  return { registry, own, pending, oldest, failed, rejected, active, attempts, seconds }
}
