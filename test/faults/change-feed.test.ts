/**
 * Checks that each acknowledged change is in the change feed once and in order, and that streams resume without a gap.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import { issueToken } from '@campus/intranet/oauth/tokens'
import type { Agent } from 'undici'
import { createApplication } from '../support/application.ts'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { watch } from '../support/event-stream.ts'
import { until } from '../support/until.ts'
import { type Campus, emptyCampus, type ServerProcess } from './server-process.ts'
import { openPlace, type Place } from './writers.ts'

/** `npm run test:release` asks for the figure of the promise, 200. */
const KILLS = Number(process.env.CAMPUS_TEST_KILLS ?? 6)
const WRITERS = 6
const UPDATES = 3
/** An application may open 30 streams a minute. */
const READING_APPLICATIONS = 60

const LISTS = {
  all: '/v2/locations',
  active: '/v2/locations?filter[active]=true',
  here: '/v2/campus/1/locations?filter[active]=true&range[id]=1,1000000',
} as const

/** The changes of a location that were acknowledged, in their order. */
type Journal = Map<number, ('create' | 'update' | 'destroy')[]>

describe(`a change feed whose processes and database are killed ${KILLS} times`, () => {
  const journal: Journal = new Map()
  const stopping = new AbortController()
  let campus: Campus
  let server: ServerProcess
  let agent: Agent
  let database: Database
  let place: Place
  let user_id: number
  let acknowledged = 0
  let readers: Reader[] = []
  const works: Promise<void>[] = []

  before(async () => {
    campus = await emptyCampus({ database: 'embedded', env: { CAMPUS_PROCESSES: '2' } })
    server = await campus.start()
    agent = trusting(await readFile(join(String(campus.env.CAMPUS_DATA), 'tls/cert.pem'), 'utf8'))
    database = await campus.openDatabase()
    const client = await campus.caller()
    place = await openPlace(client)
    const person = { login: 'ada', email: 'ada@example.org', first_name: 'Ada', last_name: 'Byron', kind: 'student' }
    const made = await client.post('/v2/users', { user: { ...person, campus_id: place.campus } })
    user_id = made.json.id
    const tokens = await Promise.all(Array.from({ length: READING_APPLICATIONS }, readingToken))
    const reading = { url: campus.url, agent }
    readers = Object.values(LISTS).map(
      (path, index) => new Reader(reading, path, tokens.slice(index * 20, index * 20 + 20)),
    )
    for (const reader of readers) works.push(reader.read(stopping.signal))
    await until(() => readers.every(({ hasBegun }) => hasBegun))
  })
  after(async () => {
    stopping.abort()
    for (const reader of readers) reader.cut()
    await Promise.all(works)
    await database?.close()
    await agent?.destroy()
    await campus?.remove()
  })

  async function readingToken(): Promise<string> {
    const rates = { rate_per_second: 1_000_000, rate_per_hour: 100_000_000 }
    const { id } = await database.transaction((tx) => createApplication(tx, { name: 'Reader', ...rates }))
    const grant = { applicationId: id, resourceOwnerId: null, scopes: ['public'] }
    return (await issueToken(database, systemClock, grant)).token
  }

  /** A transaction with a number that stays open, and another one where it was killed. */
  async function stayIdle(): Promise<void> {
    while (!stopping.signal.aborted)
      await database
        .transaction(async (tx) => {
          await tx.rows('select pg_current_xact_id()')
          for (let isThere = true; isThere && !stopping.signal.aborted; ) {
            await wait(200)
            isThere = (await tx.rows('select 1')).length === 1
          }
        })
        .catch(() => wait(100))
  }

  /** Sends a write until it is acknowledged. */
  async function send(client: () => Promise<Client>, method: string, path: string, body: object, key?: string) {
    for (;;) {
      try {
        const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
        const answer = await (await client()).request(method, path, { body, headers })
        if (answer.status < 300 || (method === 'DELETE' && answer.status === 404)) return answer
        assert.equal(answer.status, 503, `${method} ${path}: ${answer.text}`)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
      }
      await wait(20)
    }
  }

  /** Makes location after location, changes each some times, ends or deletes some. */
  async function write(writing: AbortSignal): Promise<void> {
    const { token } = await campus.caller()
    const client = async () => clientOf({ url: campus.url, agent }, token)
    for (let n = 0; !writing.aborted; n += 1) {
      const location = { user_id, campus_id: place.campus, host: randomBytes(6).toString('hex') }
      const body = { location: { ...location, begin_at: '2026-01-01T00:00:00Z' } }
      const { json } = await send(client, 'POST', '/v2/locations', body, randomBytes(12).toString('hex'))
      const path = `/v2/locations/${json.id}`
      const changes: ('create' | 'update' | 'destroy')[] = ['create']
      journal.set(json.id, changes)
      const acknowledge = (operation: 'update' | 'destroy') => {
        changes.push(operation)
        acknowledged += 1
      }
      for (let version = 0; version < UPDATES; version += 1) {
        const isLast = version === UPDATES - 1 && n % 2 === 0
        const host = `${location.host}-${version}`
        await send(client, 'PATCH', path, { location: { host, ...(isLast && { end_at: '2026-01-01T01:00:00Z' }) } })
        acknowledge('update')
      }
      if (n % 3 !== 0) continue
      await send(client, 'DELETE', path, {})
      acknowledge('destroy')
    }
  }

  /** Kills one of the two processes that serve. */
  async function killProcess(): Promise<void> {
    const pid = server.child.pid
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
    const names = await Promise.all(
      children.map(async (child) => [child, await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')] as const),
    )
    const serving = names.filter(([, name]) => name.includes('node')).map(([child]) => Number(child))
    const victim = serving[Math.floor(Math.random() * serving.length)]
    if (victim !== undefined) process.kill(victim, 'SIGKILL')
  }

  it('loses nothing that its writers were told', async (t) => {
    const writing = new AbortController()
    works.push(stayIdle())
    const writers = Array.from({ length: WRITERS }, () => write(writing.signal))
    const begun = acknowledged
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = acknowledged
      await until(() => acknowledged >= before + 10)
      await wait(Math.random() * 500)
      if (kill % 3 !== 1) await killProcess()
      if (kill % 3 !== 0) await campus.killDatabase().catch(() => {})
      readers[kill % readers.length]?.cut()
    }
    const before = acknowledged
    await until(() => acknowledged >= before + 10)
    writing.abort()
    await Promise.all(writers)
    // The last kill may have left this process without a database for a while.
    await until(() =>
      database.rows('select 1').then(
        () => true,
        () => false,
      ),
    )
    t.diagnostic(`${acknowledged - begun} changes, ${readers.map(({ opened }) => opened).join(', ')} streams`)
  })

  it('has each of them once, and those of a record in their order', async () => {
    const locations = () =>
      database.rows(`select record_id, operation from feed where relation = 'locations' order by position`)
    const expected = [...journal.values()].flat().length
    await until(async () => (await locations()).length >= expected)
    const found = new Map<number, string[]>()
    for (const [id, operation] of await locations())
      found.set(Number(id), [...(found.get(Number(id)) ?? []), String(operation)])
    assert.deepEqual(found, journal)
    const [bounds] = await database.rows('select count(*), max(position) - min(position) + 1 from feed')
    assert.equal(bounds?.[0], bounds?.[1])
  })

  it('brings every stream to the state of its list, by resuming alone', async () => {
    const wanted = { all: '', active: 'where end_at is null', here: 'where end_at is null' }
    for (const [index, where] of Object.values(wanted).entries()) {
      const reader = readers[index]
      const rows = await database.rows(`select id, host from locations ${where} order by id`)
      const state = JSON.stringify(rows.map(([id, host]) => [Number(id), host]))
      await until(() => reader?.state() === state).catch(() => {})
      assert.deepEqual([reader?.resets, reader?.differences(rows)], [0, []])
      assert.ok(Number(reader?.opened) > 1)
    }
  })
})

/** Follows a list by its stream, which it opens again after the last event whenever it ends. */
class Reader {
  readonly #server: { readonly url: string; readonly agent: Agent }
  readonly #path: string
  readonly #tokens: readonly string[]
  readonly #records = new Map<number, string>()
  readonly #lastSeen = new Map<number, string>()
  #lastId = ''
  #cut = () => {}
  opened = 0
  resets = 0
  hasBegun = false

  constructor(server: { readonly url: string; readonly agent: Agent }, path: string, tokens: readonly string[]) {
    this.#server = server
    this.#path = path
    this.#tokens = tokens
  }

  cut(): void {
    this.#cut()
  }

  state(): string {
    return JSON.stringify([...this.#records].sort(([one], [other]) => one - other))
  }

  /** Returns the differences between the stream's rows and the list. */
  differences(rows: readonly (readonly (string | null)[])[]): readonly string[] {
    const wanted = new Map(rows.map(([id, host]) => [Number(id), host]))
    const ids = new Set([...this.#records.keys(), ...wanted.keys()])
    return [...ids].flatMap((id) => {
      const [has, is] = [this.#records.get(id), wanted.get(id)]
      return has === is ? [] : [`${id}: ${has} for ${is}, last ${this.#lastSeen.get(id)}`]
    })
  }

  async read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.#readOne(signal).catch(() => wait(50))
  }

  async #readOne(signal: AbortSignal): Promise<void> {
    this.opened += 1
    const token = this.#tokens[this.opened % this.#tokens.length]
    const headers: Record<string, string> = this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }
    const stream = await watch(this.#server, clientOf(this.#server, token), this.#path, headers)
    this.#cut = () => stream.close()
    try {
      if (stream.status !== 200) await wait(100)
      for (let event = await stream.next(); event && !signal.aborted; event = await stream.next()) {
        this.#lastId = event.id
        if (event.data.id !== undefined)
          this.#lastSeen.set(event.data.id, `${event.event} at ${event.id.split('-').at(-1)}`)
        this.hasBegun = true
        if (event.event === 'reset') this.resets += 1
        else if (event.event === 'destroy') this.#records.delete(event.data.id)
        else if (event.event !== 'page') this.#records.set(event.data.id, event.data.host)
      }
    } finally {
      stream.close()
    }
  }
}
