import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../support/client.ts'
import { everythingStored } from '../support/database-contents.ts'
import { filesWith } from '../support/files-with.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { answer, type Receiver, receiver } from '../support/receiver.ts'
import { hostileReceiver } from './hostile-receiver.ts'
import { type Campus, emptyCampus, kill, type ServerProcess } from './server-process.ts'

/** `npm run test:release` asks for twenty. */
const KILLS = Number(process.env.CAMPUS_TEST_DELIVERY_KILLS ?? 3)
const WRITERS = 4
/** Pause between the changes of a writer. The full run has none, to make thousands of changes. */
const PAUSE_MS = process.env.CAMPUS_TEST_DELIVERY_KILLS ? 0 : 30
/** Number of users. It is high, since a failed delivery holds back later deliveries about the same user. */
const USERS = 60
const CONNECTIONS = 10
/** Timeout of an attempt, with a margin. */
const WHOLE_ATTEMPT_MS = 17_000
/** Part of every password and `meta` sent. No file and no table may contain it. */
const CANARY = 'cAnArY-7d1f'

type Written = { readonly user: number; readonly marker: string }
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
type Row = any

/**
 * Numbers of servers that share a database. All of them are killed together. A single server uses the embedded
 * database.
 */
const SERVERS = process.env.CAMPUS_TEST_DELIVERY_KILLS ? [1, 2] : [2]

for (const servers of SERVERS) {
  describe(`webhooks to campuses of whom one is hostile, by ${servers === 1 ? 'a server that is' : 'two servers that are'} killed ${KILLS} times`, () => {
    proveDeliveries(servers)
  })
}

function proveDeliveries(servers: number): void {
  const journal: Written[] = []
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let campus: Campus
  let hostile: Awaited<ReturnType<typeof hostileReceiver>>
  let gone: Receiver
  let rows: Row[] = []
  let endpoints: Row[] = []
  /** Final status of each user by id. */
  let statuses: ReadonlyMap<number, string | null | undefined> = new Map()
  let output = ''
  const found: string[] = []
  let number = 0

  before(async () => {
    folder = await temporaryFolder()
    hostile = await hostileReceiver()
    gone = await receiver({ identity: hostile.identity })
    gone.behave(answer(410))
    const authorities = join(folder.path, 'authorities.pem')
    await writeFile(authorities, hostile.ca)
    campus = await emptyCampus({
      database: servers === 1 ? 'embedded' : 'shared',
      env: { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: authorities, CAMPUS_LOG_LEVEL: 'debug' },
    })
    let place: Place | undefined
    for (let round = 0; round <= KILLS; round += 1) {
      const running = await startAll()
      const client = await campus.caller()
      place ??= await openPlace(client)
      const stopAt = { isReached: false }
      const works = Array.from({ length: WRITERS }, () => write(client, place as Place, stopAt))
      const isLast = round === KILLS
      await wait(1000 + Math.random() * 2000)
      if (isLast) {
        stopAt.isReached = true
        await Promise.all(works)
        await wait(WHOLE_ATTEMPT_MS)
      }
      await Promise.all(running.map(kill))
      await Promise.all(works)
      await look()
    }
    await finish(place as Place)
  })
  after(async () => {
    await campus?.remove()
    await Promise.all([hostile?.close(), gone?.close()])
    await folder?.remove()
  })

  async function startAll(): Promise<ServerProcess[]> {
    const started = [await campus.start()]
    while (started.length < servers) started.push(await campus.start({ CAMPUS_PORT: String(await freePort()) }))
    for (const { child } of started) {
      child.stdout?.on('data', (data) => {
        output += data
      })
    }
    return started
  }

  type Place = { readonly users: readonly number[] }

  /** Creates two campuses with an endpoint each, and users, one of whom belongs to both campuses. */
  async function openPlace(client: Client): Promise<Place> {
    const make = async (resource: string, singular: string, values: object): Promise<number> => {
      const { status, json, text } = await client.post(`/v2/${resource}`, { [singular]: values })
      assert.equal(status, 201, text)
      return json.id
    }
    const language_id = await make('languages', 'language', { name: 'French', identifier: 'fr' })
    const campuses = []
    for (const [name, url] of Object.entries({ Lyon: hostile.url, Paris: gone.url })) {
      const endpoint_id = await make('endpoints', 'endpoint', { url, secret: `the secret of ${name}` })
      campuses.push(await make('campus', 'campus', { name, time_zone: 'UTC', language_id, endpoint_id }))
    }
    const users = []
    for (let index = 0; index < USERS; index += 1) {
      const person = {
        email: `u${index}@a.test`,
        first_name: 'Ada',
        last_name: 'Byron',
        kind: 'student',
        campus_id: campuses[0],
      }
      users.push(await make('users', 'user', { ...person, login: `u${index}` }))
    }
    await make('campus_users', 'campus_user', { user_id: users[0], campus_id: campuses[1], is_primary: false })
    return { users }
  }

  /**
   * Changes users until the server is killed. Some changes set a password; some are refused by their last nested
   * record.
   */
  async function write(client: Client, { users }: Place, stopAt: { readonly isReached: boolean }): Promise<void> {
    while (!stopAt.isReached) {
      number += 1
      const user = users[Math.floor(Math.random() * users.length)] as number
      const marker = `change ${number}`
      const secret = number % 10 === 0 ? { password: `${CANARY} ${number}`, meta: { group: `${CANARY} meta` } } : {}
      const isRefused = number % 7 === 0
      const refused = isRefused ? { campus_users_attributes: [{ campus_id: 999_999 }] } : {}
      const change = { ...secret, ...refused, status: isRefused ? `phantom ${number}` : marker }
      try {
        const { status } = await client.patch(`/v2/users/${user}`, { user: change })
        if (status === 204) journal.push({ user, marker })
        await wait(PAUSE_MS)
      } catch {
        return
      }
    }
  }

  /** Searches all files and tables for the canary, and makes all pending deliveries due. No server may be running. */
  async function look(): Promise<void> {
    found.push(...(await filesWith(campus.env.CAMPUS_DATA as string, [CANARY])))
    const database = await campus.openDatabase()
    if ((await everythingStored(database)).includes(CANARY)) found.push('a table')
    await database.rows("update deliveries set due_at = created_at, leased_until = null where state = 'pending'")
    rows = await database.kysely.selectFrom('deliveries').selectAll().orderBy('id').execute()
    statuses = new Map(
      (await database.rows('select id, status from users')).map(([id, status]) => [Number(id), status]),
    )
    endpoints = await database.kysely.selectFrom('endpoints').selectAll().orderBy('id').execute()
    await database.close()
  }

  /** Makes the hostile receiver accept every call, changes a last password, and waits until no delivery is pending. */
  async function finish({ users: [user] }: Place): Promise<void> {
    hostile.beKind()
    const isLast = (row: (typeof rows)[number]) => row.user_id === user && row.record.status === 'the last'
    for (let attempt = 0; !rows.some(isLast) || rows.some(({ state }) => state === 'pending'); attempt += 1) {
      assert.ok(attempt < 10, 'deliveries are still pending')
      const running = await startAll()
      const client = await campus.caller()
      if (attempt === 0) {
        const { status } = await client.patch(`/v2/users/${user}`, { user: { password: CANARY, status: 'the last' } })
        assert.equal(status, 204)
        journal.push({ user: user as number, marker: 'the last' })
      }
      for (let second = 0; second < 40; second += 1) {
        const { json: pending } = await client.get('/v2/deliveries?filter[state]=pending&per_page=1')
        // Deliveries are created after the response to a change.
        const { json: newest } = await client.get(`/v2/deliveries?filter[user_id]=${user}&sort=-id&per_page=1`)
        const { json: last } = await client.get(`/v2/deliveries/${newest[0].id}`)
        if (pending.length === 0 && last.record.status === 'the last') break
        await wait(500)
      }
      await Promise.all(running.map(kill))
      await look()
    }
  }

  it('left nothing undecided that was answered for', (t) => {
    t.diagnostic(`${journal.length} changes, ${rows.length} calls, ${hostile.calls.length} tries`)
    t.diagnostic(`ways: ${[...hostile.chosen].map(([name, count]) => `${name} ${count}`).join(', ')}`)
    assert.ok(journal.length > KILLS * WRITERS, `only ${journal.length} changes`)
    assert.deepEqual(
      rows.filter(({ state }) => state === 'pending'),
      [],
    )
  })

  it('was called for each change that was answered for, and last with what the user is', () => {
    const [lyon] = endpoints
    const calls = Map.groupBy(
      rows.filter(({ endpoint_id, event }) => endpoint_id === lyon.id && event === 'updated'),
      ({ user_id }) => user_id,
    )
    for (const [user, changes] of Map.groupBy(journal, (entry) => entry.user)) {
      const made = calls.get(user) ?? []
      assert.ok(made.length >= changes.length, `${made.length} calls about user ${user} for ${changes.length} changes`)
      assert.equal(made.at(-1)?.record.status, statuses.get(user))
    }
  })

  it('had every delivery that counts as delivered', () => {
    const received = new Set([...hostile.calls, ...gone.calls].map(({ id }) => id))
    const delivered = rows.filter(({ state }) => state === 'delivered')
    assert.ok(delivered.length > 0)
    assert.deepEqual(
      delivered.filter(({ webhook_id }) => !received.has(webhook_id)),
      [],
    )
  })

  it('got nothing that was rolled back, and nothing that is not in the log', () => {
    const ids = new Set(rows.map(({ webhook_id }) => webhook_id))
    const strangers = [...hostile.calls, ...gone.calls].filter(
      ({ id, body }) => !ids.has(id) || String(body.status).startsWith('phantom'),
    )
    assert.deepEqual(strangers, [])
  })

  it('got each user’s changes in order', () => {
    const place = new Map(rows.map(({ webhook_id, id }) => [webhook_id, id]))
    const last = new Map<number, number>()
    for (const { id, body } of hostile.calls) {
      const current = place.get(id)
      assert.ok(current >= (last.get(body.id) ?? 0), `call ${current} about user ${body.id} after ${last.get(body.id)}`)
      last.set(body.id, current)
    }
  })

  it('sent the same body under one id over all attempts, but for what could no longer be opened', () => {
    const bodies = new Map<string, string>()
    for (const { id, body } of hostile.calls) {
      const text = JSON.stringify({ ...body, password: null, meta: null })
      assert.equal(bodies.get(id) ?? text, text)
      bodies.set(id, text)
    }
    assert.ok(hostile.calls.length > bodies.size, 'nothing was attempted twice')
  })

  it('never had more connections to one campus than it may, and never the same delivery twice at once', () => {
    assert.ok(hostile.maxSockets() <= CONNECTIONS * servers, String(hostile.maxSockets()))
    assert.deepEqual(hostile.overlapping, [])
  })

  it('ended every attempt at its deadline', (t) => {
    const tries = rows.flatMap(({ attempts }) => attempts)
    t.diagnostic(`the longest took ${Math.max(...tries.map(({ milliseconds }) => milliseconds))} ms`)
    const late = tries.filter(({ error }) => error === 'not_answered 15')
    assert.ok(late.length > 0, 'no attempt was left waiting')
  })

  it('switched off the campus that was gone, and its deliveries are dead', () => {
    const [lyon, paris] = endpoints
    assert.deepEqual([lyon.active, paris.active, paris.switched_off_because], [true, false, 'gone'])
    const states = new Set(rows.filter(({ endpoint_id }) => endpoint_id === paris.id).map(({ state }) => state))
    assert.deepEqual(states, new Set(['dead']))
  })

  it('left no password and no meta anywhere, before, while or after they were delivered', () => {
    assert.ok(
      hostile.calls.some(({ text }) => text.includes(CANARY)),
      'none was delivered at all',
    )
    assert.deepEqual(found, [])
    assert.ok(output.includes('webhook delivered'), 'the log is empty')
    assert.ok(!output.includes(CANARY))
    assert.ok(!output.includes('the secret of'))
    assert.deepEqual(
      rows.filter(({ sealed }) => sealed !== null),
      [],
    )
  })
}
