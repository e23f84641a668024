/**
 * The process of the servers, which share the database. They are never asked at the same time, so whichever is asked
 * has the process to itself.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { loadTls, type Tls } from '@campus/engine/http/tls'
import type { NamedValues } from '@campus/intranet/oauth/applications/by-operators'
import { issueToken } from '@campus/intranet/oauth/tokens'
import { createApp } from '@campus/intranet/server/app/app'
import { openForServing, takeFolder, withDatabase } from '@campus/intranet/server/open-database'
import { type Config, readConfig } from '@campus/intranet/settings/config'
import { PARTS } from '@campus/service/parts'
import { createApplication, deleteApplication } from '@campus/test/support/application'
import { MAKE_BARE_TABLE } from './bare/locations.ts'
import { openRows } from './bare/rows.ts'
import { createBareServer } from './bare/server.ts'
import { choosePaths, describeData, prepareData } from './data.ts'
import { fixedLines, pageLines } from './fixed/lines.ts'
import { startReference } from './fixed/start-reference.ts'
import type { FromServers, Ready, ServersOptions, ToServers } from './messages.ts'

/** More than any machine reaches: what is measured is the counting, not the refusing. */
const NO_LIMIT = 2_000_000_000

const log = (message: FromServers) => process.send?.(message)
const undo: (() => Promise<unknown>)[] = []

// The parent ends this process by ending, also when a terminal interrupts both.
process.on('SIGINT', () => {})
process.once('disconnect', () => stop(0))

try {
  log(await start(JSON.parse(process.argv[2] as string)))
} catch (error) {
  log({ kind: 'failed', reason: (error as Error).stack ?? String(error) })
  await stop(1)
}

async function stop(code: number): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step()
  process.exit(code)
}

async function start(options: ServersOptions): Promise<Ready> {
  const { flushMilliseconds } = options
  const folder = await mkdtemp(join(tmpdir(), 'campus-bench-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const config = readConfig({
    CAMPUS_DATA: folder,
    CAMPUS_BASE_URL: 'https://localhost:8443',
    CAMPUS_LOG_LEVEL: 'warn',
    CAMPUS_TOKENS_PER_SECOND: '0',
    CAMPUS_PROCESSES: '1',
    CAMPUS_TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: flushMilliseconds ? await startSlowDatabase(folder, flushMilliseconds) : options.databaseUrl,
  })
  // To seed a large school takes longer than a request may.
  const seededSeconds = await withDatabase(config, { name: 'bench', mayCreate: true }, (database) =>
    prepareData(database, options, (step, done, total) => log({ kind: 'progress', step, done, total })),
  )
  const opened = await openForServing(config, await takeFolder(config), {
    onWarning: (message) => console.error(message),
    onStarting: () => {},
  })
  const { database } = opened
  undo.push(() => opened.close())
  process.on('message', ({ kind }: ToServers) => {
    // A write that fails ends the process, and with it the run.
    if (kind === 'write') void touchUser(database)
  })

  if (flushMilliseconds) await database.rows(MAKE_BARE_TABLE)

  const tls = await loadTls(config)
  const { token, ...credentials } = await register(database)
  const { token: spentToken } = await register(database, { rate_per_hour: 1 })
  const { token: writeToken } = await register(database, { roles: ['Advanced Tutor', 'Basic Staff'] })
  const ours = await startOurs(config, database, tls)
  const uncached = await startOurs({ ...config, responseCacheBytes: 0 }, database, tls)
  const bareRows = openRows(opened.url, config.databasePoolSize)
  undo.push(() => bareRows.close())
  const bare = await createBareServer({ rows: bareRows.rows, baseUrl: config.baseUrl, tls })
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
  const callers = { token, spentToken, credentials }
  const lines = options.fixedPaths ? pageLines(options.fixedPaths, callers) : fixedLines(callers)
  const plain = await startReference({ ours: { url: ours, headers: {} }, lines, rows: bareRows.rows, tls })
  undo.push(() => plain.stop())
  return {
    kind: 'ready',
    targets: {
      ours: { url: ours, headers: bearer(token) },
      uncached: { url: uncached, headers: bearer(token) },
      bare: { url: addressOf(bare.address()), headers: {} },
      plain: { url: addressOf(plain.address), headers: {} },
    },
    writer: bearer(writeToken),
    ca: tls.cert,
    paths: await choosePaths(database),
    fixedLines: lines,
    ...(await describeData(database)),
    seededSeconds,
  }
}

/**
 * A database on what seems a slow disk: a flush of the log of writes sleeps before that, and takes along who comes
 * meanwhile, as a disk does that takes long. It asks for no privileges, unlike a real one.
 */
async function startSlowDatabase(folder: string, flushMilliseconds: number): Promise<string> {
  const server = await EmbeddedServer.open({
    data: join(folder, 'slow'),
    connections: 50,
    settings: { commit_delay: String(flushMilliseconds * 1000), commit_siblings: '0' },
  })
  undo.push(() => server.close())
  return server.url
}

async function startOurs(config: Config, database: Database, tls: Tls): Promise<string> {
  const app = await createApp({ parts: PARTS, config, database, clock: systemClock, tls, secretKey: Buffer.alloc(32) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  undo.push(() => app.close())
  return addressOf(app.server.address())
}

/** An application with a token, which may call as often as it likes unless said. */
async function register(database: Database, rights: Pick<NamedValues, 'roles' | 'rate_per_hour'> = {}) {
  const values = { name: 'Benchmark', rate_per_second: NO_LIMIT, rate_per_hour: NO_LIMIT, ...rights }
  const { id, uid, secret } = await database.transaction((tx) => createApplication(tx, values))
  undo.push(() => deleteApplication(database, uid))
  const { token } = await issueToken(database, systemClock, {
    applicationId: id,
    resourceOwnerId: null,
    scopes: ['public'],
  })
  return { uid, secret, token }
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` }
}

function addressOf(address: unknown): string {
  return `https://127.0.0.1:${(address as AddressInfo).port}`
}

/** The first user is on no page that is measured. */
async function touchUser(database: Database): Promise<void> {
  await database.rows('update users set last_seen_at = now() where id = (select min(id) from users)')
}
