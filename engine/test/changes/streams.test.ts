import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Client } from '@campus/test/support/client'
import { type WatchedStream, watch } from '@campus/test/support/watch'
import { type Library, library } from '../support/library.ts'

describe('a stream of changes', () => {
  let lib: Library
  let author: number
  let other: number
  const open: WatchedStream[] = []
  let isbn = 0

  before(async () => {
    lib = await library()
    author = await lib.add('authors', { name: 'Lem' })
    other = await lib.add('authors', { name: 'Dick' })
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
  const path = () => `/v2/authors/${author}/books?filter[lendable]=true`

  it('begins with its position and the ids of the page, and goes on with each record that comes, changes and goes', async () => {
    const first = await created()
    const stream = await watching(path())
    assert.equal(stream.status, 200)
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
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
    const resumed = await watching(path(), client, { 'last-event-id': last?.id ?? '' })
    const events = [await resumed.next(), await resumed.next()]
    assert.deepEqual(
      events.map((event) => [event?.event, event?.data.id]),
      [
        ['create', missed.id],
        ['destroy', seen.id],
      ],
    )
  })

  it('says that all is to be read again if it cannot resume', async () => {
    for (const id of ['nonsense', '00000000-0000-0000-0000-000000000000-1']) {
      const stream = await watching(path(), lib.caller({}), { 'last-event-id': id })
      assert.deepEqual(await next(stream), ['reset', {}], id)
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

  it('is one of few: five a token', async () => {
    const client = lib.caller({})
    for (let n = 0; n < 5; n += 1) assert.equal((await watching(path(), client)).status, 200)
    const refused = await watching(path(), client)
    assert.equal(refused.status, 429)
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
  })
})
