import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HttpError } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { addressOfCall, type Call } from '../../rest/in-process.ts'
import { type Library, library } from '../support/library.ts'

describe('the API, asked from within the process', () => {
  let lib: Library
  let caller: Caller
  let reader: number
  let book: number

  before(async () => {
    lib = await library()
    reader = await lib.add('readers', { login: 'ada' })
    const author_id = await lib.add('authors', { name: 'Lem' })
    book = await lib.add('books', { title: 'Solaris', isbn: '1', author_id, notes: 'torn' })
    await lib.add('subjects', { name: 'Space', slug: 'space' })
    await lib.add('loans', { book_id: book, reader_id: reader, begin_at: '2026-01-01' })
    const application = { id: 0, uid: '', name: '', roles: [], ratePerSecond: 0, ratePerHour: 0 }
    caller = { application, scopes: ['catalogue'], resourceOwnerId: reader }
  })
  after(() => lib.close())

  it('answers every read, and refuses it, as over the wire', async () => {
    const client = lib.caller({ reader })
    let [answered, refused] = [0, 0]
    for (const { method, path, action } of lib.table) {
      if (method !== 'GET' || action === 'graph') continue
      for (const id of [1, 999_999]) {
        const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [String(name), id]))
        const call: Call = { method, path, params, ...(action === 'index' ? { query: { per_page: 2 } } : {}) }
        const wire = await client.get(addressOfCall(call))
        try {
          const { status, bytes, headers } = await lib.api.ask(caller, call)
          assert.equal(String(bytes), wire.text, path)
          assert.deepEqual([status, headers['x-total'] ?? null], [wire.status, wire.headers.get('x-total')])
          answered += 1
        } catch (error) {
          if (!(error instanceof HttpError)) throw error
          assert.deepEqual([error.status, error.message], [wire.status, wire.json.message], path)
          refused += 1
        }
      }
    }
    assert.ok(answered > 12 && refused > 5, `${answered} answered, ${refused} refused`)
  })

  it('knows who may ask what, and only what is in the table of routes', async () => {
    const { api } = lib
    assert.ok(api.has('GET', '/v2/books/:id') && !api.has('GET', '/v2/books/1'))
    const desk = { ...caller, application: { ...caller.application, roles: ['Librarian'] } }
    assert.deepEqual([api.may(caller, 'POST', '/v2/books'), api.may(desk, 'POST', '/v2/books')], [false, true])
    const own = { ...caller, scopes: ['catalogue', 'desk'] }
    assert.deepEqual(
      [api.may(own, 'POST', '/v2/loans'), api.mayAll(own, 'POST', '/v2/loans'), api.mayAll(desk, 'POST', '/v2/loans')],
      [true, false, true],
    )
    await assert.rejects(api.ask(caller, { method: 'GET', path: '/v2/books/1' }), /the API has no GET \/v2\/books\/1/)
  })

  it('shows a change that another process has made since', async () => {
    const ask = async () => {
      const { bytes } = await lib.api.ask(caller, { method: 'GET', path: '/v2/books/:id', params: { id: book } })
      return JSON.parse(String(bytes)).title
    }
    assert.equal(await ask(), 'Solaris')
    await lib.database.rows("update books set title = 'Eden' where id = $1", [book])
    assert.equal(await ask(), 'Eden')
  })
})
