import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import pg from 'pg'
import { CachedAnswers } from '../../rest/cache/cached-answers.ts'
import { type Library, library } from '../support/library.ts'

describe('cached responses', () => {
  let lib: Library
  /** Another process. */
  let elsewhere: pg.Client
  let author: number
  let book: number
  let readings = 0

  before(async () => {
    lib = await library()
    author = await lib.add('authors', { name: 'Lem' })
    book = await lib.add('books', { title: 'Solaris', isbn: '1', author_id: author, notes: 'torn' })
    const [[url] = []] = await lib.database.rows("select current_setting('port') || '/' || current_database()")
    const address = new URL(String(process.env.CAMPUS_TEST_DATABASE_URL))
    address.pathname = `/${String(url).split('/')[1]}`
    elsewhere = new pg.Client({ connectionString: address.href })
    await elsewhere.connect()
    const { answer } = CachedAnswers.prototype
    mock.method(
      CachedAnswers.prototype,
      'answer',
      function (this: CachedAnswers, ...[key, read]: Parameters<typeof answer>) {
        return answer.call(this, key, () => {
          readings += 1
          return read()
        })
      },
    )
  })
  after(async () => {
    mock.restoreAll()
    await elsewhere.end()
    await lib.close()
  })

  const read = async (path: string, client = lib.visitor) => {
    const { status, json, headers } = await client.get(path)
    assert.equal(status, 200)
    return { json, total: headers.get('x-total') }
  }
  const readingsOf = async (work: () => Promise<unknown>) => {
    const before = readings
    await work()
    return readings - before
  }

  it('are given again while nothing that they show has changed', async () => {
    const path = `/v2/books/${book}`
    await read(path)
    assert.equal(await readingsOf(() => read(path)), 0)
    await lib.add('readers', { login: 'nobody' })
    assert.equal(await readingsOf(() => read(path)), 0, 'nor when another table changes')
  })

  it('are never stale, whichever process has changed what they show', async () => {
    const changes: readonly (readonly [string, readonly string[]])[] = [
      [`update books set pages = coalesce(pages, 0) + 1 where id = $1`, [`/v2/books/${book}`, '/v2/books']],
      [
        `update authors set name = name || '!' where id = (select author_id from books where id = $1)`,
        [`/v2/books/${book}`, '/v2/books', `/v2/authors/${author}`],
      ],
      [
        `insert into chapters (title, position, book_id) select 'Next', count(*) + 1, $1 from chapters`,
        [`/v2/books/${book}`, '/v2/books'],
      ],
      [`update books set title = title || '.' where id = $1`, [`/v2/authors/${author}`, `/v2/authors/${author}/books`]],
    ]
    for (const [statement, paths] of changes)
      for (const path of paths)
        for (const run of [
          () => lib.database.rows(statement, [book]),
          () => elsewhere.query(statement, [book]),
          () => lib.database.transaction((tx) => tx.rows(statement, [book])),
        ]) {
          const before = await read(path)
          await run()
          assert.notDeepEqual(await read(path), before, `${statement} ${path}`)
        }
  })

  it('count records as they are', async () => {
    const isbn = (n: number) => `total ${n}`
    for (let n = 0; n < 4; n += 1) {
      const { total } = await read('/v2/books?per_page=1')
      const values = ['Another', isbn(n), author]
      const insert = 'insert into books (title, isbn, author_id) values ($1, $2, $3)'
      await (n % 2 ? lib.database.rows(insert, values) : elsewhere.query(insert, values))
      assert.equal((await read('/v2/books?per_page=1')).total, String(Number(total) + 1))
    }
  })

  it('are of the caller’s own rights', async () => {
    const path = `/v2/books/${book}`
    for (let n = 0; n < 2; n += 1) {
      assert.equal((await read(path)).json.notes, 'invisible')
      assert.equal((await read(path, lib.librarian)).json.notes, 'torn')
    }
  })

  it('end when a time comes on which they depend', async () => {
    const reader_id = await lib.add('readers', { login: 'ada' })
    const path = '/v2/loans?filter[active]=true'
    await lib.add('loans', {
      book_id: book,
      reader_id,
      begin_at: '2026-03-02T11:00:00Z',
      end_at: '2026-03-02T12:00:00Z',
    })
    assert.equal((await read(path)).total, '0')
    lib.clock.set('2026-03-02T11:00:00Z')
    assert.equal((await read(path)).total, '1')
    lib.clock.set('2026-03-02T12:00:00Z')
    assert.equal((await read(path)).total, '0')
  })
})
