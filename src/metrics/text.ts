import type { Family } from './family.ts'

export type MetricsFormat = 'prometheus' | 'openmetrics'

export const METRICS_TYPES = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const satisfies Record<MetricsFormat, string>

/** The families as a text. The library that writes it takes long to load, and is needed by whoever reads metrics. */
export async function textOf(families: readonly Family[], format: MetricsFormat): Promise<string> {
  const { Registry } = await import('prom-client')
  const registry = new Registry()
  registry.setContentType(METRICS_TYPES[format] as never)
  for (const family of families) {
    const written = format === 'openmetrics' ? withBareName(family) : family
    registry.registerMetric({ name: family.name, get: () => written } as never)
  }
  return registry.metrics()
}

/** OpenMetrics names a family of counters without `_total`, which the library puts behind each of its values. */
const withBareName = (family: Family): Family =>
  family.type === 'counter' ? { ...family, name: family.name.replace(/_total$/, '') } : family
