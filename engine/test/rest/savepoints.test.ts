import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it, mock } from 'node:test'
import { sourceFiles } from '@campus/test/support/sources'
import pg from 'pg'
import { type Library, library } from '../support/library.ts'

/** The driver's connection, whose types the driver does not tell. */
type Wire = { parse(statement: { readonly text: string }): void }
const wire = (pg as unknown as { readonly Connection: { readonly prototype: Wire } }).Connection.prototype

describe('savepoints', () => {
  let lib: Library

  before(async () => {
    lib = await library()
  })
  after(() => lib.close())

  it('of a bulk write are released, of each element that is written and of each that is refused', async () => {
    const author_id = await lib.add('authors', { name: 'Lem' })
    const good = Array.from({ length: 20 }, (_, n) => ({ author_id, title: 'Solaris', isbn: `good ${n}` }))
    const bad = Array.from({ length: 20 }, (_, n) => ({
      author_id: n % 2 ? author_id : 999_999,
      title: 'Eden',
      isbn: `bad ${n}`,
    }))
    for (const [books, status] of [
      [good, 201],
      [bad, 422],
    ] as const) {
      const sent: string[] = []
      const { parse } = wire
      const spy = mock.method(wire, 'parse', function (this: Wire, ...given: Parameters<Wire['parse']>) {
        sent.push(given[0].text)
        parse.apply(this, given)
      })
      const answer = await lib.librarian.post('/v2/books/multiple_create', { books })
      spy.mock.restore()
      assert.equal(answer.status, status, answer.text)
      const made = sent.filter((text) => text.startsWith('savepoint'))
      const released = sent.filter((text) => text.startsWith('release savepoint'))
      assert.ok(made.length >= 10, `${made.length} of ${sent.length} statements`)
      // The last is left to the end of the transaction.
      assert.ok(released.length >= made.length - 1, `${released.length} of ${made.length} were released`)
    }
  })

  it('are made in one place, so that none is left', () => {
    const naming = sourceFiles().filter((file) =>
      /\brows\(['"`](?:rollback to )?savepoint /.test(readFileSync(file, 'utf8')),
    )
    assert.deepEqual(naming, ['engine/database/savepoint.ts'])
  })
})
