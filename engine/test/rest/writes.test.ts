import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Client } from '@campus/test/support/client'
import { type Library, library } from '../support/library.ts'

let lib: Library
let librarian: Client
let author: number
let isbn = 0

before(async () => {
  lib = await library()
  librarian = lib.librarian
  author = await lib.add('authors', { name: 'Lem' })
})
after(() => lib.close())

const newIsbn = () => {
  isbn += 1
  return String(isbn)
}
const payload = (more: object = {}) => ({ book: { title: 'Solaris', isbn: newIsbn(), author_id: author, ...more } })
async function created(more: object = {}) {
  const { status, json, text } = await librarian.post('/v2/books', payload(more))
  assert.equal(status, 201, text)
  return json
}
const count = async (table: string) => Number((await lib.database.rows(`select count(*) from ${table}`))[0]?.[0])

describe('a creation', () => {
  it('answers the record, and where it is', async () => {
    const answer = await librarian.post(
      '/v2/books',
      payload({ pages: '204', lendable: 'false', published_on: '1961-01-01' }),
    )
    assert.equal(answer.status, 201)
    assert.deepEqual([answer.json.pages, answer.json.lendable, answer.json.kind], [204, false, 'novel'])
    assert.equal(answer.headers.get('location'), `${lib.url}/v2/books/${answer.json.id}`)
    assert.deepEqual((await librarian.get(`/v2/books/${answer.json.id}`)).json, answer.json)
    assert.equal(answer.json.created_at, lib.clock.now().toISOString())
  })

  it('below a parent belongs to it', async () => {
    const answer = await librarian.post(`/v2/authors/${author}/books`, { book: { title: 'Fiasko', isbn: newIsbn() } })
    assert.deepEqual([answer.status, answer.json.author_id], [201, author])
    assert.equal((await librarian.post('/v2/authors/999999/books', payload())).status, 404)
  })

  it('takes the time of the request, and a slug from another field, unless they are sent', async () => {
    const reader_id = await lib.add('readers', { login: 'first' })
    const loan = await librarian.post('/v2/loans', { loan: { book_id: (await created()).id, reader_id } })
    assert.equal(loan.json.begin_at, lib.clock.now().toISOString())
    assert.equal((await librarian.post('/v2/subjects', { subject: { name: 'Outer Space' } })).json.slug, 'outer-space')
    assert.equal((await librarian.post('/v2/subjects', { subject: { name: 'Sea', slug: 'ocean' } })).json.slug, 'ocean')
  })

  it('names every fault by its field, and writes nothing', async () => {
    const before = await count('books')
    const { status, json } = await librarian.post('/v2/books', {
      book: {
        title: ' ',
        isbn: '1'.repeat(14),
        kind: 'poem',
        pages: 0,
        published_on: 'soon',
        titel: 'x',
        author_id: 'Lem',
      },
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(json.errors).toSorted(), [
      'author_id',
      'isbn',
      'kind',
      'pages',
      'published_on',
      'titel',
      'title',
    ])
    assert.deepEqual(json.errors.titel, ['is not accepted; did you mean "title"?'])
    assert.deepEqual(json.errors.title, ["can't be blank"])
    assert.equal(await count('books'), before)
  })

  it('turns what the database refuses into 422 for the field', async () => {
    const { isbn: taken } = await created()
    assert.deepEqual((await librarian.post('/v2/books', payload({ isbn: taken }))).json.errors, {
      isbn: ['has already been taken'],
    })
    assert.deepEqual((await librarian.post('/v2/books', payload({ author_id: 999_999 }))).json.errors, {
      author_id: ['must exist'],
    })
    const reader_id = await lib.add('readers', { login: 'checked' })
    const loan = { book_id: (await created()).id, reader_id, begin_at: '2026-02-01', end_at: '2026-01-01' }
    const { status, json } = await librarian.post('/v2/loans', { loan })
    assert.deepEqual([status, json.errors], [422, { end_at: ['must not be before begin_at'] }])
  })

  it('takes an id from those who may choose one alone', async () => {
    assert.equal((await librarian.post('/v2/books', payload({ id: 5_000 }))).json.id === 5_000, false)
    const chosen = await lib.director.post('/v2/books', payload({ id: 6_000 }))
    assert.deepEqual([chosen.status, chosen.json.id], [201, 6_000])
    assert.equal((await lib.director.post('/v2/books', payload({ id: 6_000 }))).status, 422)
  })

  it('is 400 without its wrapper, and 403 without the role', async () => {
    const bare = await librarian.post('/v2/books', { books: {} })
    assert.equal(bare.status, 400)
    assert.match(bare.json.message, /under "book"\. What is under "books" is not read\.$/)
    const refused = await lib.visitor.post('/v2/books', payload())
    assert.deepEqual([refused.status, refused.json.error], [403, 'Access Denied'])
    assert.match(refused.json.message, /Librarian/)
  })
})

describe('an update', () => {
  it('changes what is sent and no more, and the time of the change', async () => {
    const book = await created({ pages: 100 })
    lib.clock.advance(60)
    const answer = await librarian.patch(`/v2/books/${book.id}`, { book: { title: 'Eden' } })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    const { json } = await librarian.get(`/v2/books/${book.id}`)
    assert.deepEqual(json, { ...book, title: 'Eden', updated_at: lib.clock.now().toISOString() })
    assert.equal((await librarian.put(`/v2/books/${book.id}`, { book: { pages: '' } })).status, 204)
    assert.equal((await librarian.get(`/v2/books/${book.id}`)).json.pages, null)
  })

  it('that changes nothing writes nothing', async () => {
    const book = await created({ subject_ids: [await lib.add('subjects', { name: 'Same', slug: 'same' })] })
    lib.clock.advance(60)
    const [[before] = []] = await lib.database.rows('select xmin from books where id = $1', [book.id])
    assert.equal((await librarian.patch(`/v2/books/${book.id}`, { book })).status, 204)
    const [[after] = []] = await lib.database.rows('select xmin from books where id = $1', [book.id])
    assert.equal(after, before)
    assert.equal((await librarian.get(`/v2/books/${book.id}`)).json.updated_at, book.updated_at)
  })

  it('takes no required value away', async () => {
    const { id } = await created()
    for (const book of [{ title: null }, { author_id: '' }]) {
      const { status, json } = await librarian.patch(`/v2/books/${id}`, { book })
      assert.deepEqual([status, json.errors], [422, { [Object.keys(book)[0] ?? '']: ["can't be blank"] }])
    }
  })

  it('is made only of the version that If-Match names', async () => {
    const { id } = await created()
    const path = `/v2/books/${id}`
    const etag = (await librarian.get(path)).headers.get('etag') ?? ''
    assert.equal((await librarian.patch(path, { book: { pages: 1 } }, { 'if-match': etag })).status, 204)
    const late = await librarian.patch(path, { book: { pages: 2 } }, { 'if-match': etag })
    assert.equal(late.status, 412)
    assert.equal((await librarian.get(path)).json.pages, 1)
    assert.equal((await librarian.delete(path, { 'if-match': etag })).status, 412)
    assert.equal((await librarian.patch(path, { book: { pages: 3 } }, { 'if-match': '*' })).status, 204)
  })

  it('waits for another of the same record, and loses none of both', async () => {
    const { id } = await created()
    const fields = Array.from({ length: 8 }, (_, n) => (n % 2 ? { pages: n } : { weight: n }))
    const answers = await Promise.all(fields.map((book) => librarian.patch(`/v2/books/${id}`, { book })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      fields.map(() => 204),
    )
    const { json } = await librarian.get(`/v2/books/${id}`)
    assert.ok(json.pages > 0 && json.weight !== null)
  })

  it('of a record of their own is for a reader with the scope, and of others not', async () => {
    const [mine, other] = [await lib.add('readers', { login: 'mine' }), await lib.add('readers', { login: 'other' })]
    const book_id = (await created()).id
    const reader = lib.caller({ reader: mine, scopes: ['catalogue', 'desk'] })
    const own = await reader.post('/v2/loans', { loan: { book_id, reader_id: mine } })
    assert.equal(own.status, 201, own.text)
    assert.equal((await reader.post('/v2/loans', { loan: { book_id, reader_id: other } })).status, 403)
    const { json: another } = await librarian.post('/v2/loans', { loan: { book_id, reader_id: other } })
    assert.equal((await reader.patch(`/v2/loans/${another.id}`, { loan: { end_at: '2027-01-01' } })).status, 403)
    assert.equal((await reader.patch(`/v2/loans/${own.json.id}`, { loan: { reader_id: other } })).status, 403)
    assert.equal((await reader.patch(`/v2/loans/${own.json.id}`, { loan: { end_at: '2027-01-01' } })).status, 204)
    const without = await lib.caller({ reader: mine }).post('/v2/loans', { loan: { book_id, reader_id: mine } })
    assert.deepEqual([without.status, without.json.error], [403, 'Forbidden'])
  })
})

describe('parts of a payload', () => {
  const chapters = async (book: number) =>
    (await librarian.get(`/v2/books/${book}`)).json.chapters.map(
      ({ position, title }: { position: number; title: string }) => `${position} ${title}`,
    )

  it('are created, changed and deleted with the record', async () => {
    const book = await created({
      chapters_attributes: [
        { title: 'One', position: 1 },
        { title: 'Two', position: 2 },
      ],
    })
    const [one, two] = book.chapters
    const changes = [
      { id: one.id, title: 'First' },
      { id: two.id, _destroy: true },
      { title: 'Three', position: 3 },
    ]
    const answer = await librarian.patch(`/v2/books/${book.id}`, { book: { chapters_attributes: changes } })
    assert.equal(answer.status, 204, answer.text)
    assert.deepEqual(await chapters(book.id), ['1 First', '3 Three'])
  })

  it('are refused with the record, and at their place', async () => {
    const before = await count('books')
    const answer = await librarian.post('/v2/books', payload({ chapters_attributes: [{ title: 'One', position: 0 }] }))
    assert.equal(answer.status, 422)
    assert.match(Object.keys(answer.json.errors).join(), /chapters.*position/)
    const twice = payload({
      chapters_attributes: [
        { title: 'One', position: 1 },
        { title: 'Two', position: 1 },
      ],
    })
    assert.equal((await librarian.post('/v2/books', twice)).status, 422)
    assert.equal(await count('books'), before)
  })

  it('of another record are not touched', async () => {
    const [book, other] = [await created(), await created({ chapters_attributes: [{ title: 'Theirs', position: 1 }] })]
    const stolen = { chapters_attributes: [{ id: other.chapters[0].id, title: 'Mine' }] }
    const { status } = await librarian.patch(`/v2/books/${book.id}`, { book: stolen })
    assert.ok(status === 404 || status === 422, String(status))
    assert.deepEqual(await chapters(other.id), ['1 Theirs'])
  })

  it('through a join table are those that are sent', async () => {
    const [sea, space] = [
      await lib.add('subjects', { name: 'Tides', slug: 'tides' }),
      await lib.add('subjects', { name: 'Stars', slug: 'stars' }),
    ]
    const book = await created({ subject_ids: [sea] })
    const names = async () =>
      (await librarian.get(`/v2/books/${book.id}`)).json.subjects.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names(), ['Tides'])
    await librarian.patch(`/v2/books/${book.id}`, { book: { subject_ids: [space] } })
    assert.deepEqual(await names(), ['Stars'])
    assert.equal((await librarian.patch(`/v2/books/${book.id}`, { book: { subject_ids: [999_999] } })).status, 422)
    await librarian.patch(`/v2/books/${book.id}`, { book: { subject_ids: [] } })
    assert.deepEqual(await names(), [])
  })

  it('of many records at once are all written or none', async () => {
    const before = await count('books')
    const three = [1, 2, 3].map(() => payload().book)
    const answer = await librarian.post('/v2/books/multiple_create', { books: three })
    assert.deepEqual([answer.status, answer.json.length], [201, 3], answer.text)
    const faulty = [payload().book, { ...payload().book, title: '' }]
    const refused = await librarian.post('/v2/books/multiple_create', { books: faulty })
    assert.equal(refused.status, 422)
    assert.equal(await count('books'), before + 3)
  })
})

describe('a deletion', () => {
  it('takes the parts along, and is refused while others refer to the record', async () => {
    const book = await created({ chapters_attributes: [{ title: 'One', position: 1 }] })
    const reader_id = await lib.add('readers', { login: 'holder' })
    const loan = await lib.add('loans', { book_id: book.id, reader_id, begin_at: '2026-01-01' })
    const refused = await librarian.delete(`/v2/books/${book.id}`)
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.json.errors.base, ['is still used by 1 loans'])
    assert.equal((await librarian.delete(`/v2/loans/${loan}`)).status, 204)
    assert.equal((await librarian.delete(`/v2/books/${book.id}`)).status, 204)
    assert.equal((await librarian.delete(`/v2/books/${book.id}`)).status, 404)
    const left = await lib.database.rows('select id from chapters where book_id = $1', [book.id])
    assert.deepEqual(left, [])
  })
})

describe('a request with an Idempotency-Key', () => {
  let key: string
  beforeEach(() => {
    key = `key ${newIsbn()}`
  })

  it('is done once, and answered again as it was', async () => {
    const sent = payload()
    const first = await librarian.post('/v2/books', sent, { 'idempotency-key': key })
    const again = await librarian.post('/v2/books', sent, { 'idempotency-key': key })
    assert.deepEqual([again.status, again.json], [201, first.json])
    assert.deepEqual(
      [first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')],
      [null, 'true'],
    )
  })

  it('of another caller, or after a refusal, is done anew', async () => {
    const refused = await librarian.post('/v2/books', payload({ title: '' }), { 'idempotency-key': key })
    assert.equal(refused.status, 422)
    const made = await librarian.post('/v2/books', payload(), { 'idempotency-key': key })
    assert.equal(made.status, 201)
    const other = await lib.director.post('/v2/books', payload(), { 'idempotency-key': key })
    assert.deepEqual([other.status, other.headers.get('idempotent-replayed')], [201, null])
    assert.notEqual(other.json.id, made.json.id)
  })

  it('with another body is 422', async () => {
    await librarian.post('/v2/books', payload(), { 'idempotency-key': key })
    const other = await librarian.post('/v2/books', payload(), { 'idempotency-key': key })
    assert.deepEqual([other.status, other.json.errors.base], [422, ['Idempotency-Key was used with another request']])
  })

  it('sent many times at once is done once', async () => {
    const sent = payload()
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => librarian.post('/v2/books', sent, { 'idempotency-key': key })),
    )
    for (const { status } of answers) assert.ok(status === 201 || status === 409, String(status))
    const found = await librarian.get(`/v2/books?filter[isbn]=${sent.book.isbn}`)
    assert.equal(found.headers.get('x-total'), '1')
  })
})
