import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '../../src/database/database.ts'
import { isDatabaseAway } from '../../src/database/errors.ts'
import { isTransactionPooling } from '../../src/database/pooling-mode.ts'
import { PreparedNames } from '../../src/database/prepared-names.ts'
import { runCommand } from '../commands/run-command.ts'
import { campus } from '../support/campus.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { PGBOUNCER_SKIP, type Pooler, pgbouncer } from '../support/pgbouncer.ts'

/** Has others at work on the database as long as something lasts. */
async function amidWork<T>(url: string, work: () => Promise<T>): Promise<T> {
  const pg = (await import('pg')).default
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
  const refused = (url: string) =>
    assert.rejects(openDatabase({ url }), (error) => {
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
        const database = await amidWork(url, () => openDatabase({ url }))
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

  it('a service whose pooler comes to share answers 503, never 500, and as ever when it no longer does', () =>
    behind({ mode: 'session' }, async (pooler) => {
      const on = { ...(await openDatabase({ url: pooler.url, statementSeconds: 30 })), url: pooler.url }
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
      const database = await openDatabase({ url: pooler.url, onWarning: (message) => said.push(message) })
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
