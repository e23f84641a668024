import type { describeMachine } from '../report.ts'

/** A measurement with its reference of the same run. */
export type ScaleLine = {
  readonly name: string
  readonly ours: string
  /** With what it is. */
  readonly reference: string
  /** Value that is compared with the aim. */
  readonly measured: string
  readonly aim: string
  readonly isReached: boolean
}

/** Medians, in milliseconds, and of the ratios of each round. */
export type Times = { readonly ours: number; readonly reference: number; readonly ratio: number }

/** Measures both in turns, so that a machine that becomes slower or faster meanwhile does so for both. */
export async function alternate(
  rounds: number,
  ours: () => Promise<unknown>,
  reference: () => Promise<unknown>,
  before: () => Promise<unknown> = async () => {},
): Promise<Times> {
  const samples: { readonly ours: number; readonly reference: number }[] = []
  await ours() // The first of all pays for what is prepared.
  for (let round = 0; round < rounds; round += 1) {
    const other = round % 2 === 0 ? 0 : await timed(reference)
    await before()
    const own = await timed(ours)
    samples.push({ ours: own, reference: other || (await timed(reference)) })
  }
  return {
    ours: median(samples.map((sample) => sample.ours)),
    reference: median(samples.map((sample) => sample.reference)),
    ratio: median(samples.map((sample) => sample.ours / sample.reference)),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] as number

export const milliseconds = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`

/** A line about times that may be so many milliseconds at most. */
export const withinMilliseconds = (
  name: string,
  { ours, reference }: Times,
  beside: string,
  aim: number,
): ScaleLine => ({
  name,
  ours: milliseconds(ours),
  reference: `${milliseconds(reference)}, ${beside}`,
  measured: milliseconds(ours),
  aim: `≤ ${aim} ms`,
  isReached: ours <= aim,
})

/** A line about times that may be so many times those of the reference at most. */
export const withinRatio = (
  name: string,
  { ours, reference, ratio }: Times,
  beside: string,
  aim: number,
): ScaleLine => ({
  name,
  ours: milliseconds(ours),
  reference: `${milliseconds(reference)}, ${beside}`,
  measured: `${ratio.toFixed(2)} ×`,
  aim: `≤ ${aim} ×`,
  isReached: ratio <= aim,
})

/** Returns the lines as a table in Markdown. */
export function formatLines(machine: ReturnType<typeof describeMachine>, lines: readonly ScaleLine[]): string {
  const { processor, cores, memoryGigabytes, node, database, rows } = machine
  const counts = Object.entries(rows).map(([table, count]) => `${count.toLocaleString('en')} ${table}`)
  return [
    `${processor}, ${cores} cores, ${memoryGigabytes} GB; Node ${node}`,
    `${database}; ${counts.join(', ')}`,
    '',
    '| | ours | reference | measured | aimed at | |',
    '|---|---|---|---|---|---|',
    ...lines.map(
      ({ name, ours, reference, measured, aim, isReached }) =>
        `| ${[name, ours, reference, measured, aim, isReached ? 'reached' : '**missed**'].join(' | ')} |`,
    ),
  ].join('\n')
}
