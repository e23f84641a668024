import { gauge, type Metric } from '../../base/metrics/metric.ts'

/** How many clients watch by this process. */
export const streamMetrics = (open: number): readonly Metric[] => [
  gauge({ name: 'campus_streams_open', help: 'Streams of changes that are open.' }, open),
]
