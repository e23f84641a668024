import type { Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { lazily } from '../lazily.ts'
import type { Outcome } from './attempt-delivery.ts'

/** Adds metrics of something else. */
type AddMetrics = (registry: Registry) => Promise<void>

/** The metrics of deliveries for Prometheus, and of others: the gauges of all processes together, the rest of this one alone. */
export function deliveryMetrics(database: Database, clock: Clock, addOthers: AddMetrics = async () => {}) {
  // Its library takes long to load, and is needed by the first delivery or the first who reads metrics.
  const instruments = lazily(() => createInstruments(addOthers))

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
      return (await instruments()).registry.metrics()
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

async function createInstruments(addOthers: AddMetrics) {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
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
    help: 'Attempts of this process, by result.',
    registers,
    labelNames: ['endpoint', 'result'],
  })
  const seconds = new Histogram({
    name: 'campus_delivery_duration_seconds',
    help: 'How long attempts of this process took.',
    labelNames,
    registers,
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  })
  await addOthers(registry)
  return { registry, pending, oldest, failed, rejected, active, attempts, seconds }
}
