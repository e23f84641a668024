import { counter, gauge, type Metric } from '../../base/metrics/metric.ts'
import { metricName } from '../../base/service.ts'
import type { CacheFigures } from './cached-answers.ts'

export const cacheMetrics = ({ hits, misses, evictions, bytes, entries }: CacheFigures): readonly Metric[] => [
  counter({ name: name('hits_total'), help: 'Answers sent from memory.' }, hits),
  counter({ name: name('misses_total'), help: 'Answers made anew where the route keeps them.' }, misses),
  counter({ name: name('evictions_total'), help: 'Answers dropped for want of room.' }, evictions),
  gauge({ name: name('bytes'), help: 'What the answers in memory take.' }, bytes),
  gauge({ name: name('entries'), help: 'Answers in memory.' }, entries),
]

const name = (what: string) => metricName(`response_cache_${what}`)
