import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readOrCreatePrivateFile } from '@campus/engine/base/private-files'
import type { Database } from '@campus/engine/database/database'
import { loadTls } from '@campus/engine/http/tls'
import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import { issueToken } from '@campus/intranet/oauth/tokens'
import { createApp } from '@campus/intranet/server/app/app'
import type { Dependencies } from '@campus/intranet/server/app/dependencies'
import type { Part } from '@campus/intranet/server/part'
import { type Config, readConfig } from '@campus/intranet/settings/config'
import { PARTS } from '@campus/service/parts'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Agent } from 'undici'
import { createApplication } from './application.ts'
import { asProxy, type Client, clientOf, trusting, trustingHere } from './client.ts'
import { seededDatabase, type TestDatabase, testDatabase } from './database.ts'
import { runFolder } from './databases.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { type ResponseValidator, responseValidator } from './openapi.ts'
import { type Builder, builderOf } from './row-builder.ts'
import { type TestClock, testClock } from './test-clock.ts'

type CallerOptions = {
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
  /** The user on whose behalf the token is. */
  readonly user?: number
  /** One that is there, instead of a new one. */
  readonly application?: number | undefined
  readonly ratePerSecond?: number
  readonly ratePerHour?: number
}

/** A running service with its database, and people who call it. */
export type World = {
  readonly app: FastifyInstance
  readonly config: Config
  readonly database: Database
  readonly clock: TestClock
  readonly url: string
  readonly ca: string
  readonly agent: Agent
  /**
   * OpenAPI document that validates responses. Loaded once a process, since only the address differs between worlds.
   */
  readonly document: OpenapiDocument
  readonly build: Builder
  /** No token at all. */
  readonly anonymous: Client
  /** An application without roles, with the scope public. */
  readonly visitor: Client
  /** Basic Staff, with every scope. */
  readonly staff: Client
  /** Advanced Staff and Advanced Tutor, with every scope. */
  readonly director: Client
  /** With an application of its own, unless the options name one. */
  caller(options: CallerOptions): Promise<Client>
  close(): Promise<void>
}

const EVERY_SCOPE = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']
const PLENTY = { ratePerSecond: 1_000_000, ratePerHour: 1_000_000 }

/** The school that most tests share. */
const SCHOOL = { users: 60, locations: 120 }

type WorldOptions = {
  /** With a small demonstration school in it: the usual one, or one of another size, which costs seconds. */
  readonly seeded?: true | { readonly users?: number; readonly locations?: number }
  readonly now?: string
  /** A database that is there already, which is closed with the world. */
  readonly on?: TestDatabase
  /** Settings beside those of every world. */
  readonly env?: Readonly<Record<string, string>>
  /** Instead of the one of every world. */
  readonly log?: FastifyBaseLogger
  readonly streamLimits?: Dependencies['streamLimits']
  /** Optional parts: those of the service by default. */
  readonly parts?: readonly Part[]
}

/** Made once a process. */
let described: { readonly document: OpenapiDocument; readonly validate: ResponseValidator } | undefined

/** Starts a service of its own on a free port of the loopback interface. */
export async function campus({
  seeded,
  now,
  on,
  env = {},
  log,
  streamLimits,
  parts = PARTS,
}: WorldOptions = {}): Promise<World> {
  const folder = await temporaryFolder()
  const port = Number(env.CAMPUS_PORT ?? (await freePort()))
  const config = readConfig(
    {
      CAMPUS_DATA: folder.path,
      CAMPUS_PORT: String(port),
      CAMPUS_LOG_LEVEL: process.env.CAMPUS_TEST_LOG ?? 'silent',
      CAMPUS_TOKENS_PER_SECOND: '0',
      ...env,
    },
    parts,
  )
  // All worlds share a certificate, but for those that are called by a name of their own.
  const own = await loadTls({ ...config, data: env.CAMPUS_BASE_URL ? folder.path : runFolder() })
  const tls = config.isBehindProxy ? undefined : own
  // The commands on pages expect the certificate here.
  await mkdir(join(folder.path, 'tls'), { recursive: true, mode: 0o700 })
  await writeFile(join(folder.path, 'tls/cert.pem'), own.cert)
  const clock = testClock(new Date(now ?? '2026-03-02T10:00:00.000Z'))
  const database = await (seeded
    ? seededDatabase({ ...SCHOOL, ...(seeded === true ? {} : seeded), now: clock.now() }, config.files)
    : (on ?? testDatabase()))
  const app = await start().catch(async (error) => {
    // Left open, it would keep the test from ending, and from saying what is wrong.
    await database.close()
    await folder.remove()
    throw error
  })
  const agent = agentOf()
  described ??= await describe(clientOf({ url: config.baseUrl, agent }))
  const { document, validate } = described
  const server = { url: config.baseUrl, agent, validate }

  async function start(): Promise<FastifyInstance> {
    const started = await createApp({
      ...{ config, parts, database, clock, tls, secretKey: Buffer.alloc(32, 7) },
      ...(log && { log }),
      ...(streamLimits && { streamLimits }),
    })
    await started.listen(config.socket ? { path: config.socket.path } : { port, host: 'localhost' })
    return started
  }

  function agentOf(): Agent {
    if (config.isBehindProxy) return asProxy(config.socket ? { socketPath: config.socket.path } : { port })
    return env.CAMPUS_BASE_URL ? trustingHere(own.cert, port) : trusting(own.cert)
  }

  async function caller({ scopes = ['public'], user, application, ...options }: CallerOptions): Promise<Client> {
    const { token } = await issueToken(database, clock, {
      applicationId: application ?? (await newApplication({ scopes, ...options })),
      resourceOwnerId: user ?? null,
      scopes,
    })
    return clientOf(server, token)
  }

  async function newApplication({ roles = [], scopes = [], ...rates }: CallerOptions): Promise<number> {
    const { ratePerSecond, ratePerHour } = { ...PLENTY, ...rates }
    const { id } = await database.transaction((tx) =>
      createApplication(tx, {
        name: `Test caller ${roles.join(' ')}`.slice(0, 100).trim(),
        scopes,
        roles,
        rate_per_second: ratePerSecond,
        rate_per_hour: ratePerHour,
      }),
    )
    return id
  }

  return {
    app,
    config,
    database,
    clock,
    url: config.baseUrl,
    ca: own.cert,
    agent,
    document,
    caller,
    build: builderOf(database),
    anonymous: clientOf(server),
    visitor: await caller({}),
    staff: await caller({ roles: ['Basic Staff'], scopes: EVERY_SCOPE }),
    director: await caller({ roles: ['Advanced Staff', 'Advanced Tutor'], scopes: EVERY_SCOPE }),
    async close() {
      await agent.close()
      await app.close()
      await database.close()
      await folder.remove()
    },
  }
}

async function describe(reader: Client) {
  const ask = async () => (await reader.get('/v2/openapi.json')).text
  const document: OpenapiDocument = JSON.parse(await readOrCreatePrivateFile(join(runFolder(), 'openapi.json'), ask))
  return { document, validate: responseValidator(document) }
}
