import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Database } from '@campus/engine/database/database'
import { issueToken } from '@campus/intranet/oauth/tokens'
import { sql } from 'kysely'
import { type Client, clientOf } from '../support/client.ts'
import { seededDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { DIGEST, PASSWORD } from '../support/people.ts'
import { answer, type Receiver, receiver } from '../support/receiver.ts'
import { type Builder, builderOf } from '../support/row-builder.ts'
import { csrfTokenIn, type Visitor, visitorOf } from '../support/visitor.ts'
import type { Misuse, Outcomes } from './one-person-work.ts'
import { backgroundAgent, type Other } from './other-people.ts'
import { emptyCampus, kill, type ServerProcess } from './server-process.ts'

const PROBE = new URL('./event-loop-probe.ts', import.meta.url)
const WORK = new URL('./one-person-work.ts', import.meta.url)
const clock = { now: () => new Date() }
const PLENTY = { rate_per_second: 1_000_000, rate_per_hour: 100_000_000 }

export type Person = { readonly id: number; readonly applications: readonly number[]; readonly browser: Visitor }

/**
 * A demonstration school whose service runs in its own process. One person sends as many requests as the limits allow,
 * beside other people.
 */
export type OnePersonSchool = {
  readonly url: string
  readonly ca: string
  readonly port: number
  readonly database: Database
  readonly server: () => ServerProcess
  /** Kills the service, deletes its deliveries and logout notices, and starts it again. */
  restart(): Promise<void>
  readonly folder: string
  readonly build: Builder
  /** A receiver that accepts calls and does not respond until it is released. */
  readonly hanging: Receiver
  /** A receiver that responds immediately. */
  readonly fast: Receiver
  /** A client with the token of an application that has every role. */
  readonly director: Client
  readonly owner: Person
  readonly others: readonly Other[]
  /** Creates an application of this user, with a token of the user. */
  application(owner: number, name: string): Promise<{ readonly id: number; readonly client: Client }>
  token(application: number, user: number | null, scopes?: readonly string[]): Promise<string>
  /** Inserts webhooks without checking how many the person may have. */
  subscribe(applications: readonly number[], model: string, url: string): Promise<void>
  /** Runs requests of the person in a worker thread, until the returned function is called. */
  misuse(work: Omit<Misuse, 'port' | 'ca' | 'browser'>): () => Promise<Outcomes>
  /** Returns the longest time that the event loop of the service was blocked since `time`, in milliseconds. */
  heldSince(time: number): Promise<number>
  close(): Promise<void>
}

type Size = { readonly applications: number; readonly others: number }

export async function onePersonSchool({ applications, others: count }: Size): Promise<OnePersonSchool> {
  const folder = await temporaryFolder()
  const database = await seededDatabase({ users: 60, locations: 120, now: new Date('2026-03-02T10:00:00.000Z') })
  const build = builderOf(database)
  const hanging = await receiver()
  hanging.behave(() => {})
  const fast = await receiver({ identity: hanging.identity })
  const authorities = join(folder.path, 'authorities.pem')
  await writeFile(authorities, hanging.ca)
  const lines = join(folder.path, 'event-loop')
  const campus = await emptyCampus({
    database: 'shared',
    env: {
      DATABASE_URL: database.url,
      CAMPUS_OUTGOING_ALLOW: 'localhost',
      CAMPUS_OUTGOING_CA: authorities,
      NODE_OPTIONS: `--import=${PROBE.href}`,
      EVENT_LOOP_PROBE: lines,
    },
  })
  let server = await campus.start()
  const ca = await readFile(join(String(campus.env.CAMPUS_DATA), 'tls/cert.pem'), 'utf8')
  const { url } = campus
  const port = Number(campus.env.CAMPUS_PORT)
  const agent = backgroundAgent(ca)
  const director = await campus.caller()

  async function token(application: number, user: number | null, scopes: readonly string[] = ['public', 'projects']) {
    const issued = await issueToken(database, clock, { applicationId: application, resourceOwnerId: user, scopes })
    return issued.token
  }

  async function application(owner: number, name: string) {
    const id = await build.record('applications', {
      ...{ name, owner_id: owner, uid: randomBytes(32).toString('hex'), scopes: ['public', 'projects'] },
      ...PLENTY,
    })
    return { id, client: clientOf({ url, agent }, await token(id, owner)) }
  }

  async function personOf(login: string, values: Readonly<Record<string, unknown>> = {}) {
    const id = await build.user({ login, password_digest: DIGEST, ...values })
    const browser = visitorOf({ url, agent })
    return { id, login, browser }
  }

  const owner = await personOf('taker', { kind: 'admin' })
  await database.rows('insert into administrators values ($1, now())', [owner.id])
  await owner.browser.signIn(owner.login, PASSWORD)
  const csrf = csrfTokenIn(await owner.browser.get('/staff/import/new/users'))
  const cookie = [...owner.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const owned: number[] = []
  for (let at = 0; at < applications; at += 1) owned.push((await application(owner.id, `Taker ${at}`)).id)

  const others: Other[] = []
  for (let at = 0; at < count; at += 1) {
    const person = await personOf(`other${at}`)
    await person.browser.signIn(person.login, PASSWORD)
    others.push({ ...person, client: (await application(person.id, `Other ${at}`)).client })
  }

  return {
    ...{ url, ca, port, database, folder: folder.path, build, hanging, fast, director, others },
    ...{ application, token },
    owner: { id: owner.id, applications: owned, browser: owner.browser },
    server: () => server,
    async restart() {
      await kill(server)
      await database.rows('delete from webhook_deliveries')
      await database.rows('delete from logout_notices')
      server = await campus.start()
    },
    async subscribe(to, model, address) {
      const made = await director.post(`/v2/apps/${to[0]}/webhooks`, {
        webhook: { model, event: 'create', url: address },
      })
      if (made.status !== 201) throw new Error(made.text)
      await sql`
        insert into webhooks (application_id, model, relation, event, url, secret, since)
        select application, model, relation, event, url, secret, since
        from webhooks, unnest(${to.slice(1)}::integer[]) application where webhooks.id = ${made.json.id}`.execute(
        database.kysely,
      )
    },
    misuse(work) {
      const worker = new Worker(WORK, { workerData: { port, ca, browser: { cookie, csrf }, ...work } satisfies Misuse })
      const ended = Promise.withResolvers<Outcomes>()
      worker.once('message', ended.resolve)
      worker.once('error', ended.reject)
      return async () => {
        worker.postMessage('end')
        const outcomes = await ended.promise
        await worker.terminate()
        return outcomes
      }
    },
    async heldSince(time) {
      const text = await readFile(lines, 'utf8')
      const probed: { at: number; held: number }[] = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
      return Math.max(0, ...probed.filter(({ at }) => at > time).map(({ held }) => held))
    },
    async close() {
      hanging.behave(answer(204))
      await agent.destroy()
      await campus.remove()
      await Promise.all([hanging.close(), fast.close()])
      await database.close()
      await folder.remove()
    },
  }
}
