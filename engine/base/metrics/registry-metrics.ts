import type { Registry } from 'prom-client'
import type { Metric } from './metric.ts'

/** The metrics of a registry of prom-client. Its types call the type and the aggregator of a metric other than they are. */
export const metricsOf = async (registry: Registry): Promise<readonly Metric[]> =>
  // biome-ignore lint/plugin: the library types the type of a metric as a number, and it is its name
  (await registry.getMetricsAsJSON()) as never
