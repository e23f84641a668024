import { createHmac, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Clock, systemClock } from './base/clock.ts'
import { ConfigError } from './base/config-error.ts'
import { MEBIBYTE } from './base/mebibyte.ts'
import { Jobs } from './base/metrics/jobs.ts'
import { Metrics } from './base/metrics/metrics.ts'
import { type Stop, stopAll } from './base/stop-all.ts'
import { Captures } from './changes/capture.ts'
import { Relay } from './changes/relay.ts'
import { STREAM_LIMITS, type StreamLimits } from './changes/streams/limits.ts'
import { compactCounts, purgeFeed, sweepChanges } from './changes/upkeep.ts'
import { requireAgreeingClocks } from './database/agreeing-clocks.ts'
import { type Database, openDatabase } from './database/database.ts'
import type { DeclaredStorage } from './database/declared-storage.ts'
import { ENGINE_MIGRATIONS } from './database/engine-migrations.ts'
import { JobLeases } from './database/job-leases.ts'
import { databaseMetrics } from './database/metrics.ts'
import { migrate } from './database/migrate.ts'
import type { Migrations } from './database/migrations.ts'
import { repeatWork } from './database/repeat-work.ts'
import type { FindCaller } from './http/caller.ts'
import { Connections } from './http/connections.ts'
import { HEALTH_PATHS, mountHealth, UNLIMITED_HEALTH } from './http/health.ts'
import { callerIdentifier } from './http/identify-caller.ts'
import { KnownPaths } from './http/known-paths.ts'
import { METRICS_PATH, mountMetrics } from './http/metrics.ts'
import { limitPublicRoutes, type PublicRates } from './http/public-rates.ts'
import { RateLimits } from './http/rate-limit.ts'
import { MemoryRates } from './http/rates/memory-rates.ts'
import { refuseOtherMethods } from './http/refuse-methods.ts'
import { createServer } from './http/server.ts'
import { Staging } from './http/staging.ts'
import { startOnListen } from './http/start-on-listen.ts'
import { mountResources } from './mount-resources.ts'
import type { CommonAccess } from './rest/declare/access.ts'
import type { Resource } from './rest/declare/declaration.ts'
import { Registry } from './rest/declare/registry.ts'
import { createEngine, type Engine, type PayloadFiles } from './rest/engine.ts'
import { type ApiInfo, openapiDocument } from './rest/openapi/openapi-document.ts'
import { resourceStorage } from './rest/read/list-indexes.ts'
import { deleteOldResponses } from './rest/write/idempotency.ts'

/** Parts of the storage that the declarations of resources do not determine. */
type FurtherStorage = Pick<DeclaredStorage, 'lockOrder' | 'functions' | 'triggers' | 'retiredFunctions'> &
  Pick<DeclaredStorage['recording'], 'neverCached' | 'insertsUnrecorded'>

type ApiOptions = {
  readonly info: ApiInfo
  /** Public URL of the server, without a trailing slash. */
  readonly baseUrl: string
  /** URL of a PostgreSQL database, such as `postgres://localhost/library`. */
  readonly databaseUrl: string
  /** Migrations of the service's tables. Those of the engine's own tables come before them. */
  readonly migrations: Migrations
  /** Resources, parents before their records: transactions lock tables in this order unless `storage.lockOrder` names another. */
  readonly resources: readonly Resource[]
  readonly access: CommonAccess
  readonly findCaller: FindCaller
  /** HMAC key for digests of idempotency keys: at least 32 bytes, the same in all processes of a service. */
  readonly secretKey: Buffer
  readonly storage?: Partial<FurtherStorage>
  /** Certificate and key as PEM. Omit it for plain HTTP behind a proxy that terminates TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Bearer token for `/metrics`. Without it, `/metrics` answers only loopback requests over TLS. */
  readonly metricsToken?: string
  readonly files?: PayloadFiles
  /** `UTC` by default. */
  readonly timeZone?: string
  readonly clock?: Clock
  readonly logLevel?: string
  readonly log?: FastifyBaseLogger
  /** Memory for cached responses: 64 MiB by default. 0 disables the cache. */
  readonly cacheBytes?: number
  readonly streamLimits?: StreamLimits
}

const STATEMENT_SECONDS = 30
const MIN_KEY_BYTES = 32
/** Changes stay in the feed for this time, so that streams can resume. */
const FEED_HOURS = 24
const MAX_STREAMS = 10_000
const CACHE_MEBIBYTES = 64
const SWEEP_MS = 3_600_000

const PUBLIC = { name: 'public', perAddress: 18_000 }

const PUBLIC_RATES: PublicRates = {
  byPath: [[/^\/v2(\/openapi\.json)?$/, PUBLIC]],
  unknown: PUBLIC,
  unlimited: {
    ...UNLIMITED_HEALTH,
    [METRICS_PATH]: 'It requires a token or a loopback connection.',
  },
}

/** A server with its engine and database. `app.close()` closes all of them. */
export type Api = {
  readonly app: FastifyInstance
  readonly engine: Engine
  readonly database: Database
  readonly captures: Captures
} & Omit<ReturnType<typeof mountResources>, 'document'>

/**
 * Creates a server that serves the declared resources from a PostgreSQL database, which it migrates. Throws ConfigError if `secretKey`
 * is too short. Throws if a declaration names something that does not exist, or the database does not answer.
 */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { databaseUrl, secretKey, logLevel = 'info', log, tls, baseUrl, clock = systemClock } = options
  if (secretKey.length < MIN_KEY_BYTES)
    throw new ConfigError(
      `secretKey must have at least ${MIN_KEY_BYTES} bytes, and has ${secretKey.length}. Create one with "openssl rand -hex 32".`,
    )
  const staging = new Staging(join(tmpdir(), `incoming-${randomUUID()}`))
  const stops: Stop[] = [() => rm(staging.folder, { recursive: true, force: true })]
  try {
    const storage = storageOf(options)
    const paths = new KnownPaths()
    const rates = new MemoryRates()
    const limits = new RateLimits(rates)
    const findCaller: FindCaller = async (token) => {
      const [caller] = await Promise.all([options.findCaller(token), database.changes.validate()])
      return caller
    }
    const identifyCaller = callerIdentifier({ findCaller, limits })
    const app = await createServer({ tls, log, logLevel, staging, paths, identifyCaller })
    const connections = new Connections([app.server])
    app.addHook('preClose', async () => connections.end())
    const database = await openDatabase({
      migrations: storage.migrations,
      url: databaseUrl,
      statementSeconds: STATEMENT_SECONDS,
      onWarning: (message) => app.log.warn(message),
    })
    stops.push(() => database.close())
    await migrate(database.background.kysely, storage)
    const captures = new Captures(database, storage)
    const metrics = new Metrics()
    const jobs = new Jobs()
    metrics.add(() => jobs.collect())
    metrics.add(() => databaseMetrics(database))
    limitPublicRoutes(app, rates, PUBLIC_RATES)
    mountHealth(app, { database })
    mountMetrics(app, metrics, { metricsToken: options.metricsToken, isBehindProxy: tls === undefined })
    const engine = await createEngine({
      database,
      clock,
      wire: wireOf(options, clock),
      files: options.files,
      startHash: () => createHmac('sha256', secretKey),
      resources: options.resources,
      access: options.access,
      storage,
    })
    const mounted = mountResources(app, {
      engine,
      captures,
      clock,
      findCaller,
      limits,
      cacheBytes: options.cacheBytes ?? CACHE_MEBIBYTES * MEBIBYTE,
      streamLimits: options.streamLimits ?? { ...STREAM_LIMITS, perProcess: MAX_STREAMS },
      document: (registry, table) => openapiDocument(registry, table, { baseUrl, info: options.info }),
      version: options.info.version,
      paths,
      metrics,
      stops,
    })
    paths.add([...HEALTH_PATHS, METRICS_PATH].map((path) => ({ method: 'GET', path })))
    refuseOtherMethods(app, paths)
    startUpkeep(app, { database, captures, clock, jobs, stops })
    app.addHook('onClose', () =>
      stopAll(stops.toReversed(), (error) => app.log.error({ err: error }, 'a part did not stop as it should')),
    )
    return { app, engine, database, captures, ...mounted }
  } catch (error) {
    await stopAll(stops.toReversed(), () => {})
    throw error
  }
}

function storageOf({ access, migrations, resources, storage = {} }: ApiOptions): DeclaredStorage {
  const registry = new Registry(resources, access)
  const { neverCached = [], insertsUnrecorded = [], ...further } = storage
  return {
    ...resourceStorage(registry),
    lockOrder: resources.map(({ table }) => table),
    functions: [],
    triggers: [],
    retiredFunctions: [],
    ...further,
    migrations: { ...migrations, modules: { ...ENGINE_MIGRATIONS, ...migrations.modules } },
    recording: { neverCached, insertsUnrecorded, rowsRecorded: registry.rowsRecorded },
  }
}

const wireOf = ({ baseUrl, timeZone = 'UTC' }: ApiOptions, clock: Clock) => ({
  baseUrl,
  picturesUrl: baseUrl,
  timeZone,
  now: () => clock.now(),
  signed: (path: string, base = baseUrl) => base + path,
  signedUntil: () => Number.POSITIVE_INFINITY,
})

type Upkeep = {
  readonly database: Database
  readonly captures: Captures
  readonly clock: Clock
  readonly jobs: Jobs
  readonly stops: Stop[]
}

function startUpkeep(app: FastifyInstance, { database, captures, clock, jobs, stops }: Upkeep): void {
  const onError = (error: unknown) => app.log.error({ err: error }, 'background work failed')
  startOnListen(app, stops, () => {
    const relay = new Relay({ database, captures, onError })
    relay.start()
    return () => relay.stop()
  })
  const leases = new JobLeases({ database, workedAt: (job) => jobs.succeededAt(job), onError })
  leases.add('sweep_changes', () => sweepChanges({ database, jobs }, onError))
  leases.add('compact_counts', () => compactCounts({ database, jobs }, onError))
  leases.add('purge_feed', () => purgeFeed({ database, jobs, captures, hours: FEED_HOURS }, onError))
  leases.add('sweep', () => {
    const work = jobs.watch('sweep', async () => {
      const now = clock.now()
      await requireAgreeingClocks(database, now)
      await deleteOldResponses(database.background, now)
    })
    return repeatWork({ database, milliseconds: SWEEP_MS, work, onError })
  })
  startOnListen(app, stops, () => {
    leases.start()
    return () => leases.stop()
  })
}
