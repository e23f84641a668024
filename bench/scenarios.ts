import type { Asking, Target } from './load.ts'
import { makeConditional, mixOf } from './mix.ts'
import type { Side } from './rounds.ts'
import type { Servers } from './start-servers.ts'

export type Scenario = {
  readonly name: string
  /** Ratio to reach. */
  readonly aim?: number
  readonly sides: Readonly<Record<Side, Asking>>
  /** Runs in the middle of each measurement, which then lasts one second. */
  readonly meanwhile?: () => void
}

/** Returns the scenarios whose servers use an ordinary disk. */
export async function scenariosOf({ paths, targets, fixedLines, writer, ca, write }: Servers): Promise<Scenario[]> {
  const { ours, uncached, bare, plain } = targets
  const { usersPage, locationsPage, singleUsers, richPages, mixed } = paths
  const both = (target: Target, other: Target, asked: Asking['asked'], status?: number) => ({
    ours: { target, asked, status },
    bare: { target: other, asked, status },
  })
  /** Compares reads. Caches are off unless `target` is set. */
  const read = (asked: readonly string[], target = uncached) =>
    both(
      target,
      bare,
      asked.map((path) => ({ path })),
    )
  return [
    { name: 'users page', aim: 0.9, sides: read([usersPage]) },
    { name: 'locations page', aim: 0.95, sides: read([locationsPage]) },
    { name: 'single user', aim: 0.9, sides: read(singleUsers) },
    { name: 'users page while rows change', sides: read([usersPage]), meanwhile: write },
    ...richPages.map((path) => ({ name: `${path.slice('/v2/'.length)} page`, aim: 0.8, sides: read([path]) })),
    { name: 'users page, nothing changed', aim: 5, sides: read([usersPage], ours) },
    { name: 'single user, nothing changed', aim: 5, sides: read(singleUsers, ours) },
    {
      name: '304 over token info',
      aim: 1,
      sides: {
        ours: { target: ours, asked: [await makeConditional(ours, usersPage, ca)], status: 304 },
        bare: { target: ours, asked: [{ path: '/oauth/token/info' }] },
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
    ...fixedLines.map(({ name, aim, request, status }) => ({
      name,
      aim,
      sides: both({ ...ours, headers: {} }, plain, [request], status),
    })),
  ]
}
