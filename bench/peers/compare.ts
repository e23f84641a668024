import type { Database } from '@campus/engine/database/database'
import type { Request } from 'autocannon'
import { type Asking, type Load, measure } from '../load.ts'
import { median } from '../rounds.ts'
import { ask } from './ask.ts'
import { settle } from './database.ts'
import { databaseSeconds, findPostmaster, processorSecondsOf } from './processor.ts'
import type { Question } from './questions.ts'
import type { Side } from './sides.ts'

/** Result of a stretch of load, or medians of several. */
export type Sample = {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time of a request, of the server and of the database; that of the database is NaN where it is elsewhere. */
  readonly ownMilliseconds: number
  readonly databaseMilliseconds: number
}

/** One question; samples and ratios are in the order of the sides. */
export type Line = {
  readonly name: string
  readonly samples: readonly Sample[]
  /** Requests a second of the first by those of each: the median of what each round gave. */
  readonly ratios: readonly number[]
}

const WARM_UP_SECONDS = 3
/** Minimum number of responses for each connection in a stretch of load. */
const ANSWERS = 5

type Options = Load & { readonly rounds: number }

/** Measures every question, round by round, in turns, and lets all of them rest between stretches. */
export async function compareSides(
  database: Database,
  sides: readonly Side[],
  questions: readonly Question[],
  { rounds, ...load }: Options,
  onQuestion: (round: number, name: string) => void,
): Promise<Line[]> {
  const postmaster = await findPostmaster(database)
  const stretch = async (side: Side, question: Question, seconds: number) => {
    await settle(database)
    const sample = await measureOnce(side, question, { ...load, seconds }, postmaster)
    // Waits for requests that were cut off at the end.
    await askOnce(side, question)
    return sample
  }
  const minSeconds: number[] = []
  for (const question of questions) {
    onQuestion(0, question.name)
    const alone: number[] = []
    for (const side of sides) alone.push(await timeAlone(side, question))
    const least = Math.max(...alone) * load.connections * ANSWERS
    minSeconds.push(least)
    for (const side of sides) await stretch(side, question, Math.max(WARM_UP_SECONDS, least))
  }
  const measured = questions.map(() => sides.map(() => [] as Sample[]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [row, question] of questions.entries()) {
      onQuestion(round + 1, question.name)
      for (const column of orderOf(sides.length, round)) {
        measured[row]?.[column]?.push(
          await stretch(sides[column] as Side, question, Math.max(load.seconds, minSeconds[row] as number)),
        )
      }
    }
  }
  return questions.map(({ name }, row) => lineOf(name, measured[row] as Sample[][]))
}

/** Returns the order of servers in a round: there and back twice, then beginning with the next server. */
export function orderOf(count: number, round: number): readonly number[] {
  const order = Array.from({ length: count }, (_, index) => (index + (round >> 1)) % count)
  return round % 2 === 0 ? order : order.reverse()
}

/** Summarizes the rounds of a question. Each list holds one sample of each round. */
export function lineOf(name: string, measured: readonly (readonly Sample[])[]): Line {
  const [ours = []] = measured
  const rate = (sample: Sample | undefined) => sample?.requestsPerSecond ?? Number.NaN
  return {
    name,
    samples: measured.map(medianSample),
    ratios: measured.map((samples) => median(ours.map((sample, round) => rate(sample) / rate(samples[round])))),
  }
}

function medianSample(samples: readonly Sample[]): Sample {
  const of = (part: keyof Sample) => median(samples.map((sample) => sample[part]))
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    ownMilliseconds: of('ownMilliseconds'),
    databaseMilliseconds: of('databaseMilliseconds'),
  }
}

/** Seconds of an answer without concurrency, without the first one. */
async function timeAlone(side: Side, question: Question): Promise<number> {
  await askOnce(side, question)
  const begin = performance.now()
  await askOnce(side, question)
  return (performance.now() - begin) / 1000
}

async function askOnce(side: Side, question: Question): Promise<void> {
  const { target, asked } = askingOf(side, question)
  await ask(target, typeof asked === 'function' ? asked() : (asked[0] as Request))
}

function askingOf({ dialect, running: { target, writer } }: Side, { isWrite, ask }: Question): Asking {
  return { target: isWrite && writer ? { ...target, headers: writer } : target, asked: ask(dialect) }
}

async function measureOnce(
  side: Side,
  question: Question,
  load: Load,
  postmaster: number | undefined,
): Promise<Sample> {
  const asking = askingOf(side, question)
  const { pid } = side.running
  const seconds = async () => [
    await processorSecondsOf(pid),
    postmaster ? await databaseSeconds(postmaster) : Number.NaN,
  ]
  const [ownBefore, databaseBefore] = (await seconds()) as [number, number]
  const { answers, ...sample } = await measure(asking, load)
  const [own, database] = (await seconds()) as [number, number]
  return {
    ...sample,
    ownMilliseconds: ((own - ownBefore) / answers) * 1000,
    databaseMilliseconds: ((database - databaseBefore) / answers) * 1000,
  }
}
