import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Client } from '@campus/test/support/client'
import { type WatchedStream, watch } from '@campus/test/support/event-stream'
import { sampleOf, scrape } from '@campus/test/support/scrape'
import { until } from '@campus/test/support/until'
import { metricName } from '../../base/service.ts'
import { Changes } from '../../database/changes.ts'
import type { Database } from '../../database/database.ts'
import { DatabaseAway } from '../../database/errors.ts'
import { type Library, library } from '../support/library.ts'

/** The id of the last event that the feed has. */
async function positionOf(database: Database): Promise<string> {
  const [[epoch, position] = []] = await database.rows('select epoch, position from feed_relay')
  return `${epoch}-${position}`
}

describe('a stream of changes', () => {
  let lib: Library
  let author: number
  let other: number
  const open: WatchedStream[] = []
  let isbn = 0
  let reader: number

  before(async () => {
    lib = await library()
    author = await lib.add('authors', { name: 'Lem' })
    other = await lib.add('authors', { name: 'Dick' })
    reader = await lib.add('readers', { login: 'ada' })
  })
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close()
  })
  after(() => lib.close())

  async function watching(path: string, client: Client = lib.caller({}), headers?: Readonly<Record<string, string>>) {
    const stream = await watch(lib, client, path, headers)
    open.push(stream)
    return stream
  }
  async function created(author_id = author, more: object = {}) {
    isbn += 1
    const book = { title: `Book ${isbn}`, isbn: String(isbn), author_id, ...more }
    const { status, json, text } = await lib.librarian.post('/v2/books', { book })
    assert.equal(status, 201, text)
    return (await lib.visitor.get(`/v2/books/${json.id}`)).json
  }
  const next = async (stream: WatchedStream) => {
    const event = await stream.next()
    return [event?.event, event?.data] as const
  }
  const streamsOpen = async () => sampleOf(await scrape(lib.prometheus), metricName('streams_open'))
  const path = () => `/v2/authors/${author}/books?filter[lendable]=true`

  it('begins with its position and the ids of the page, and goes on with each record that comes, changes and goes', async () => {
    const first = await created()
    const stream = await watching(path())
    assert.equal(stream.status, 200)
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
    assert.equal(stream.headers['x-accel-buffering'], 'no')
    const page = await stream.next()
    assert.deepEqual([page?.event, page?.data.ids, page?.data.position], ['page', [first.id], page?.id])
    await created(other)
    const second = await created()
    assert.deepEqual(await next(stream), ['create', second])
    const change = (book: object) => lib.librarian.patch(`/v2/books/${second.id}`, { book })
    await change({ pages: 7 })
    const [event, data] = await next(stream)
    assert.deepEqual([event, data.id, data.pages], ['update', second.id, 7])
    await change({ lendable: false })
    assert.deepEqual(await next(stream), ['destroy', { id: second.id }])
    await change({ lendable: true })
    assert.deepEqual((await next(stream))[0], 'create')
    await lib.librarian.delete(`/v2/books/${second.id}`)
    assert.deepEqual(await next(stream), ['destroy', { id: second.id }])
  })

  it('resumes after the event that was read last, without a gap', async () => {
    const client = lib.caller({})
    const stream = await watching(path(), client)
    await stream.next()
    const seen = await created()
    const last = await stream.next()
    assert.equal(last?.data.id, seen.id)
    stream.close()
    const missed = await created()
    await created(other)
    await lib.librarian.patch(`/v2/books/${seen.id}`, { book: { lendable: false } })
    const gone = await created()
    await lib.librarian.delete(`/v2/books/${gone.id}`)
    // Until all of it is in the feed.
    const beside = await watching(path(), client)
    await beside.next()
    const flag = await created()
    for (let event = await beside.next(); event?.data.id !== flag.id; event = await beside.next()) assert.ok(event)
    const resumed = await watching(path(), client, { 'last-event-id': last?.id ?? '' })
    const events = [await resumed.next(), await resumed.next(), await resumed.next(), await resumed.next()]
    assert.deepEqual(
      events.map((event) => [event?.event, event?.data.id]),
      [
        ['create', missed.id],
        ['destroy', seen.id],
        // A page that was read between the two would have shown it.
        ['destroy', gone.id],
        ['create', flag.id],
      ],
    )
  })

  it('resumes without a gap where nobody watched anything meanwhile', async () => {
    const client = lib.caller({})
    const path = `/v2/authors/${author}/books`
    const stream = await watching(path, client)
    const page = await stream.next()
    stream.close()
    const ids = [(await created()).id, (await created()).id]
    const resumed = await watching(path, client, { 'last-event-id': page?.id ?? '' })
    assert.deepEqual([(await resumed.next())?.data.id, (await resumed.next())?.data.id], ids)
  })

  it('says that all is to be read again where it cannot resume', async () => {
    const client = lib.caller({})
    const path = `/v2/authors/${author}/books`
    const first = await (await watching(path, client)).next()
    const [epoch] = first?.id.split(/-(?=\d+$)/) ?? []
    for (const id of ['nonsense', `${epoch}-999999999`, '00000000-0000-0000-0000-000000000000-1']) {
      const stream = await watching(path, client, { 'last-event-id': id })
      const event = await stream.next()
      assert.deepEqual([event?.event, event?.data], ['reset', {}], id)
      stream.close()
    }
  })

  it('goes on for a client that comes from a process which was ahead', async () => {
    const { database } = lib
    const client = lib.caller({})
    const path = `/v2/authors/${author}/books`
    const behind = await watching(path, client)
    await behind.next()
    // Its changes are in the feed, too.
    await (await watching('/v2/readers/ada')).next()
    const { id } = await created()
    await behind.next()
    const locked = Promise.withResolvers<void>()
    const ahead = Promise.withResolvers<string>()
    const unlock = Promise.withResolvers<void>()
    let holding: Promise<void> | undefined
    await database.transaction(async (relayed) => {
      await relayed.rows('select from feed_relay for update')
      await database.rows('update books set pages = $1 where id = $2', [2, id])
      const taken = await positionOf(database)
      holding = database.transaction(async (tx) => {
        await tx.rows('lock table books in access exclusive mode')
        locked.resolve()
        // The change is in the feed, and this process waits to read its record.
        await until(async () => (await positionOf(database)) !== taken)
        ahead.resolve(await positionOf(database))
        await unlock.promise
      })
      await locked.promise
    })
    const taken = await ahead.promise
    const comes = await watching(path, client, { 'last-event-id': taken })
    // Moves the feed to a position that this process has not read yet.
    await database.rows('update readers set name = $1 where id = $2', ['Ahead', reader])
    await until(async () => (await positionOf(database)) !== taken)
    const furtherAhead = await watching(path, client, { 'last-event-id': await positionOf(database) })
    unlock.resolve()
    await holding
    await database.rows('update books set pages = $1 where id = $2', [3, id])
    for (const stream of [comes, furtherAhead]) {
      const change = await stream.next()
      assert.deepEqual(
        [change?.event, change?.data.id, change?.data.pages],
        ['update', id, 3],
        'no repetition or reset',
      )
      assert.match(stream.text(), /^: resumed$/m)
    }
  })

  it('ends when its client goes, before the next heartbeat', async () => {
    const other = await watching(`/v2/authors/${author}/books`)
    await other.next()
    await until(async () => (await streamsOpen()) === 1)
    const next = other.next()
    const client = lib.caller({})
    for (const path of [`/v2/authors/${author}/books`, '/v2/readers/ada']) {
      const stream = await watch(lib, client, path)
      await stream.next()
      assert.equal(await streamsOpen(), 2)
      stream.close()
      await until(async () => (await streamsOpen()) === 1)
    }
    const { id } = await created()
    assert.equal((await next)?.data.id, id)
    assert.doesNotMatch(other.text(), /heartbeat/)
  })

  it('loses no event when any one check for changes fails because the database is away', async (test) => {
    const { validate } = Changes.prototype
    for (let failing = 1; ; failing += 1) {
      const { id } = await created()
      let stream = await watching(path())
      let lastId = (await stream.next())?.id ?? ''
      let checks = 0
      const mock = test.mock.method(Changes.prototype, 'validate', function (this: Changes) {
        if (new Error().stack?.includes('changes/streams/')) checks += 1
        else return Reflect.apply(validate, this, [])
        return checks === failing ? Promise.reject(new DatabaseAway('for a moment')) : Reflect.apply(validate, this, [])
      })
      await lib.database.rows('update books set lendable = false where id = $1', [id])
      for (;;) {
        const event = await stream.next()
        lastId = event?.id ?? lastId
        if (event?.event === 'destroy' && event.data.id === id) break
        // Clients reopen a stream that ended.
        if (!event) stream = await watching(path(), undefined, { 'last-event-id': lastId })
      }
      mock.mock.restore()
      if (checks < failing) break
    }
  })

  it('of one record has what becomes of it, written by any process', async () => {
    const book = await created()
    const stream = await watching(`/v2/books/${book.id}`)
    assert.deepEqual((await stream.next())?.data.ids, [book.id])
    await lib.database.rows('update books set pages = 9 where id = $1', [book.id])
    const [event, data] = await next(stream)
    assert.deepEqual([event, data.pages], ['update', 9])
  })

  it('leaves records writable whose changes have no names of their own', async () => {
    const stream = await watching(`/v2/authors/${other}`)
    assert.equal((await stream.next())?.event, 'page')
    assert.equal((await lib.librarian.patch(`/v2/authors/${other}`, { author: { name: 'Philip' } })).status, 204)
    assert.equal((await stream.next())?.data.name, 'Philip')
  })

  it('follows the tables that decide which records a list has', async () => {
    const subject = await lib.add('subjects', { name: 'Space', slug: 'space' })
    const book = await created()
    const stream = await watching('/v2/subjects/space/books')
    assert.deepEqual((await stream.next())?.data.ids, [])
    await lib.database.rows('insert into books_subjects (book_id, subject_id) values ($1, $2)', [book.id, subject])
    const [event, data] = await next(stream)
    assert.deepEqual([event, data.id], ['create', book.id])
    await lib.database.rows('delete from books_subjects where book_id = $1', [book.id])
    assert.deepEqual(await next(stream), ['destroy', { id: book.id }])
  })

  it('hides what the route hides from its reader', async () => {
    const book = await created(author, { notes: 'torn' })
    const [stream, librarians] = [
      await watching(`/v2/books/${book.id}`),
      await watching(`/v2/books/${book.id}`, lib.librarian),
    ]
    await stream.next()
    await librarians.next()
    await lib.librarian.patch(`/v2/books/${book.id}`, { book: { notes: 'lost' } })
    assert.equal((await next(librarians))[1].notes, 'lost')
    await lib.librarian.patch(`/v2/books/${book.id}`, { book: { pages: 3 } })
    let [, data] = await next(stream)
    while (data.pages !== 3) [, data] = await next(stream)
    assert.equal(data.notes, 'invisible')
    assert.doesNotMatch(stream.text(), /torn|lost/)
  })

  it('is refused as the route itself is, before it begins', async () => {
    assert.equal((await watch(lib, lib.anonymous, '/v2/books')).status, 401)
    assert.equal((await watching('/v2/authors/999999/books')).status, 404)
    assert.equal((await watching('/v2/books?filter[nonsense]=1')).status, 400)
    assert.equal((await watching('/v2/books/999999')).status, 404)
  })

  it('ends with its token', async () => {
    const client = lib.caller({})
    const [stream, stays] = [await watching(path(), client), await watching(path())]
    assert.equal((await stream.next())?.event, 'page')
    assert.equal((await stays.next())?.event, 'page')
    lib.revoke(client)
    const { id } = await created()
    assert.equal((await stays.next())?.data.id, id)
    assert.equal(await stream.next(), undefined)
  })

  it('is one of few: five a token, thirty opened a minute by an application', async () => {
    const client = lib.caller({})
    const path = `/v2/authors/${author}/books`
    for (let n = 0; n < 5; n += 1) assert.equal((await watching(path, client)).status, 200)
    const refused = await watching(path, client)
    assert.equal(refused.status, 429)
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
    for (const stream of open.splice(0)) stream.close()
    let opened = 5
    for (; opened < 40; opened += 1) {
      const stream = await watch(lib, client, path)
      stream.close()
      if (stream.status === 429) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.ok(opened <= 31, `${opened}`)
  })
})
