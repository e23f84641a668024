import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import pg from 'pg'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'
import { signedInOf } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'

/** `npm run test:release` asks for a minute, and for the time that a served statement has. */
const SECONDS = Number(process.env.CAMPUS_TEST_SLOW_SECONDS ?? 14)
const STATEMENT_SECONDS = process.env.CAMPUS_TEST_SLOW_SECONDS ? 30 : 2
const POOL = 10
/** Pool connections that are available to writers (`database.ts`). */
const WRITERS = 7
const CALLERS = 20
const PAUSE_MILLISECONDS = 20

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string }
type Call = () => Promise<Answer>

/** The outcomes of repeated calls. */
type Tally = { readonly answers: Answer[]; stop(): Promise<Tally> }

function again(calls: readonly Call[]): Tally {
  const answers: Answer[] = []
  let isOver = false
  const callers = calls.map(async (call) => {
    while (!isOver) {
      answers.push(await call())
      await wait(PAUSE_MILLISECONDS)
    }
  })
  const tally: Tally = {
    answers,
    async stop() {
      isOver = true
      await Promise.all(callers)
      return tally
    },
  }
  return tally
}

describe('while writes have to wait', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let server: EmbeddedServer
  let world: World
  let psql: pg.Client
  /** A transaction is shown the activity of its beginning. */
  let onlooker: pg.Client
  let visitor: Visitor
  let token: Call
  let locked: number

  before(async () => {
    folder = await temporaryFolder()
    const settings = { wal_level: 'replica', max_wal_senders: '4', fsync: 'off' }
    server = await EmbeddedServer.open({ data: join(folder.path, 'server'), connections: 60, settings })
    const { url } = server
    const database = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      url,
      poolSize: POOL,
      statementSeconds: STATEMENT_SECONDS,
    })
    await migrate(database.background.kysely, storageOfResources())
    ;[psql, onlooker] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
    await Promise.all([psql.connect(), onlooker.connect()])
    world = await campus({ on: { ...database, url } })
    await world.build.campus({ slug: 'paris' })
    locked = (await world.director.post('/v2/tags', { tag: { name: 'locked', kind: 'general' } })).json.id
    visitor = (await signedInOf(world)).browser
    const { uid, secret } = await database.transaction((tx) =>
      createApplication(tx, { name: 'Slow', confidential: true }),
    )
    const grant = { grant_type: 'client_credentials', client_id: uid, client_secret: secret }
    token = () => world.anonymous.post('/oauth/token', grant) as Promise<Answer>
  })
  after(async () => {
    await world?.close()
    await psql?.end()
    await onlooker?.end()
    await server?.close()
    await folder?.remove()
  })

  const post: Call = () =>
    world.director.post('/v2/tags', { tag: { name: `slow ${Math.random()}`, kind: 'general' } }) as Promise<Answer>
  const patch: Call = () =>
    world.director.patch(`/v2/tags/${locked}`, { tag: { name: `named ${Math.random()}` } }) as Promise<Answer>
  let page = 0
  const reads: readonly Call[] = [
    () => world.visitor.get('/v2/campus') as Promise<Answer>,
    // One that no cache holds.
    () => world.visitor.get(`/v2/users?page[size]=${1 + (page++ % 90)}`) as Promise<Answer>,
    () => world.visitor.get(`/v2/tags/${locked}?at=${page++}`) as Promise<Answer>,
    () => world.anonymous.get('/health') as Promise<Answer>,
    () => visitor.get('/') as Promise<Answer>,
  ]
  const setStandby = async (name: string) => {
    await psql.query(`alter system set synchronous_standby_names = '${name}'`)
    await psql.query('select pg_reload_conf()')
    for (let set = ''; set !== name; await wait(20)) {
      set = (await psql.query('show synchronous_standby_names')).rows[0].synchronous_standby_names
    }
  }
  const untilWritten = async (call: Call) => {
    while ((await call()).status >= 500) await wait(100)
  }

  /** Calls while writes have to wait; gives what was answered meanwhile, when they need not any more. */
  async function holdFor(seconds: number, writes: readonly Call[], release: () => Promise<unknown>) {
    // Time for what pages note of a session.
    world.clock.advance(120)
    const [writing, reading] = [again(writes), again(reads)]
    let backends = 0
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(500)) {
      const { rows } = await onlooker.query(
        "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      )
      backends = Math.max(backends, Number(rows[0].count))
    }
    const [read, written] = [(await reading.stop()).answers, [...writing.answers]]
    await release()
    await writing.stop()
    return { read, written, backends }
  }

  function assertServed({ read, written, backends }: Awaited<ReturnType<typeof holdFor>>, seconds: number): void {
    const refused = read.filter(({ status }) => status !== 200)
    assert.deepEqual(
      refused.map(({ status, text }) => `${status} ${text.slice(0, 200)}`),
      [],
      `${refused.length} of ${read.length}`,
    )
    // Each reader was answered again and again, not once at the end.
    assert.ok(read.length > reads.length * seconds, `${read.length} reads`)
    assert.ok(written.length > 0)
    for (const { status, headers, text } of written) {
      assert.equal(status, 503, text)
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    }
    // Connections of requests, background work, whole lists, the listener, and the lock.
    assert.ok(backends <= POOL + 2 + 2 + 1 + 1, `${backends} connections`)
  }

  it('for a standby that is away, reads and health are answered, writes are 503, and then they are done again', async () => {
    await untilWritten(post)
    await setStandby('absent')
    const writes = Array.from({ length: CALLERS }, (_, at) => (at % 4 === 0 ? token : post))
    assertServed(await holdFor(SECONDS, writes, () => setStandby('')), SECONDS)
    await untilWritten(post)
    assert.equal((await token()).status, 200)
    assert.equal((await post()).status, 201)
  })

  it('for a row that somebody has locked, reads and health are answered, writes are 503, and then they are done again', async () => {
    await untilWritten(patch)
    await psql.query('begin')
    await psql.query('select from tags where id = $1 for update', [locked])
    const writes = Array.from({ length: CALLERS }, () => patch)
    assertServed(await holdFor(SECONDS / 2, writes, () => psql.query('rollback')), SECONDS / 2)
    await untilWritten(patch)
  })

  it('no more of the connections than some write', async () => {
    await psql.query('begin')
    await psql.query('select from tags where id = $1 for update', [locked])
    const writing = again(Array.from({ length: CALLERS }, () => patch))
    try {
      for (let waiting = 0; waiting < WRITERS; await wait(50)) {
        const { rows } = await onlooker.query("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
        waiting = Number(rows[0].count)
        assert.ok(waiting <= WRITERS, `${waiting} wait`)
      }
    } finally {
      await psql.query('rollback')
      await writing.stop()
    }
  })
})
