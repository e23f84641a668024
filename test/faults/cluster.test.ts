/** Any machine may go: each part of a cluster is killed, frozen and cut off under load, and a replica is promoted. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Agent } from 'undici'
import { canRun } from '../support/can-run.ts'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { type Cluster, openCluster } from '../support/cluster.ts'
import { watch } from '../support/event-stream.ts'
import { temporaryFolder } from '../support/folder.ts'
import { mailServer } from '../support/mail-server.ts'
import { NO_OLDEST_SERVER } from '../support/oldest-server.ts'
import { answer, type Receiver, receiver } from '../support/receiver.ts'
import { REDIS_SKIP } from '../support/redis.ts'
import { until } from '../support/until.ts'

/** How long each part stays away. `npm run test:release` asks for the figure of the promise, 20, and for every fault. */
const SECONDS = Number(process.env.CAMPUS_TEST_CLUSTER_SECONDS ?? 2)
const IS_FULL = SECONDS >= 10
/** File for the history that docs/scaling.md shows. */
const HISTORY = process.env.CAMPUS_TEST_CLUSTER_HISTORY
const READERS = 6
/** Pause of a reader between two reads. */
const READ_PAUSE_MS = IS_FULL ? 5 : 20

const skip =
  REDIS_SKIP ||
  NO_OLDEST_SERVER ||
  (canRun('haproxy', '-v') ? false : "SKIPPED: no haproxy (install Debian's package haproxy)")

/** Something whose versions are numbered. */
type Register = { readonly id: number; readonly path: string; begun: number; acknowledged: number }
type Wrong = { readonly path: string; readonly atLeast: number; readonly version: number; readonly atMost: number }

/** Effects of the loss of a part. */
type Endured = {
  readonly fault: string
  /** Whether there was no primary for some time. */
  readonly isWithoutPrimary: boolean
  readonly seconds: number
  readonly writes: number
  readonly reads: number
  readonly refused: number
  readonly others: readonly string[]
  /** The longest time without an acknowledged write, and without an answered read, in milliseconds. */
  readonly maxWriteGap: number
  readonly maxReadGap: number
  /** From the promotion to the first write after it, in milliseconds. */
  readonly backAfter: number | undefined
}

type Fault = {
  readonly name: string
  readonly isWithoutPrimary?: boolean
  /** Whether the one way in is lost, so that clients reach nothing. */
  readonly isWayIn?: boolean
  /** Left to `npm run test:release`. */
  readonly isLong?: boolean
  readonly begin: () => unknown
  readonly end: () => unknown
}

describe(`a cluster whose parts are away for ${SECONDS} s each`, { skip }, () => {
  let cluster: Cluster
  let agent: Agent
  let client: Client
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let mails: Awaited<ReturnType<typeof mailServer>>
  let campusService: Receiver
  let campus = 0
  const registers: Register[] = []
  const wrong: Wrong[] = []
  const people = new Map<number, string>()
  const mailed = new Set<string>()
  const history: Endured[] = []
  const streamed = new Set<number>()
  const works: Promise<unknown>[] = []
  let isDone = false
  let isPaused = false
  const now = {
    writes: 0,
    reads: 0,
    refused: 0,
    running: 0,
    others: [] as string[],
    wroteAt: 0,
    readAt: 0,
    maxWriteGap: 0,
    maxReadGap: 0,
  }

  before(async () => {
    folder = await temporaryFolder()
    mails = await mailServer()
    campusService = await receiver()
    campusService.behave(answer(204))
    const authorities = join(folder.path, 'authorities.pem')
    await writeFile(authorities, campusService.ca)
    cluster = await openCluster({
      env: {
        CAMPUS_OUTGOING_ALLOW: 'localhost',
        CAMPUS_OUTGOING_CA: authorities,
        CAMPUS_MAIL_URL: mails.url,
        CAMPUS_MAIL_FROM: 'campus@school.test',
      },
    })
    agent = trusting(cluster.ca)
    const { json } = await clientOf({ url: cluster.url, agent }).post('/oauth/token', {
      grant_type: 'client_credentials',
      ...(await cluster.credentials()),
      scope: 'public projects profile',
    })
    client = clientOf({ url: cluster.url, agent }, json.access_token)
    await openSchool()
    works.push(follow(), ...registers.map(write), invite(), ...Array.from({ length: READERS }, read))
    await until(() => now.writes > 50 && now.reads > 200)
  })
  after(async () => {
    isDone = true
    await Promise.all(works)
    await cluster?.close()
    await agent?.destroy()
    await campusService?.close()
    await mails?.close()
    await folder?.remove()
  })

  async function make(path: string, body: object): Promise<number> {
    const { status, json, text } = await client.post(path, body)
    assert.equal(status, 201, text)
    return json.id
  }

  async function openSchool(): Promise<void> {
    const endpoint_id = await make('/v2/endpoints', { endpoint: { url: campusService.url, secret: 'not a secret' } })
    for (let number = 0; number < 4; number += 1) {
      const language_id = await make('/v2/languages', { language: { name: '0', identifier: `register${number}` } })
      const place = { name: `Place ${number}`, city: 'Lyon', country: 'France', time_zone: 'Europe/Paris', language_id }
      const id = await make('/v2/campus', { campus: { ...place, ...(number === 0 && { endpoint_id }) } })
      if (number === 0) campus = id
      const path = number % 2 ? `/v2/campus/${id}` : `/v2/campus?filter[id]=${id}`
      registers.push({ id: language_id, path, begun: 0, acknowledged: 0 })
    }
  }

  /** Sends a request and notes what came of it; undefined where there was no answer, or a refusal. */
  async function send(kind: 'reads' | 'writes', work: () => ReturnType<Client['get']>) {
    const [at, maxGap] = kind === 'reads' ? (['readAt', 'maxReadGap'] as const) : (['wroteAt', 'maxWriteGap'] as const)
    try {
      const answered = await work()
      if (answered.status < 300) {
        now[kind] += 1
        const time = performance.now()
        now[maxGap] = Math.max(now[maxGap], time - now[at])
        now[at] = time
        return answered
      }
      if (answered.status === 503) now.refused += 1
      // The same request, sent again, still runs where nothing is heard from (`Idempotency-Key`).
      else if (answered.status === 409) now.running += 1
      else now.others.push(`${kind}: ${answered.status} ${answered.text.slice(0, 100)}`)
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      if (!isDone) now.others.push(`${kind}: ${cause?.code ?? error}`)
    }
    await wait(20)
    return undefined
  }

  /** Makes version after version. What was not acknowledged may be there or not. */
  async function write(register: Register): Promise<void> {
    while (!isDone) {
      if (isPaused) await wait(20)
      else {
        register.begun += 1
        const version = register.begun
        const language = { name: String(version) }
        if (await send('writes', () => client.put(`/v2/languages/${register.id}`, { language })))
          register.acknowledged = version
        await wait(10)
      }
    }
  }

  async function read(): Promise<void> {
    for (let turn = 0; !isDone; turn += 1) {
      const register = registers[turn % registers.length]
      if (!register) return
      const atLeast = register.acknowledged
      const answered = await send('reads', () => getOnceMore(register.path))
      if (!answered) continue
      const version = Number([answered.json].flat()[0]?.language.name)
      const atMost = register.begun
      if (!(version >= atLeast && version <= atMost)) wrong.push({ path: register.path, atLeast, version, atMost })
      await wait(READ_PAUSE_MS)
    }
  }

  /** Repeats a GET whose connection ended, as clients do (RFC 9110, 9.2.2). */
  const getOnceMore = (path: string) =>
    client.get(path).catch((error) => {
      if ((error as { cause?: { code?: string } }).cause?.code !== 'UND_ERR_SOCKET') throw error
      return client.get(path)
    })

  /** Makes people, each until that is acknowledged, and gives some of them another password, of which they are notified. */
  async function invite(): Promise<void> {
    for (let number = 0; !isDone; number += 1) {
      const login = `p${number}x${randomBytes(3).toString('hex')}`
      const person = {
        login,
        email: `${login}@a.test`,
        first_name: 'Ada',
        last_name: 'Byron',
        kind: 'student',
        campus_id: campus,
      }
      const key = { 'idempotency-key': randomBytes(12).toString('hex') }
      const made = await sendUntilDone(() => client.post('/v2/users', { user: person }, key))
      if (!made) return
      people.set(made.json.id, login)
      if (number % 5 !== 0) continue
      const user = { password: randomBytes(12).toString('hex') }
      if (await sendUntilDone(() => client.put(`/v2/users/${made.json.id}`, { user }))) mailed.add(person.email)
    }
  }

  async function sendUntilDone(work: () => ReturnType<Client['get']>) {
    while (!isDone) {
      if (isPaused) await wait(20)
      else {
        const answered = await send('writes', work)
        await wait(20)
        if (answered) return answered
      }
    }
    return undefined
  }

  /** Follows the list of users by its stream, which it opens again after the last event. */
  async function follow(): Promise<void> {
    let lastId = ''
    while (!isDone) {
      try {
        const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId }
        const stream = await watch({ url: cluster.url, agent }, client, '/v2/users', headers)
        try {
          for (let event = await stream.next(); event && !isDone; event = await stream.next()) {
            // If the list cannot be read now, it is read when the stream begins again.
            if (event.event === 'reset' || event.event === 'page') {
              lastId = ''
              await readAll()
            } else streamed.add(event.data.id)
            lastId = event.id
          }
        } finally {
          stream.close()
        }
      } catch {
        await wait(500)
      }
      // An application opens thirty streams a minute.
      await wait(500)
    }
  }

  async function readAll(): Promise<void> {
    for (let page = 1; ; page += 1) {
      const { status, json } = await client.get(`/v2/users?sort=id&per_page=100&page=${page}`)
      if (status !== 200) throw new Error('not now')
      for (const { id } of json) streamed.add(id)
      if (json.length < 100) return
    }
  }

  /** Has a part away for some time, and notes what others noticed of it. */
  async function endure({ name, isWithoutPrimary = false, begin, end }: Fault): Promise<void> {
    const time = performance.now()
    Object.assign(now, {
      writes: 0,
      reads: 0,
      refused: 0,
      running: 0,
      others: [],
      wroteAt: time,
      readAt: time,
      maxWriteGap: 0,
      maxReadGap: 0,
    })
    await begin()
    const promotedAt = promoted
    let backAfter: number | undefined
    const back = promotedAt
      ? until(() => now.wroteAt > promotedAt).then(() => {
          backAfter = now.wroteAt - promotedAt
        })
      : undefined
    await wait(SECONDS * 1000)
    await back
    await end()
    const [before, read] = [now.writes, now.reads]
    await until(() => now.writes > before + 20 && now.reads > read + 50)
    promoted = undefined
    const { writes, reads, refused, others, maxWriteGap, maxReadGap } = now
    const seconds = (performance.now() - time) / 1000
    history.push({
      fault: name,
      isWithoutPrimary,
      seconds,
      writes,
      reads,
      refused,
      others,
      maxWriteGap,
      maxReadGap,
      backAfter,
    })
  }
  let promoted: number | undefined

  const killed = (name: string, { isWithoutPrimary = false, isLong = true, isWayIn = false } = {}): Fault => ({
    ...{ name: `${name} is killed`, isWithoutPrimary, isLong, isWayIn },
    begin: () => cluster.part(name).kill(),
    end: () => cluster.part(name).start(),
  })
  const frozen = (name: string, { isWithoutPrimary = false, isLong = true, isWayIn = false } = {}): Fault => ({
    ...{ name: `${name} hangs`, isWithoutPrimary, isLong, isWayIn },
    begin: () => cluster.part(name).freeze(),
    end: () => cluster.part(name).thaw(),
  })
  const cut = (name: string, isLong = true): Fault => ({
    ...{ name: `${name} is cut`, isLong },
    begin: () => cluster.links.get(name)?.cut(),
    end: () => cluster.links.get(name)?.mend(),
  })
  const promotion = (lost: string, promotedName: string, how: 'kill' | 'freeze'): Fault => ({
    ...{
      name: `${lost} ${how === 'kill' ? 'is killed' : 'hangs'}, and ${promotedName} is promoted`,
      isWithoutPrimary: true,
    },
    isLong: how === 'freeze',
    async begin() {
      const sync = `select from pg_stat_replication where sync_state = 'sync' and application_name = '${promotedName}'`
      await until(async () => (await cluster.primary().ask(sync)).length > 0)
      await cluster.part(lost)[how]()
      await wait(1_000)
      await cluster.promote(promotedName)
      promoted = performance.now()
    },
    async end() {
      if (how === 'freeze') {
        // It still takes itself for the primary.
        cluster.part(lost).thaw()
        await wait(3_000)
      }
      await cluster.rejoin(lost)
    },
  })

  const FAULTS: readonly Fault[] = [
    killed('campus1', { isLong: false }),
    frozen('campus1'),
    killed('campus2'),
    frozen('campus2'),
    killed('campus3'),
    frozen('campus3'),
    killed('redis'),
    frozen('redis', { isLong: false }),
    killed('haproxy', { isWayIn: true }),
    frozen('haproxy', { isWayIn: true }),
    killed('db2'),
    frozen('db2', { isLong: false }),
    killed('db3'),
    frozen('db3'),
    killed('db1', { isWithoutPrimary: true }),
    frozen('db1', { isWithoutPrimary: true }),
    cut('haproxy-campus1'),
    cut('campus1-db1', false),
    ...['haproxy-campus2', 'haproxy-campus3', 'campus2-db1', 'campus3-db1'].map((name) => cut(name)),
    ...['campus1-db2', 'campus2-db2', 'campus3-db3', 'campus1-redis', 'campus2-redis', 'db2-db1', 'db3-db1'].map(
      (name) => cut(name),
    ),
    promotion('db1', 'db2', 'kill'),
    promotion('db2', 'db1', 'freeze'),
  ]
  it('takes what may be some seconds old from a replica, says how old it is, and does so for nobody else', async () => {
    // A replica that has just been slow is not used.
    const getStale = async (path: string, accept = 'application/json') => {
      let found = await client.get(path)
      await until(async () => {
        found = await client.get(path, { prefer: 'stale-ok', accept })
        return found.headers.get('preference-applied') === 'stale-ok'
      })
      return found
    }
    for (const path of ['/v2/users', '/v2/users/graph/on/created_at/by/day', `/v2/campus/${campus}`]) {
      const [stale, strict] = [await getStale(path), await client.get(path)]
      assert.deepEqual([stale.status, strict.status], [200, 200], path)
      assert.ok(Number(stale.headers.get('age')) <= 5, path)
      assert.deepEqual([strict.headers.get('preference-applied'), strict.headers.get('age')], [null, null], path)
    }
    const whole = await getStale('/v2/users', 'application/x-ndjson')
    assert.equal(whole.text.trim().split('\n').length, Number(whole.headers.get('x-total')))
  })

  for (const fault of FAULTS.filter(({ isLong }) => IS_FULL || !isLong)) {
    it(`shows nothing stale and refuses nothing while ${fault.name}, but for want of a primary`, async () => {
      await endure(fault)
      const found = history.at(-1)
      assert.deepEqual(wrong, [])
      if (!fault.isWayIn) assert.deepEqual(found?.others, [])
      if (!fault.isWithoutPrimary && !fault.isWayIn) assert.equal(found?.refused, 0)
      if (IS_FULL && found?.backAfter !== undefined) assert.ok(found.backAfter < 5_000, `${found.backAfter} ms`)
    })
  }

  it('has everything that was acknowledged, and has sent all of it to those who wait for it', async (t) => {
    isPaused = true
    await wait(500)
    const stored = new Map(
      (await cluster.primary().ask('select id, login from users')).map(([id, login]) => [Number(id), login]),
    )
    const lost = [...people].filter(([id, login]) => stored.get(id) !== login)
    assert.deepEqual(lost, [])
    for (const { id, acknowledged, begun } of registers) {
      const version = Number((await cluster.primary().ask(`select name from languages where id = ${id}`))[0]?.[0])
      assert.ok(version >= acknowledged && version <= begun, `${version} of ${acknowledged}`)
    }
    const missing = (seen: ReadonlySet<number>) => [...people.keys()].filter((id) => !seen.has(id))
    await until(() => missing(streamed).length === 0).catch(() => {})
    assert.deepEqual(missing(streamed), [], 'streamed')
    const called = () => new Set(campusService.calls.map(({ body }) => body.id))
    await until(() => missing(called()).length === 0).catch(() => {})
    assert.deepEqual(missing(called()), [], 'delivered')
    const arrived = () => new Set(mails.received.flatMap(({ to }) => to))
    await until(() => [...mailed].every((address) => arrived().has(address))).catch(() => {})
    assert.deepEqual(
      [...mailed].filter((address) => !arrived().has(address)),
      [],
      'mailed',
    )
    t.diagnostic(
      `${people.size} people, ${mailed.size} mails, ${registers.map(({ acknowledged }) => acknowledged).join(', ')} versions`,
    )
    for (const { fault, writes, reads, refused, maxWriteGap, maxReadGap, backAfter } of history)
      t.diagnostic(
        `${fault}: ${writes} writes, ${reads} reads, ${refused} times 503, longest pause of writes ${Math.round(maxWriteGap)} ms, of reads ${Math.round(maxReadGap)} ms${backAfter === undefined ? '' : `, back ${Math.round(backAfter)} ms after the promotion`}`,
      )
    if (HISTORY) await writeFile(HISTORY, JSON.stringify(history, undefined, 1))
  })
})
