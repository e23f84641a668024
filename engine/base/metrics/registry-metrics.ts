import type { Registry } from 'prom-client'
import type { Metric } from './metric.ts'

/** Returns the metrics of a registry of prom-client, whose types name the type and aggregator of a metric wrongly. */
export const metricsOf = async (registry: Registry): Promise<readonly Metric[]> =>
  // biome-ignore lint/plugin: the library types the type of a metric as a number, and it is its name
  (await registry.getMetricsAsJSON()) as never
