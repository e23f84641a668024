import { compareSides } from '../compare-sides.ts'
import type { Servers } from '../start-servers.ts'
import type { ScaleLine } from './lines.ts'

export const SMALL_LISTS = ['/v2/campus', '/v2/cursus', '/v2/projects']

const AIM_A_SECOND = 3_000

/** Pages of small resources, as they are served and each made anew, beside plain Fastify that sends the same bytes. */
export async function smallLists({ targets }: Servers, rounds: number): Promise<ScaleLine[]> {
  const kinds = [
    { target: targets.ours, how: 'nothing changed' },
    { target: targets.uncached, how: 'made anew' },
  ]
  const scenarios = kinds.flatMap(({ target, how }) =>
    SMALL_LISTS.map((path) => ({
      name: `page of \`${path}\`, ${how}`,
      sides: {
        ours: { target, asked: [{ path }] },
        bare: { target: targets.plain, asked: [{ path }] },
      },
    })),
  )
  const compared = await compareSides(scenarios, { rounds, seconds: 0.6, connections: 16 }, () => {})
  return compared.map(({ name, ours, bare }) => ({
    name,
    ours: rate(ours.requestsPerSecond),
    reference: `${rate(bare.requestsPerSecond)}, the same bytes from memory`,
    measured: rate(ours.requestsPerSecond),
    aim: `≥ ${rate(AIM_A_SECOND)}`,
    isReached: ours.requestsPerSecond >= AIM_A_SECOND,
  }))
}

const rate = (value: number) => `${Math.round(value).toLocaleString('en')}/s`
