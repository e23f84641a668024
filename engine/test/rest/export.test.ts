import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { type Library, library } from '../support/library.ts'

const CSV = { accept: 'text/csv' }
const NDJSON = { accept: 'application/x-ndjson' }

describe('the whole of a list', () => {
  let lib: Library
  let author: number

  before(async () => {
    lib = await library()
    author = await lib.add('authors', { name: 'Lem' })
    await lib.database.rows(
      `insert into books (title, isbn, author_id, pages) select 'Book ' || n, 'n' || n, $1, n from generate_series(1, 250) n`,
      [author],
    )
    await lib.add('books', { title: '=1+1, "quoted"\nline', isbn: 'odd', author_id: author })
  })
  after(() => lib.close())

  it('comes as NDJSON, selected and sorted as its pages are, with every record once', async () => {
    const query = 'filter[author_id]=1&range[pages]=51,250&sort=-pages'
    const { headers, text } = await lib.librarian.get(`/v2/books?${query}`, NDJSON)
    assert.deepEqual([headers.get('content-type'), headers.get('x-total')], ['application/x-ndjson', '200'])
    const records = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      records.map(({ pages }) => pages),
      Array.from({ length: 200 }, (_, n) => 250 - n),
    )
    const page = (await lib.librarian.get(`/v2/books?${query}&per_page=100&page=2`)).json
    assert.deepEqual(records.slice(100), page)
  })

  it('comes as CSV with a column for each value of an embedded record, and no formula', async () => {
    const { headers, text } = await lib.librarian.get('/v2/books?filter[isbn]=odd', CSV)
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    assert.equal(headers.get('content-disposition'), 'attachment; filename="books.csv"')
    const [record] = parse(text, { columns: true, bom: true }) as Record<string, string>[]
    assert.equal(record?.['author.name'], 'Lem')
    assert.equal(record?.title, `'=1+1, "quoted"\nline`)
    assert.equal(record?.pages, '')
    assert.equal(record?.chapters, '[]')
  })

  it('has a line of names even if it has no record', async () => {
    const { headers, text } = await lib.librarian.get('/v2/loans?filter[id]=2000000000', CSV)
    assert.equal(headers.get('x-total'), '0')
    assert.deepEqual(text.replace('\ufeff', '').split('\r\n')[0]?.split(',').slice(0, 3), ['id', 'begin_at', 'end_at'])
    assert.equal((await lib.librarian.get('/v2/loans?filter[id]=2000000000', NDJSON)).text, '')
  })

  it('hides what its pages hide', async () => {
    await lib.database.rows("update books set notes = 'torn' where isbn = 'n1'")
    const notes = async (client: typeof lib.visitor) =>
      JSON.parse((await client.get('/v2/books?filter[isbn]=n1', NDJSON)).text).notes
    assert.deepEqual([await notes(lib.visitor), await notes(lib.librarian)], ['invisible', 'torn'])
  })

  it('is refused as its pages are, and as CSV without the role', async () => {
    const refused = await lib.visitor.get('/v2/books', CSV)
    assert.equal(refused.status, 403)
    assert.match(refused.json.message, /text\/csv needs the role Librarian.*application\/json/)
    assert.match(
      (await lib.librarian.get('/v2/books?page[size]=2', CSV)).json.message,
      /per_page does not go with text\/csv/,
    )
    assert.equal((await lib.librarian.get('/v2/books?filter[nothing]=1', NDJSON)).status, 400)
    assert.equal((await lib.librarian.get('/v2/authors/999/books', NDJSON)).status, 404)
    assert.equal((await lib.anonymous.get('/v2/books', NDJSON)).status, 401)
  })
})
