import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Library, library } from '../support/library.ts'

describe('the JSON of a record', () => {
  let lib: Library
  let author: number
  let book: number
  const path = () => `/v2/books/${book}`

  before(async () => {
    lib = await library()
    author = await lib.add('authors', { name: 'Italo Calvino', born_on: '1923-10-15' })
    book = await lib.add('books', {
      title: 'Le città "invisibili"\u2028',
      isbn: '9788804',
      author_id: author,
      weight: 0.1,
      notes: 'torn',
      created_at: '2026-01-02T03:04:05.678Z',
    })
    for (const [position, title] of [
      [2, 'Le città e la memoria'],
      [1, 'Prologo'],
    ] as const)
      await lib.add('chapters', { book_id: book, position, title })
    const subject = await lib.add('subjects', { name: 'Cities', slug: 'cities' })
    await lib.database.rows('insert into books_subjects (book_id, subject_id) values ($1, $2)', [book, subject])
  })
  after(() => lib.close())

  it('has every field that is not hidden, in the order of the declaration, with null for what is not there', async () => {
    const { json } = await lib.visitor.get(path())
    assert.deepEqual(
      Object.entries(json),
      Object.entries({
        id: book,
        title: 'Le città "invisibili"\u2028',
        isbn: '9788804',
        kind: 'novel',
        pages: null,
        weight: 0.1,
        lendable: true,
        published_on: null,
        author_id: author,
        author: { id: author, name: 'Italo Calvino' },
        subjects: [{ id: 1, name: 'Cities', slug: 'cities' }],
        chapters: [
          { id: 2, title: 'Prologo', position: 1 },
          { id: 1, title: 'Le città e la memoria', position: 2 },
        ],
        loans_count: 0,
        notes: 'invisible',
        created_at: '2026-01-02T03:04:05.678Z',
        updated_at: json.updated_at,
      }),
    )
  })

  it('shows a guarded field to those whom the guard excepts, and to all once it hides nothing', async () => {
    assert.equal((await lib.librarian.get(path())).json.notes, 'torn')
    assert.equal((await lib.director.get(path())).json.notes, 'torn')
    await lib.database.rows('update books set public_notes = true where id = $1', [book])
    assert.equal((await lib.visitor.get(path())).json.notes, 'torn')
    await lib.database.rows('update books set public_notes = false where id = $1', [book])
    assert.equal((await lib.visitor.get(path())).json.notes, 'invisible')
  })

  it('embeds other records in the representation that the field names', async () => {
    const { json } = await lib.visitor.get(`/v2/authors/${author}`)
    assert.deepEqual(json.books, [{ id: book, title: 'Le città "invisibili"\u2028' }])
    assert.equal(json.born_on, '1923-10-15')
  })

  it('counts records beside it as they are', async () => {
    const reader_id = await lib.add('readers', { login: 'ada' })
    const loan = await lib.add('loans', { book_id: book, reader_id, begin_at: '2026-01-01T00:00:00Z' })
    assert.equal((await lib.visitor.get(path())).json.loans_count, 1)
    await lib.database.rows('delete from loans where id = $1', [loan])
    assert.equal((await lib.visitor.get(path())).json.loans_count, 0)
  })

  it('is found by the column that identifies the record, and by its id', async () => {
    const bySlug = await lib.visitor.get('/v2/subjects/cities')
    assert.deepEqual(bySlug.json, (await lib.visitor.get('/v2/subjects/1')).json)
    assert.equal((await lib.visitor.get('/v2/subjects/towns')).status, 404)
    assert.equal((await lib.visitor.get('/v2/books/0')).status, 404)
  })

  it('is not sent again to a client that has it', async () => {
    const first = await lib.visitor.get(path())
    const etag = first.headers.get('etag') ?? ''
    const again = await lib.visitor.get(path(), { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text], [304, ''])
    await lib.database.rows('update books set pages = 200 where id = $1', [book])
    assert.equal((await lib.visitor.get(path(), { 'if-none-match': etag })).status, 200)
  })
})
