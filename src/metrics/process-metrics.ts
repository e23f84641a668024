import { performance } from 'node:perf_hooks'
import { once } from '../once.ts'
import { counter, type Family, gauge } from './family.ts'

/** Gauges that end as only counters may (OpenMetrics), and what a sum over processes would say wrongly. */
const LEFT_OUT =
  /^nodejs_active_\w+_total$|^nodejs_eventloop_lag_(min|max|mean|stddev)_seconds$|^process_start_time_seconds$/

/**
 * What the library knows of this process: processor time, memory, garbage collection, lag of the event loop. It measures from
 * the first time on that somebody reads metrics, and so costs nobody else anything.
 */
const library = once(async () => {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
})

/** The metrics of this process. */
export async function processMetrics(): Promise<readonly Family[]> {
  const known = (await (await library()).getMetricsAsJSON()) as unknown as readonly Family[]
  const { active, idle } = performance.eventLoopUtilization()
  return [
    ...known.filter(({ name }) => !LEFT_OUT.test(name)),
    counter(
      { name: 'campus_event_loop_active_seconds_total', help: 'Time in which the event loop had something to do.' },
      active / 1000,
    ),
    counter(
      {
        name: 'campus_event_loop_idle_seconds_total',
        help: 'Time in which the event loop waited for something to do.',
      },
      idle / 1000,
    ),
    gauge({ name: 'campus_processes', help: 'Processes that serve.' }, 1),
  ]
}
