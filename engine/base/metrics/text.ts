import type { RegistryContentType } from 'prom-client'
import type { Metric } from './metric.ts'

export type MetricsFormat = 'prometheus' | 'openmetrics'

export const METRICS_TYPES = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const satisfies Record<MetricsFormat, string>

export async function textOf(metrics: readonly Metric[], format: MetricsFormat): Promise<string> {
  const { Registry } = await import('prom-client')
  const registry = new Registry<RegistryContentType>()
  registry.setContentType(METRICS_TYPES[format])
  for (const metric of metrics) {
    const written = format === 'openmetrics' ? withBareName(metric) : metric
    // The registry reads no other properties of a metric.
    Reflect.apply(registry.registerMetric, registry, [{ name: metric.name, get: () => written }])
  }
  return registry.metrics()
}

/** In OpenMetrics, prom-client appends `_total` to a counter's values itself. */
const withBareName = (metric: Metric): Metric =>
  metric.type === 'counter' ? { ...metric, name: metric.name.replace(/_total$/, '') } : metric
