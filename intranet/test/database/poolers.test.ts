import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '@campus/engine/database/database'
import { isDatabaseAway } from '@campus/engine/database/errors'
import { isTransactionPooling } from '@campus/engine/database/pooling-mode'
import { PreparedNames } from '@campus/engine/database/prepared-names'
import { campus } from '@campus/test/support/campus'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { PGBOUNCER_SKIP, type Pooler, pgbouncer } from '@campus/test/support/pgbouncer'
import { runCommand } from '@campus/test/support/run-command'
import { sql } from 'kysely'
import pg from 'pg'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

/** Has others at work on the database as long as something lasts. */
async function amidWork<T>(url: string, work: () => Promise<T>): Promise<T> {
  const others = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      return client
    }),
  )
  let isOver = false
  const working = others.map(async (client, at) => {
    while (!isOver) {
      const work = at % 2 ? 'select pg_sleep(0.002)' : 'begin; select pg_sleep(0.001); commit'
      await client.query(work).catch(() => wait(5))
    }
    await client.end().catch(() => {})
  })
  try {
    return await work()
  } finally {
    isOver = true
    await Promise.all(working)
  }
}

describe('behind PgBouncer', { skip: PGBOUNCER_SKIP }, () => {
  let direct: TestDatabase
  before(async () => {
    direct = await testDatabase()
  })
  after(() => direct?.close())

  const behind = async <T>(options: Parameters<typeof pgbouncer>[1], work: (pooler: Pooler) => Promise<T>) => {
    const pooler = await pgbouncer(direct.url, options)
    try {
      return await work(pooler)
    } finally {
      await pooler.close()
    }
  }
  async function using(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await work(client).finally(() => client.end())
  }
  const refused = (url: string) =>
    assert.rejects(openDatabase({ migrations: SCHOOL_MIGRATIONS, url }), (error) => {
      assert.ok(isTransactionPooling(error), String(error))
      assert.match((error as Error).message, /DATABASE_URL must lead to PostgreSQL itself/)
      return true
    })

  for (const mode of ['transaction', 'statement'] as const) {
    for (const size of [1, 2, 20]) {
      for (const inTurn of [false, true]) {
        const how = `${mode} mode with ${size} connections${inTurn ? ' in turn' : ''}`
        it(`a database cannot be opened in ${how}`, () => behind({ mode, size, inTurn }, ({ url }) => refused(url)))
        if (size > 1 && mode === 'transaction') {
          it(`nor in ${how} while others are at work`, () =>
            behind({ mode, size: size + 6, inTurn }, async ({ url }) => {
              for (let time = 0; time < 5; time += 1) await amidWork(url, () => refused(url))
            }))
        }
      }
    }
  }

  it('a database can be opened in session mode, amid the work of others, and is the same as without', () =>
    behind({ mode: 'session' }, async ({ url }) => {
      for (let time = 0; time < 3; time += 1) {
        const database = await amidWork(url, () => openDatabase({ migrations: SCHOOL_MIGRATIONS, url }))
        try {
          await Promise.all(
            Array.from({ length: 40 }, async (_, at) => {
              assert.deepEqual(await database.rows('select $1::int + 1', [at]), [[String(at + 1)]])
              await database.transaction((tx) => tx.rows('select count(*) from users'))
            }),
          )
          const before = database.changes.versionOf(['roles'])
          await direct.rows("insert into roles (name) values ('Pooled')")
          await database.changes.validate()
          assert.ok(database.changes.versionOf(['roles']) > before)
          await direct.rows("delete from roles where name = 'Pooled'")
        } finally {
          await database.close()
        }
      }
    }))

  it('a service does not start in transaction mode, and campus doctor says what to set', () =>
    behind({ mode: 'transaction' }, async ({ url }) => {
      const folder = await temporaryFolder()
      const env = { CAMPUS_DATA: folder.path, CAMPUS_PORT: '0', DATABASE_URL: url, CAMPUS_PROCESSES: '1' }
      const served = await runCommand(['serve'], env)
      const examined = await runCommand(['doctor', '--json'], env)
      await folder.remove()
      assert.equal(served.code, 1, served.stderr)
      assert.match(served.stderr, /DATABASE_URL must lead to PostgreSQL itself.*pool_mode = session/)
      assert.equal(examined.code, 1)
      const { findings } = JSON.parse(examined.stdout) as { readonly findings: readonly Record<string, string>[] }
      const found = findings.filter(({ about, state }) => about === 'database' && state === 'fault')
      assert.equal(found.length, 1)
      assert.match(found[0]?.said ?? '', /shares its connections/)
      assert.match(found[0]?.advice ?? '', /DATABASE_URL.*pool_mode = session/)
    }))

  for (const [how, inTurn] of [
    ['few connections', false],
    ['connections in turn', true],
  ] as const) {
    it(`a database is the same in transaction mode with ${how}, where what needs a session goes past the pooler`, () =>
      behind({ mode: 'transaction', size: 3, inTurn }, async ({ url }) => {
        const database = await openDatabase({
          migrations: SCHOOL_MIGRATIONS,
          url,
          directUrl: direct.url,
          poolSize: 8,
          statementSeconds: 2,
        })
        try {
          await Promise.all(
            Array.from({ length: 60 }, async (_, at) => {
              assert.deepEqual(await database.rows('select $1::int + 1', [at]), [[String(at + 1)]])
              await database.transaction(async (tx) => {
                await tx.rows('select set_config($1, $2, true)', ['campus.actor', String(at)])
                const within = tx.kysely.selectNoFrom(sql<string>`current_setting('campus.actor')`.as('actor'))
                assert.deepEqual(await within.execute(), [{ actor: String(at) }])
              })
            }),
          )
          const settings = `select current_setting('timezone') as zone, current_setting('datestyle') as style, current_setting('jit') as jit, current_setting('statement_timeout') as timeout`
          const areExpected = (row: readonly unknown[] = []) => {
            assert.deepEqual([row[0], row[2], row[3]], ['UTC', 'off', '2s'])
            assert.match(String(row[1]), /^ISO/)
          }
          // Others have the pooler's connections be otherwise.
          await using(url, async (client) => {
            await client.query(`set timezone = 'Asia/Tokyo'; set datestyle = 'SQL'; set statement_timeout = 0`)
            areExpected((await database.rows(settings))[0])
            areExpected(await database.transaction(async (tx) => (await tx.rows(settings))[0]))
            const { rows } = await sql<object>`${sql.raw(settings)}`.execute(database.kysely)
            areExpected(Object.values(rows[0] ?? {}))
            const snapshot = await database.openSnapshot()
            const [row = []] = await snapshot.rows(settings)
            snapshot.close()
            areExpected([...row.slice(0, 3), '2s'])
          })
          await assert.rejects(database.rows('select pg_sleep(10)'), /statement timeout/)
          await assert.rejects(sql`select pg_sleep(10)`.execute(database.kysely), /statement timeout/)
          const before = database.changes.versionOf(['roles'])
          await database.rows("insert into roles (name) values ('Pooled')")
          await database.changes.validate()
          assert.ok(database.changes.versionOf(['roles']) > before)
          await database.rows("delete from roles where name = 'Pooled'")
          await database.exclusively(4711, async () => {
            assert.deepEqual(await direct.rows('select pg_try_advisory_lock(4711)'), [['f']])
          })
        } finally {
          await database.close()
        }
      }))
  }

  it('a service works in transaction mode, and its doctor finds nothing wrong', () =>
    behind({ mode: 'transaction', size: 4, inTurn: true }, async ({ url }) => {
      const on = {
        ...(await openDatabase({ migrations: SCHOOL_MIGRATIONS, url, directUrl: direct.url, statementSeconds: 30 })),
        url,
      }
      const world = await campus({ on })
      try {
        const answers = await Promise.all(
          Array.from({ length: 60 }, async (_, at) => {
            const name = `pooled ${at} ${Math.random()}`
            const made = await world.director.post('/v2/tags', { tag: { name, kind: 'general' } })
            const refused = await world.director.post('/v2/tags', { tag: { kind: 'general' } })
            const shown = await world.visitor.get(`/v2/tags/${made.json.id}`)
            const listed = await world.visitor.get(`/v2/tags?page[size]=${1 + at}`)
            const graph = await world.visitor.get('/v2/users/graph')
            const whole = await world.director.get('/v2/tags', { accept: 'application/x-ndjson' })
            return [made, refused, shown, listed, graph, whole].map(({ status }) => status)
          }),
        )
        for (const statuses of answers) {
          assert.deepEqual(statuses.slice(0, 5), [201, 422, 200, 200, 200])
          // One caller may read two whole lists at a time (429), and the service sends three (503).
          assert.ok([200, 429, 503].includes(statuses[5] ?? 0))
        }
      } finally {
        await world.close()
      }
      const folder = await temporaryFolder()
      const env = { CAMPUS_DATA: folder.path, CAMPUS_PORT: '0', DATABASE_URL: url, DATABASE_DIRECT_URL: direct.url }
      const { stdout } = await runCommand(['doctor', '--json'], env)
      await folder.remove()
      const { findings } = JSON.parse(stdout) as { readonly findings: readonly Record<string, string>[] }
      assert.deepEqual(
        findings.filter(
          ({ about, state, said }) => about === 'database' && state === 'fault' && !/power cut/.test(said ?? ''),
        ),
        [],
      )
    }))

  it('a service whose pooler comes to share answers 503, never 500, and as ever when it no longer does', () =>
    behind({ mode: 'session' }, async (pooler) => {
      const on = {
        ...(await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: pooler.url, statementSeconds: 30 })),
        url: pooler.url,
      }
      const world = await campus({ on })
      const calls = [
        () => world.visitor.get('/v2/campus'),
        () => world.visitor.get(`/v2/users?page[size]=${1 + Math.floor(Math.random() * 99)}`),
        () => world.director.post('/v2/tags', { tag: { name: `tag ${Math.random()}`, kind: 'general' } }),
        () => world.anonymous.get('/health'),
      ]
      const statuses = async () => {
        const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => calls[at % calls.length]?.()))
        return answers.map((answer) => answer?.status ?? 0)
      }
      const isWell = (found: readonly number[]) => found.every((status) => status < 300)
      try {
        for (let time = 0; time < 5; time += 1) assert.ok(isWell(await statuses()))
        await pooler.become('transaction')
        const seen = new Set<number>()
        for (let inTurn = 0; inTurn < 5; ) {
          const found = await statuses()
          for (const status of found) seen.add(status)
          inTurn = found.every((status) => status === 503) ? inTurn + 1 : 0
        }
        assert.deepEqual(
          [...seen].filter((status) => status >= 300),
          [503],
        )
        await pooler.become('session')
        for (let inTurn = 0; inTurn < 5; await wait(20)) inTurn = isWell(await statuses()) ? inTurn + 1 : 0
      } finally {
        await world.close()
      }
    }))

  it('a pooler that comes to share its connections is found, and used again when it no longer does', () =>
    behind({ mode: 'session' }, async (pooler) => {
      const said: string[] = []
      const database = await openDatabase({
        migrations: SCHOOL_MIGRATIONS,
        url: pooler.url,
        onWarning: (message) => said.push(message),
      })
      const ask = async () => {
        await database.changes.validate()
        return Promise.all(
          Array.from({ length: 8 }, () => database.rows('select count(*) from roles where id > $1', [0])),
        )
      }
      try {
        await ask()
        await pooler.become('transaction')
        const errors = await untilSome(() => said.some((message) => message.includes('pool_mode = session')), ask)
        for (const error of errors) assert.ok(isDatabaseAway(error), String(error))
        await assert.rejects(ask(), isDatabaseAway)
        await assert.rejects(database.check(), isDatabaseAway)
        await pooler.become('session')
        // The pooler's connections still hold what was prepared on them, and are cleared as they are given up.
        let wellInTurn = 0
        await untilSome(
          () => wellInTurn === 20,
          () =>
            ask().then(
              () => wellInTurn++,
              () => {
                wellInTurn = 0
              },
            ),
        )
        assert.ok(said.some((message) => message.includes('The database is back')))
      } finally {
        await database.close()
      }
    }))

  /** Does the work again and again until something is so; gives the errors of it. */
  async function untilSome(isSo: () => boolean, work: () => Promise<unknown>): Promise<unknown[]> {
    const errors: unknown[] = []
    while (!isSo()) {
      await work().catch((error) => errors.push(error))
      await wait(10)
    }
    return errors
  }
})

describe('names of prepared statements', () => {
  const named = (names: PreparedNames, text: string) => {
    names.of(text)
    return names.of(text)
  }

  it('are the same for the same text in each process, and no other', () => {
    const [one, other] = [new PreparedNames(), new PreparedNames()]
    named(other, 'select 0')
    const name = named(one, 'select 1')
    assert.equal(named(other, 'select 1'), name)
    assert.notEqual(named(one, 'select 2'), name)
    assert.match(name ?? '', /^campus_[\w-]{22}$/)
  })
})
