import { Captures } from '@campus/engine/changes/capture'
import { Relay } from '@campus/engine/changes/relay'
import type { Database } from '@campus/engine/database/database'
import { testDatabase } from '@campus/test/support/database'
import { type Receiver, receiver } from '@campus/test/support/receiver'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { testEngine } from '@campus/test/support/test-engine'
import { storageOfResources } from '../../school/resources/declared.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { readerForCampuses } from '../../webhooks/campus-calls.ts'
import { type CampusDelivery, campusDeliveries } from '../../webhooks/campus-deliveries.ts'
import { readAllowList } from '../../webhooks/connect-guard.ts'
import { FanOut } from '../../webhooks/fan-out.ts'
import type { Subscription } from '../../webhooks/leased-delivery.ts'
import { limitsToCampuses } from '../../webhooks/outgoing.ts'
import { createSealing, type Sealing } from '../../webhooks/sealing.ts'
import { DeliverySender } from '../../webhooks/send-deliveries.ts'
import { createTransport, type Deadlines } from '../../webhooks/transport.ts'

/** A database with one campus and its webservice, and a sender whose clock stands where it is put. */
export type Sending = {
  readonly database: Database
  readonly build: Builder
  readonly receiver: Receiver
  readonly endpoint: number
  readonly campus: number
  readonly sealing: Sealing
  readonly secrets: Sealer
  now(): Date
  set(time: Date): void
  /** Changes a user in a way that makes an event. */
  touch(user: number, values?: Readonly<Record<string, unknown>>): Promise<void>
  user(login: string): Promise<number>
  /** Another webservice with a campus of its own; gives both ids. */
  place(url: string, values?: Readonly<Record<string, unknown>>): Promise<{ endpoint: number; campus: number }>
  sender(options?: {
    readonly chance?: () => number
    readonly deadlines?: Deadlines
    readonly database?: Database
  }): Sender
  /** Makes the deliveries of what was committed. */
  fanOut(): Promise<void>
  /** The same, and sends them. */
  settle(): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  rows(): Promise<any[]>
  close(): Promise<void>
}

type Sender = DeliverySender<CampusDelivery, Subscription>

const START = new Date('2026-03-02T10:00:00.000Z')

export async function sending(): Promise<Sending> {
  const database = await testDatabase()
  const build = builderOf(database)
  const service = await receiver()
  const [sealing, secrets] = [createSealing(), new Sealer(Buffer.alloc(32, 7))]
  let time = START
  const clock = { now: () => time }
  const reader = readerForCampuses(await testEngine(database, clock, secrets))
  const onError = (error: unknown) => {
    throw error
  }
  const relay = new Relay({ database, captures: new Captures(database, storageOfResources()), onError })
  const maker = new FanOut({ database, clock, reader, onError })
  const senders: Sender[] = []

  async function place(url: string, values: Readonly<Record<string, unknown>> = {}) {
    const endpoint = await build.record('endpoints', { url, active: true, ...values })
    return { endpoint, campus: await build.campus({ endpoint_id: endpoint }) }
  }
  const { endpoint, campus } = await place(service.url, {
    secret: secrets.seal('endpoints.secret', 'a webservice secret'),
  })

  function sender({ chance, deadlines, ...others }: Parameters<Sending['sender']>[0] = {}): Sender {
    const tls = { ca: [service.ca] }
    const allowed = readAllowList(['localhost'])
    const transport = createTransport({ allowed, tls, connections: 4, ...(deadlines ? { deadlines } : {}) })
    const parts = { database, clock, transport, limits: limitsToCampuses({ connections: 4 }), ...others }
    const kind = campusDeliveries({ database: parts.database, secrets, sealing })
    const made = new DeliverySender({ ...parts, kind, ...(chance ? { chance } : {}) })
    senders.push(made)
    return made
  }
  let own: Sender | undefined
  async function fanOut(): Promise<void> {
    await database.changes.validate()
    await relay.settle()
    await maker.settle()
  }
  return {
    fanOut,
    database,
    build,
    receiver: service,
    endpoint,
    campus,
    sealing,
    secrets,
    place,
    sender,
    now: () => time,
    set(to) {
      time = to
    },
    async touch(user, values = {}) {
      const names = Object.keys(values).map((name, index) => `, ${name} = $${index + 3}`)
      await database.rows(`update users set revision = revision + 1, updated_at = $2${names.join('')} where id = $1`, [
        user,
        time,
        ...Object.values(values),
      ])
      await fanOut()
    },
    async user(login) {
      const made = await database.transaction(async (tx) => {
        const id = await builderOf({ ...database, ...tx }).user({ login, created_at: time, updated_at: time })
        await tx.rows('insert into campus_users (user_id, campus_id, updated_at) values ($1, $2, $3)', [
          id,
          campus,
          time,
        ])
        return id
      })
      await fanOut()
      return made
    },
    async settle() {
      await fanOut()
      own ??= sender()
      await own.settle()
    },
    rows: () => database.kysely.selectFrom('deliveries').selectAll().orderBy('id').execute(),
    async close() {
      for (const one of senders) await one.stop()
      await service.close()
      await database.close()
    },
  }
}
