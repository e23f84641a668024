import { counter, gauge, type Metric } from '../../base/metrics/metric.ts'
import { metricName } from '../../base/service.ts'

export const streamMetrics = ({ count, cut }: { readonly count: number; readonly cut: number }): readonly Metric[] => [
  gauge({ name: metricName('streams_open'), help: 'Streams of changes that are open.' }, count),
  counter({ name: metricName('streams_cut_total'), help: 'Streams cut because their readers did not read.' }, cut),
]
