import type { Sample } from './load.ts'

/** The two servers that take turns. */
const SIDES = ['ours', 'bare'] as const
export type Side = (typeof SIDES)[number]

/** Both sides of one line. Samples are the medians of the rounds. */
export type Comparison = {
  readonly ours: Sample
  readonly bare: Sample
  /** Requests per second of ours by those of bare: the median of what each round gave. */
  readonly ratio: number
}

/** Alternates the first side (ABBA), so that a change of the machine's speed affects both sides alike. */
export const orderOf = (round: number): readonly Side[] => (round % 2 === 0 ? SIDES : SIDES.toReversed())

/** Summarizes the rounds. Both lists hold one sample of each round. */
export function compare(samples: Readonly<Record<Side, readonly Sample[]>>): Comparison {
  const ratios = samples.ours.map((sample, round) => {
    return sample.requestsPerSecond / (samples.bare[round] as Sample).requestsPerSecond
  })
  return { ours: medianSample(samples.ours), bare: medianSample(samples.bare), ratio: median(ratios) }
}

const medianSample = (samples: readonly Sample[]): Sample => ({
  requestsPerSecond: median(samples.map(({ requestsPerSecond }) => requestsPerSecond)),
  p50: median(samples.map(({ p50 }) => p50)),
  p99: median(samples.map(({ p99 }) => p99)),
})

/** The value in the middle, or between the two there. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
}
