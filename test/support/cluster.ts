import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { defined } from '@campus/engine/base/defined'
import { loadTls } from '@campus/engine/http/tls'
import { fetch } from 'undici'
import { createApplication } from '../faults/server-process.ts'
import { trusting } from './client.ts'
import { type Link, link } from './cuttable-proxy.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { type PostgresServer, postgresServers } from './postgres-servers.ts'
import { redisServer } from './redis.ts'
import { outcomeOf, startCampus } from './run-campus.ts'
import { until } from './until.ts'

/** A part of the cluster that can be lost. */
export type Part = {
  readonly name: string
  start(): Promise<void>
  /** Like the loss of its machine. */
  kill(): Promise<void>
  /** Stops and goes on: nobody gets an answer meanwhile. */
  freeze(): void
  thaw(): void
  /** Whether it answers, where it is no database. */
  readonly answers?: () => Promise<boolean>
}

/** A deployment on several machines, as processes of this one: docs/scaling.md. To be closed. */
export type Cluster = {
  /** Address of HAProxy. */
  readonly url: string
  /** The authority of its certificate. */
  readonly ca: string
  /** Environment that all services share. */
  readonly env: Readonly<Record<string, string>>
  /** The database servers are among them: `db1` is the primary at first, and commits wait for another one. */
  readonly parts: readonly Part[]
  readonly databases: readonly PostgresServer[]
  /** The primary, as long as nobody else has been promoted. */
  primary(): PostgresServer
  /** The lines between them, each by the names of both parts: `campus1-db1`. */
  readonly links: ReadonlyMap<string, Link>
  part(name: string): Part
  /** Makes the standby that commits wait for the primary, and has the other one follow it. */
  promote(name: string): Promise<void>
  /** Has a former primary, or whatever was left behind, follow the primary, as a copy of it. */
  rejoin(name: string): Promise<void>
  /** The credentials of an application with every role, and without limits to its rate. */
  credentials(): Promise<{ readonly client_id: string; readonly client_secret: string }>
  close(): Promise<void>
}

type ClusterOptions = { readonly services?: number; readonly env?: Readonly<Record<string, string>> }

const DATABASES = ['db1', 'db2', 'db3'] as const

/**
 * The first of these standbys that is connected confirms commits. A standby counts as lost after five seconds of
 * silence.
 */
const settingsOf = (name: string) => `
synchronous_standby_names = 'FIRST 1 (${DATABASES.filter((other) => other !== name).join(', ')})'
hot_standby_feedback = on
wal_sender_timeout = 5s
wal_receiver_timeout = 5s
wal_retrieve_retry_interval = 500ms
`

/** Starts a cluster with an empty school. Resolves when the cluster answers. Ends all parts if one does not start. */
export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const closers: Closer[] = []
  try {
    return await startCluster(options, closers)
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

/** Ends a part of the cluster. */
type Closer = () => Promise<unknown>

/** Ends the parts of a cluster, the last started first. */
async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const close of closers.toReversed()) await close()
}

async function startCluster(
  { services: count = 3, env: variables = {} }: ClusterOptions,
  closers: Closer[],
): Promise<Cluster> {
  const folder = await temporaryFolder()
  closers.push(() => folder.remove())
  const links = new Map<string, Link>()
  closers.push(() => Promise.all([...links.values()].map((one) => one.close())))
  const portOf = async (from: string, to: { readonly name: string; readonly port: number }): Promise<number> => {
    const name = `${from}-${to.name}`
    const found = links.get(name) ?? (await link(to.port))
    links.set(name, found)
    return found.port
  }

  const postgres = await postgresServers(DATABASES, settingsOf)
  closers.push(() => postgres.close())
  const databases = postgres.servers
  let primary = defined(databases[0])
  await primary.create()
  await primary.start()
  const others = () => databases.filter((server) => server !== primary)
  const follow = async (server: PostgresServer) => {
    // The copy is another machine's business than what comes after it.
    await server.follow(primary.port)
    await server.start()
    await server.turnTo(await portOf(server.name, primary))
  }
  const rejoin = async (server: PostgresServer) => {
    await server.kill()
    await follow(server)
  }
  for (const server of others()) await follow(server)

  const redis = Object.assign(await redisServer(), { name: 'redis' })
  closers.push(() => redis.remove())
  const redisPort = Number(new URL(redis.url).port)
  const tls = await loadTls({ data: folder.path, tls: undefined })
  const certificate = join(folder.path, 'campus.pem')
  await writeFile(certificate, tls.cert + tls.key)
  const port = await freePort()
  const url = `https://localhost:${port}`
  await mkdir(join(folder.path, 'files'))
  const env = {
    CAMPUS_BASE_URL: url,
    CAMPUS_TLS: 'off',
    CAMPUS_FILES: join(folder.path, 'files'),
    CAMPUS_SECRET_KEY: randomBytes(32).toString('hex'),
    CAMPUS_SEALING_KEY: randomBytes(32).toString('hex'),
    CAMPUS_LOG_LEVEL: 'error',
    CAMPUS_PROCESSES: '1',
    CAMPUS_DRAIN_SECONDS: '2',
    ...variables,
  }
  const addressOf = (ports: readonly number[], parameters = '') =>
    `postgres://postgres@${ports.map((one) => `127.0.0.1:${one}`).join(',')}/postgres${parameters}`

  async function service(name: string): Promise<Part & { readonly port: number }> {
    const [port, data] = [await freePort(), join(folder.path, name)]
    const ports: number[] = []
    for (const server of databases) ports.push(await portOf(name, server))
    const own = {
      ...env,
      CAMPUS_DATA: data,
      CAMPUS_PORT: String(port),
      CAMPUS_REDIS_URL: `redis://127.0.0.1:${await portOf(name, { name: 'redis', port: redisPort })}`,
      DATABASE_URL: addressOf(ports, '?target_session_attrs=read-write'),
      DATABASE_REPLICA_URLS: ports.map((one) => addressOf([one])).join(','),
    }
    return processPart(name, port, () => startCampus(['serve', '--empty'], own), isAnswering(port))
  }

  const services = await Promise.all(Array.from({ length: count }, (_, at) => service(`campus${at + 1}`)))
  closers.push(() => Promise.all(services.map((one) => one.kill())))
  // The first makes the tables.
  for (const one of services) await one.start()
  const places = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const found = services[number - 1] ?? defined(services[0])
      return [`CAMPUS${number}`, `127.0.0.1:${await portOf('haproxy', found)}`] as const
    }),
  )
  const surroundings = { ...Object.fromEntries(places), LISTEN: `127.0.0.1:${port}`, CERTIFICATE: certificate }
  const haproxy = processPart(
    'haproxy',
    port,
    () =>
      spawn('haproxy', ['-db', '-f', 'ops/cluster/haproxy.cfg'], {
        stdio: 'ignore',
        env: { ...process.env, ...surroundings },
      }),
    () => canReach(url, tls.cert),
  )
  closers.push(() => haproxy.kill())
  await haproxy.start()

  const parts: readonly Part[] = [...databases, redis, ...services, haproxy]
  const part = (name: string) => defined(parts.find((one) => one.name === name))
  let application: Promise<{ uid: string; secret: string }> | undefined
  return {
    ...{ url, ca: tls.cert, env, parts, databases, links, part, primary: () => primary },
    async promote(name) {
      const promoted = defined(databases.find((server) => server.name === name))
      const former = primary
      await promoted.promote()
      primary = promoted
      for (const server of others()) {
        if (server === former) continue
        await server.turnTo(await portOf(server.name, promoted))
        // One that had more of the former primary's log than the promoted one cannot go on with the new one's.
        if (!(await isFollowed(promoted, server.name))) await rejoin(server)
      }
    },
    rejoin: (name) => rejoin(defined(databases.find((one) => one.name === name))),
    async credentials() {
      application ??= createApplication({
        ...env,
        CAMPUS_DATA: join(folder.path, 'campus1'),
        DATABASE_URL: addressOf([primary.port]),
      })
      const { uid, secret } = await application
      return { client_id: uid, client_secret: secret }
    },
    async close() {
      for (const one of parts) one.thaw()
      for (const one of links.values()) one.mend()
      await closeAll(closers)
    },
  }
}

/** A part that is one process. */
function processPart(
  name: string,
  port: number,
  spawned: () => ChildProcess,
  answers: () => Promise<boolean>,
): Part & { readonly port: number } {
  let child: ChildProcess | undefined
  const isThere = () => child !== undefined && child.exitCode === null && child.signalCode === null
  return {
    ...{ name, port, answers },
    async start() {
      const started = spawned()
      child = started
      const outcome = started.stdout ? outcomeOf(started) : undefined
      const ended = once(started, 'exit').then(async () => {
        if (started.signalCode !== 'SIGKILL') throw new Error(`${name} ended: ${(await outcome)?.stderr}`)
        return true
      })
      ended.catch(() => {})
      await Promise.race([ended, until(answers)])
    },
    async kill() {
      if (!child || !isThere()) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    freeze: () => void (isThere() && child?.kill('SIGSTOP')),
    thaw: () => void (isThere() && child?.kill('SIGCONT')),
  }
}

const FOLLOWED = 'select from pg_stat_replication where state = $$streaming$$ and application_name ='

/** Whether a standby follows the server, or soon does. */
async function isFollowed(primary: PostgresServer, name: string): Promise<boolean> {
  for (let time = 0; time < 50; time += 1) {
    if ((await primary.ask(`${FOLLOWED} '${name}'`)).length > 0) return true
    await wait(100)
  }
  return false
}

const isAnswering = (port: number) => () =>
  fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function canReach(url: string, ca: string): Promise<boolean> {
  const dispatcher = trusting(ca)
  try {
    return (await fetch(`${url}/health/ready`, { dispatcher, signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  } finally {
    await dispatcher.destroy()
  }
}
