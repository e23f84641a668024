import type { Request } from 'autocannon'
import type { ServersOptions } from './messages.ts'
import type { Scenario } from './scenarios.ts'
import type { Servers } from './start-servers.ts'

const HOUR = 3_600_000

/** Time of an ordinary cloud disk. */
const FLUSH_MILLISECONDS = 2

/** A database of its own, since commits are slow in it. */
export const SLOW_DISK: ServersOptions = {
  databaseUrl: undefined,
  users: 200,
  locations: 200,
  flushMilliseconds: FLUSH_MILLISECONDS,
}

/** How many locations are made in a second, one by one, where a commit takes a while to be on disk. */
export function writesOf({ targets: { ours, bare }, writer, paths: { seat } }: Servers): Scenario {
  let made = 0
  const begin_at = new Date(Date.now() - HOUR).toISOString()
  const asked = (): Request => {
    made += 1
    const location = { ...seat, host: `bench-${made}`, begin_at, end_at: new Date().toISOString() }
    return {
      method: 'POST',
      path: '/v2/locations',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ location }),
    }
  }
  return {
    name: `locations written, flush of ${FLUSH_MILLISECONDS} ms`,
    aim: 0.6,
    sides: {
      ours: { target: { ...ours, headers: writer }, asked, status: 201 },
      bare: { target: bare, asked, status: 201 },
    },
  }
}
