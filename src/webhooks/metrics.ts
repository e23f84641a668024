import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { Tried } from './try-call.ts'

/** What Prometheus is told of outgoing calls: the gauges of all processes together, the rest of this one alone. */
export function deliveryMetrics(database: Database, clock: Clock) {
  const registry = new Registry()
  const registers = [registry]
  const labelNames = ['endpoint']
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `campus_deliveries_${name}`, help, labelNames, registers })
  const pending = gauge('pending', 'Calls that are yet to succeed.')
  const oldest = gauge('oldest_pending_seconds', 'How long the oldest call that is yet to succeed has waited.')
  const failed = gauge('failed', 'Calls that were given up in the last thirty days.')
  const rejected = gauge('rejected', 'Calls that the webservice refused for good in the last thirty days.')
  const active = new Gauge({
    name: 'campus_endpoint_active',
    help: 'Whether the webservice is called.',
    labelNames,
    registers,
  })
  const tries = new Counter({
    name: 'campus_delivery_tries_total',
    help: 'Tries of this process, by what came of them.',
    registers,
    labelNames: ['endpoint', 'result'],
  })
  const seconds = new Histogram({
    name: 'campus_delivery_duration_seconds',
    help: 'How long tries of this process took.',
    labelNames,
    registers,
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  })

  async function look(): Promise<void> {
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
    contentType: registry.contentType,
    async text(): Promise<string> {
      await look()
      return registry.metrics()
    },
    count(tried: Tried): void {
      if (tried.kind !== 'tried') return
      const endpoint = String(tried.endpointId)
      tries.inc({ endpoint, result: tried.verdict.state === 'pending' ? 'failed' : tried.verdict.state })
      seconds.observe({ endpoint }, tried.milliseconds / 1000)
    },
  }
}
