import { type Load, measure, type Sample, type Target } from './load.ts'
import { knownTo, mixOf } from './mix.ts'
import type { Options } from './options.ts'
import type { Line } from './report.ts'
import { compare, orderOf, type Side } from './rounds.ts'
import type { Servers } from './start-servers.ts'

type Scenario = {
  readonly name: string
  /** The ratio to reach. */
  readonly aim?: number
  readonly sides: Readonly<Record<Side, Asking>>
  /** Each measurement lasts a second, in which a row changes that the answer does not show. */
  readonly writes?: boolean
}

type Asking = { readonly target: Target } & Pick<Load, 'asked' | 'isKnown'>

type Measuring = Pick<Options, 'connections' | 'seconds'>

const WARM_UP_SECONDS = 1
const SECONDS_PER_WRITE = 1

/** Measures every line, round by round. `onRound` hears the number of each round that begins. */
export async function compareSides(
  servers: Servers,
  { rounds, ...measuring }: Options,
  onRound: (round: number) => void,
): Promise<Line[]> {
  const scenarios = await scenariosOf(servers)
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

async function scenariosOf({ paths, targets, writer, ca }: Servers): Promise<Scenario[]> {
  const { ours, uncached, bare } = targets
  const { usersPage, locationsPage, singleUsers, richPages, mixed } = paths
  /** What both sides are asked, each answer made anew unless said. */
  const same = (asked: readonly string[], target = uncached) => ({
    ours: { target, asked },
    bare: { target: bare, asked },
  })
  const known = await knownTo(ours, usersPage, ca)
  return [
    { name: 'users page', aim: 0.9, sides: same([usersPage]) },
    { name: 'locations page', aim: 0.95, sides: same([locationsPage]) },
    { name: 'single user', aim: 0.9, sides: same(singleUsers) },
    { name: 'users page while rows change', sides: same([usersPage]), writes: true },
    ...richPages.map((path) => ({ name: `${path.slice('/v2/'.length)} page`, aim: 0.8, sides: same([path]) })),
    { name: 'users page, nothing changed', aim: 5, sides: same([usersPage], ours) },
    { name: 'single user, nothing changed', aim: 5, sides: same(singleUsers, ours) },
    {
      name: '304 over token info',
      aim: 1,
      sides: {
        ours: { target: known, asked: [usersPage], isKnown: true },
        bare: { target: ours, asked: ['/oauth/token/info'] },
      },
    },
    {
      name: '95 % reads, 5 % writes',
      aim: 2,
      sides: {
        ours: { target: ours, asked: mixOf(mixed, writer) },
        bare: { target: bare, asked: mixOf(mixed) },
      },
    },
  ]
}

async function stretch(
  { write }: Servers,
  side: Side,
  { sides, writes }: Scenario,
  measuring: Measuring,
): Promise<Sample> {
  const { target, ...asking } = sides[side]
  if (!writes) return measure(target, { ...measuring, ...asking })
  const writing = setTimeout(write, (SECONDS_PER_WRITE / 2) * 1000)
  try {
    return await measure(target, { ...measuring, ...asking, seconds: SECONDS_PER_WRITE })
  } finally {
    clearTimeout(writing)
  }
}
