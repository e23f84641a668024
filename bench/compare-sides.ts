import { measure, type Sample } from './load.ts'
import type { Options } from './options.ts'
import type { Line } from './report.ts'
import { compare, orderOf, type Side } from './rounds.ts'
import type { Servers } from './start-servers.ts'

type Scenario = {
  readonly name: string
  /** The ratio to reach. */
  readonly aim?: number
  readonly paths: readonly string[]
  /** Each measurement lasts a second, in which a row changes that the answer does not show. */
  readonly writes?: boolean
}

type Measuring = Pick<Options, 'connections' | 'seconds'>

const WARM_UP_SECONDS = 1
const SECONDS_PER_WRITE = 1

/** Measures every line, round by round. `onRound` hears the number of each round that begins. */
export async function compareSides(
  servers: Servers,
  { rounds, ...measuring }: Options,
  onRound: (round: number) => void,
): Promise<Line[]> {
  const scenarios = scenariosOf(servers)
  for (const scenario of scenarios) {
    for (const side of orderOf(0)) await stretch(servers, side, scenario, { ...measuring, seconds: WARM_UP_SECONDS })
  }
  const samples = scenarios.map(() => ({ ours: [] as Sample[], bare: [] as Sample[] }))
  for (let round = 0; round < rounds; round += 1) {
    onRound(round + 1)
    for (const [index, scenario] of scenarios.entries()) {
      for (const side of orderOf(round)) {
        samples[index]?.[side].push(await stretch(servers, side, scenario, measuring))
      }
    }
  }
  return scenarios.map(({ name, aim }, index) => ({
    name,
    aim,
    ...compare(samples[index] as (typeof samples)[number]),
  }))
}

const scenariosOf = ({ paths: { usersPage, locationsPage, singleUsers, richPages } }: Servers): Scenario[] => [
  { name: 'users page', aim: 0.9, paths: [usersPage] },
  { name: 'locations page', aim: 0.95, paths: [locationsPage] },
  { name: 'single user', aim: 0.9, paths: singleUsers },
  { name: 'users page while rows change', paths: [usersPage], writes: true },
  ...richPages.map((path) => ({ name: `${path.slice('/v2/'.length)} page`, aim: 0.8, paths: [path] })),
]

async function stretch(
  { targets, write }: Servers,
  side: Side,
  { paths, writes }: Scenario,
  measuring: Measuring,
): Promise<Sample> {
  if (!writes) return measure(targets[side], { ...measuring, paths })
  const writing = setTimeout(write, (SECONDS_PER_WRITE / 2) * 1000)
  try {
    return await measure(targets[side], { ...measuring, paths, seconds: SECONDS_PER_WRITE })
  } finally {
    clearTimeout(writing)
  }
}
