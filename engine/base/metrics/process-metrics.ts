import { performance } from 'node:perf_hooks'
import { once } from '../once.ts'
import { counter, described, gauge, type Metric } from './metric.ts'
import { metricsOf } from './registry-metrics.ts'

/** Gauges with names that OpenMetrics reserves for counters, and values that cannot be added up over processes. */
const LEFT_OUT =
  /^nodejs_active_\w+_total$|^nodejs_eventloop_lag_(min|max|mean|stddev)_seconds$|^process_start_time_seconds$/

/** The default metrics of prom-client. They are loaded and measured from the first scrape on. */
const library = once(async () => {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
})

export async function processMetrics(): Promise<readonly Metric[]> {
  const known = await metricsOf(await library())
  const { active, idle } = performance.eventLoopUtilization()
  return [
    ...known.filter(({ name }) => !LEFT_OUT.test(name)),
    counter(
      described('event_loop_active_seconds_total', 'Time in which the event loop had something to do.'),
      active / 1000,
    ),
    counter(
      described('event_loop_idle_seconds_total', 'Time in which the event loop waited for something to do.'),
      idle / 1000,
    ),
    gauge(described('processes', 'Processes that serve.'), 1),
  ]
}
