import { counter, described, gauge, type Metric } from '../../base/metrics/metric.ts'

export const streamMetrics = ({ count, cut }: { readonly count: number; readonly cut: number }): readonly Metric[] => [
  gauge(described('streams_open', 'Streams of changes that are open.'), count),
  counter(described('streams_cut_total', 'Streams cut because their readers did not read.'), cut),
]
