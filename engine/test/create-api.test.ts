import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '@campus/test/support/until'
import pg from 'pg'
import { portOf } from '../base/port-of.ts'
import * as api from '../index.ts'
import { deleteOldResponses } from '../rest/write/idempotency.ts'
import { ACCESS, library, libraryAddress, MIGRATIONS } from './support/library.ts'

const shelves = (fields: Parameters<typeof api.resource>[0]['fields']) =>
  api.resource({
    name: 'shelves',
    singular: 'shelf',
    summary: 'A shelf.',
    fields,
    actions: { index: api.open, show: api.open },
  })

describe('createApi', () => {
  let place: Awaited<ReturnType<typeof libraryAddress>>
  let watcher: pg.Client
  before(async () => {
    place = await libraryAddress()
    watcher = new pg.Client({ connectionString: place.url })
    await watcher.connect()
  })
  after(async () => {
    await watcher.end()
    await place.close()
  })

  const start = (given: Partial<Parameters<typeof api.createApi>[0]>) =>
    api.createApi({
      info: { title: 'Shelves', summary: 'Shelves.', version: '1.0' },
      baseUrl: 'http://localhost',
      databaseUrl: place.url,
      migrations: MIGRATIONS,
      resources: [],
      access: ACCESS,
      findCaller: async () => 'invalid',
      secretKey: Buffer.alloc(32),
      logLevel: 'silent',
      ...given,
    })
  const connections = async () => {
    const { rows } = await watcher.query(
      'select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    return Number(rows[0].count)
  }

  it('refuses what a declaration names and the database has not, and leaves no connection', async () => {
    await assert.rejects(start({ resources: [shelves({ id: api.integer() })] }), {
      message:
        'A resource declares what no migration has created: relation "shelves" does not exist. Add it to a migration, and run the migrations.',
    })
    const filtered = api.resource({
      name: 'loans',
      summary: 'A loan.',
      fields: { id: api.integer() },
      index: { customFilters: { lost: api.whenSet('lost_at') } },
      actions: { index: api.open, show: api.open },
    })
    await assert.rejects(start({ resources: [filtered] }), {
      message: 'loans filtered by lost: the database has no column loans.lost_at',
    })
    await until(async () => (await connections()) === 0)
  })

  it('refuses a field whose column, or whose other resource, does not exist', async () => {
    const of = (declared: Partial<Parameters<typeof api.resource>[0]>) =>
      api.resource({
        name: 'readers',
        summary: 'A reader.',
        fields: { id: api.integer() },
        actions: { index: api.open, show: api.open },
        ...declared,
      })
    const rank = of({ fields: { id: api.integer(), rank: api.integer() } })
    await assert.rejects(start({ resources: [rank] }), {
      message: 'readers.rank: the database has no column readers.rank',
    })
    const reference = of({ fields: { id: api.integer(), login: api.reference('shelves') } })
    await assert.rejects(start({ resources: [reference] }), { message: 'readers.login: no resource is called shelves' })
    await assert.rejects(start({ resources: [of({ dependents: { deleted: ['loans.shelf_id'] } })] }), {
      message: 'readers.dependents: the database has no column loans.shelf_id',
    })
  })

  it('refuses metrics to everybody if the metrics token is an empty text', async () => {
    const { app } = await start({ metricsToken: '' })
    try {
      for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer x' }])
        assert.equal((await app.inject({ url: '/metrics', headers })).statusCode, 403)
    } finally {
      await app.close()
    }
  })

  it('closes although clients have connected and sent nothing, or half a request', async () => {
    const { app } = await start({})
    await app.listen({ port: 0, host: '127.0.0.1' })
    const sockets = ['', 'GET /health HTTP/1.1\r\nHo'].map((sent) => {
      const socket = connect(portOf(app.server), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(sent)
      return socket
    })
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      await app.inject('/health')
      const late = new AbortController()
      const isClosed = await Promise.race([
        app.close().then(() => true),
        setTimeout(5000, false, { signal: late.signal }),
      ])
      late.abort()
      assert.equal(isClosed, true)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  it('refuses a migration without a number, before it migrates anything', async () => {
    const modules = { ...MIGRATIONS.modules, shelves: api.script('create table shelves (id integer)') }
    await assert.rejects(start({ migrations: { modules } }), {
      message: 'A migration is called shelves: name it like 0010_books.',
    })
    assert.equal((await watcher.query("select to_regclass('shelves') as found")).rows[0].found, null)
  })

  it('refuses a secret key of less than 32 bytes, before it connects', async () => {
    await assert.rejects(start({ secretKey: Buffer.alloc(31), databaseUrl: 'postgres://nowhere.invalid/none' }), {
      message: 'secretKey must have at least 32 bytes, and has 31. Create one with "openssl rand -hex 32".',
    })
  })

  it('runs each migration once, whatever starts after it', async () => {
    const modules = {
      ...MIGRATIONS.modules,
      '0020_shelves': api.script('create table shelves (id integer primary key)'),
    }
    const resources = [shelves({ id: api.integer() })]
    for (let n = 0; n < 2; n += 1) await (await start({ migrations: { modules }, resources })).app.close()
    const { rows } = await watcher.query('select name from kysely_migration order by name')
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['0000_engine', '0010_library', '0020_shelves'],
    )
    await until(async () => (await connections()) === 0)
  })
})

describe('the upkeep of a service', () => {
  it('deletes responses that are a day old, and adds up counts', async () => {
    const lib = await library()
    try {
      const author_id = await lib.add('authors', { name: 'Lem' })
      const book = { title: 'Solaris', isbn: '1', author_id }
      await lib.librarian.post('/v2/books', { book }, { 'idempotency-key': 'one' })
      lib.clock.advance(86_399)
      assert.equal(await deleteOldResponses(lib.database, lib.clock.now()), 0)
      lib.clock.advance(2)
      assert.equal(await deleteOldResponses(lib.database, lib.clock.now()), 1)

      const reader_id = await lib.add('readers', { login: 'ada' })
      await lib.database.rows(
        "insert into loans (book_id, reader_id, begin_at) select 1, $1, '2026-01-01' from generate_series(1, 50)",
        [reader_id],
      )
      await until(async () => (await lib.database.rows('select from count_changes')).length === 0)
      assert.equal((await lib.visitor.get('/v2/loans?per_page=1')).headers.get('x-total'), '50')
    } finally {
      await lib.close()
    }
  })
})
