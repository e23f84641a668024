/**
 * Measures uncached requests a second with 1 and 2 processes and 0, 1 and 2 replicas, as ratios to one process without replicas,
 * and the processor time of a request in the service and the database.
 *
 *   node bench/cluster.ts [--users N] [--locations N] [--rounds N] [--seconds N]
 *
 * Uses PostgreSQL servers of Debian's package in a temporary folder. All share the cores of this machine.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '@campus/engine/base/clock'
import { defined } from '@campus/engine/base/defined'
import { openDatabase } from '@campus/engine/database/database'
import { migrate } from '@campus/engine/database/migrate'
import { issueToken } from '@campus/intranet/oauth/tokens'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { createApplication } from '@campus/test/support/application'
import { freePort } from '@campus/test/support/free-port'
import { type PostgresServer, postgresServers } from '@campus/test/support/postgres-servers'
import { startCampus } from '@campus/test/support/run-campus'
import { until } from '@campus/test/support/until'
import type { Request } from 'autocannon'
import { processorSeconds } from './cluster/processor-seconds.ts'
import { choosePaths, prepareData } from './data.ts'
import { measure, type Target } from './load.ts'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '200000' },
    locations: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
  },
})
const [users, locations, rounds, seconds] = [values.users, values.locations, values.rounds, values.seconds].map(
  Number,
) as [number, number, number, number]
const CONNECTIONS = 32

type Side = { readonly processes: number; readonly replicas: number; readonly target: Target; readonly pid: number }
type Found = { readonly perSecond: number; readonly service: number; readonly database: number }

const folder = await mkdtemp(join(tmpdir(), 'campus-bench-'))
const postgres = await postgresServers(
  ['primary', 'replica1', 'replica2'],
  () => 'shared_buffers = 512MB\nmax_connections = 400\nhot_standby_feedback = on',
)
const [primary, ...replicas] = postgres.servers as [PostgresServer, ...PostgresServer[]]
const urlOf = ({ port }: PostgresServer) => `postgres://postgres@127.0.0.1:${port}/postgres`
const undo: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true }), postgres.close]
try {
  await run()
} finally {
  for (const step of undo.reverse()) await step()
}

async function run(): Promise<void> {
  await primary.create()
  await primary.start()
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: urlOf(primary) })
  await migrate(database.kysely, storageOfResources())
  await prepareData(database, { users, locations, databaseUrl: undefined }, (step, done, total) =>
    process.stderr.write(`\r\x1b[K${step} ${done} of ${total}`),
  )
  const application = await createApplication(database, {
    name: 'Measuring of a cluster',
    rate_per_second: 2_000_000_000,
    rate_per_hour: 2_000_000_000,
  })
  const { token } = await issueToken(database, systemClock, {
    applicationId: application.id,
    resourceOwnerId: null,
    scopes: ['public'],
  })
  const paths = await choosePaths(database)
  await database.rows('checkpoint')
  await database.close()
  for (const replica of replicas) {
    await replica.follow(primary.port)
    await replica.start()
  }
  const sides: Side[] = []
  for (const processes of [1, 2]) for (const count of [0, 1, 2]) sides.push(await start(processes, count, token))
  for (const [name, asked] of [
    ['Records, and pages of locations', paths.mixed],
    ['Pages of teams, evaluations and projects', paths.richPages],
  ] as const)
    console.log(
      `${name}\n\n${await compare(
        sides,
        asked.map((path) => ({ method: 'GET', path })),
      )}\n`,
    )
}

async function compare(sides: readonly Side[], asked: readonly Request[]): Promise<string> {
  const found = new Map<Side, Found[]>(sides.map((side) => [side, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const side of sides) {
      process.stderr.write(`\r\x1b[Kround ${round + 1}, ${side.processes} processes, ${side.replicas} replicas`)
      found.get(side)?.push(await ask(side, asked))
    }
  process.stderr.write('\r\x1b[K')
  const median = (numbers: readonly number[]) =>
    defined([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)])
  const summed = sides.map((side) => {
    const all = found.get(side) ?? []
    return {
      side,
      perSecond: median(all.map((one) => one.perSecond)),
      service: median(all.map((one) => one.service)),
      database: median(all.map((one) => one.database)),
    }
  })
  const first = defined(summed[0]).perSecond
  const lines = summed.map(
    ({ side, perSecond, service, database }) =>
      `| ${side.processes} | ${side.replicas} | ${Math.round(perSecond)} | ${(perSecond / first).toFixed(2)} | ${service.toFixed(2)} | ${database.toFixed(2)} |`,
  )
  return [
    '| Processes | Replicas | Requests a second | Ratio | Service, ms | Database, ms |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

async function start(processes: number, count: number, token: string): Promise<Side> {
  const port = await freePort()
  const child = startCampus(['serve', '--empty'], {
    CAMPUS_DATA: join(folder, `campus-${processes}-${count}`),
    CAMPUS_PORT: String(port),
    CAMPUS_TLS: 'off',
    CAMPUS_BASE_URL: 'https://localhost',
    CAMPUS_PROCESSES: String(processes),
    CAMPUS_LOG_LEVEL: 'error',
    CAMPUS_RESPONSE_CACHE_MIB: '0',
    CAMPUS_SECRET_KEY: '0'.repeat(64),
    DATABASE_URL: urlOf(primary),
    DATABASE_REPLICA_URLS: replicas.slice(0, count).map(urlOf).join(','),
  })
  undo.push(() => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    processes,
    replicas: count,
    pid: defined(child.pid),
    target: { url, headers: { authorization: `Bearer ${token}` } },
  }
}

async function ask({ target, pid }: Side, asked: readonly Request[]): Promise<Found> {
  const spent = async () => ({
    service: await processorSeconds([pid]),
    database: await processorSeconds(postgres.servers.flatMap((server) => server.pid ?? [])),
  })
  await measure({ target, asked }, { connections: CONNECTIONS, seconds: 1 })
  const before = await spent()
  const { requestsPerSecond, answers } = await measure({ target, asked }, { connections: CONNECTIONS, seconds })
  const after = await spent()
  const each = (what: 'service' | 'database') => ((after[what] - before[what]) / answers) * 1000
  return { perSecond: requestsPerSecond, service: each('service'), database: each('database') }
}
