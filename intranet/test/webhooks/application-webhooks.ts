import { Captures } from '@campus/engine/changes/capture'
import { Relay } from '@campus/engine/changes/relay'
import type { Database } from '@campus/engine/database/database'
import { createApplication } from '@campus/test/support/application'
import { testDatabase } from '@campus/test/support/database'
import { type Receiver, receiver } from '@campus/test/support/receiver'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { testEngine } from '@campus/test/support/test-engine'
import { sql } from 'kysely'
import { createWebhook } from '../../oauth/applications/webhooks.ts'
import { callersOfApplications } from '../../oauth/calling-application.ts'
import { storageOfResources } from '../../school/resources/declared.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import {
  type ApplicationDelivery,
  applicationDeliveries,
  type Webhook,
} from '../../webhooks/applications/deliveries.ts'
import { readerForApplications } from '../../webhooks/applications/feed-reader.ts'
import { modelsOf } from '../../webhooks/applications/models.ts'
import { recordReader } from '../../webhooks/applications/read-records.ts'
import { readAllowList } from '../../webhooks/connect-guard.ts'
import type { AttemptLimits } from '../../webhooks/delivery-queues.ts'
import { FanOut } from '../../webhooks/fan-out.ts'
import { limitsToApplications } from '../../webhooks/outgoing.ts'
import { DeliverySender } from '../../webhooks/send-deliveries.ts'
import { createTransport, type Deadlines } from '../../webhooks/transport.ts'

type Sender = DeliverySender<ApplicationDelivery, Webhook>

/** A database with an application, a receiver, and what makes and sends deliveries, whose clock stands where it is put. */
export type Hooked = {
  readonly database: Database
  readonly build: Builder
  readonly receiver: Receiver
  readonly application: number
  now(): Date
  set(time: Date): void
  /** An application with these roles. */
  app(roles: readonly string[], scopes?: readonly string[]): Promise<number>
  /** Subscribes; gives the id. */
  hook(change: { readonly model: string; readonly event: string }, options?: HookOptions): Promise<number>
  sender(options?: {
    readonly deadlines?: Deadlines
    readonly connections?: number
    readonly limits?: Partial<AttemptLimits>
  }): Sender
  /** Copies what was committed to the feed, and makes the deliveries. */
  fanOut(): Promise<void>
  /** The same, and sends them. */
  settle(): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  rows(): Promise<any[]>
  close(): Promise<void>
}

type HookOptions = {
  readonly application?: number
  readonly url?: string
  readonly secret?: string | null
  readonly campusId?: number
}

export const SECRET = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='
const NOBODY = { userId: null }

export async function hooked(): Promise<Hooked> {
  const database = await testDatabase()
  const build = builderOf(database)
  const service = await receiver()
  const sealer = new Sealer(Buffer.alloc(32, 7))
  let time = new Date('2026-03-02T10:00:00.000Z')
  const clock = { now: () => time }
  const captures = new Captures(database, storageOfResources())
  const engine = await testEngine(database, clock, sealer)
  const models = () => modelsOf(engine.registry.resources)
  const onError = (error: unknown) => {
    throw error
  }
  const relay = new Relay({ database, captures, onError })
  const reader = readerForApplications({ database, models, captures: new Captures(database, storageOfResources()) })
  const maker = new FanOut({ database, clock, reader, onError })
  const read = recordReader({ engine, models, findApplications: (ids) => callersOfApplications(database, ids) })
  const kind = applicationDeliveries({ secrets: sealer, read })
  const senders: Sender[] = []

  function sender({ deadlines, connections = 4, limits = {} }: Parameters<Hooked['sender']>[0] = {}): Sender {
    const allowed = readAllowList(['localhost'])
    const transport = createTransport({
      ...{ allowed, tls: { ca: [service.ca] }, connections },
      ...(deadlines ? { deadlines } : {}),
    })
    const made: Sender = new DeliverySender({
      ...{ database, clock, kind, transport },
      limits: { ...limitsToApplications({ connections }), ...limits },
      stopGraceMs: 0,
    })
    senders.push(made)
    return made
  }
  let own: Sender | undefined
  const app = async (roles: readonly string[], scopes: readonly string[] = ['public', 'projects', 'profile', 'tig']) =>
    (
      await database.transaction((tx) =>
        createApplication(tx, { name: `Hooked ${roles.join(' ')}`.trim(), roles, scopes }),
      )
    ).id
  const application = await app(['Advanced Staff', 'Advanced Tutor'])

  async function fanOut(): Promise<void> {
    await relay.settle()
    await maker.settle()
  }
  return {
    ...{ database, build, receiver: service, application, app, sender, fanOut },
    now: () => time,
    set(to) {
      time = to
    },
    async hook(
      change,
      { application: applicationId = application, url = `${service.url}/hook`, secret = SECRET, ...rest } = {},
    ) {
      const values = { ...change, ...rest, applicationId, url, secret }
      const capture = captures.captureWithin.bind(captures)
      const { id } = await database.transaction((tx) =>
        createWebhook(tx, values, { models, sealer, capture, actor: NOBODY, now: time }),
      )
      return id
    },
    async settle() {
      await fanOut()
      own ??= sender()
      await own.settle()
    },
    rows: () => sql`select * from webhook_deliveries order by id`.execute(database.kysely).then(({ rows }) => rows),
    async close() {
      for (const one of senders) await one.stop()
      await service.close()
      await database.close()
    },
  }
}
