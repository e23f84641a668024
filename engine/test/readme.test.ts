import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Client, clientOf } from '@campus/test/support/client'
import { addressFrom } from '@campus/test/support/databases'
import { freePort } from '@campus/test/support/free-port'
import { responseValidator } from '@campus/test/support/openapi'
import { Agent } from 'undici'
import { type Served, serveProgram } from './support/program.ts'

const MAX_LINES = 60
const PROGRAM = fileURLToPath(new URL('../examples/library.ts', import.meta.url))

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [, shown = ''] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? []

describe('the program in the README of the engine', () => {
  let database: Awaited<ReturnType<typeof addressFrom>>
  let program: Served
  let agent: Agent
  let desk: Client
  let anonymous: Client

  before(async () => {
    database = await addressFrom('campus_empty')
    program = await serveProgram(PROGRAM, {
      DATABASE_URL: database.url,
      DESK_TOKEN: 'desk-token',
      SECRET_KEY: 'a key of this test: 32 bytes long',
      PORT: String(await freePort()),
    })
    agent = new Agent()
    const { url } = program
    const document = (await clientOf({ url, agent }).get('/v2/openapi.json')).json
    const server = { url, agent, validate: responseValidator(document) }
    anonymous = clientOf(server)
    desk = clientOf(server, 'desk-token')
  })
  after(async () => {
    await agent?.close()
    await program?.stop()
    await database?.close()
  })

  it('is the one that runs, and has less than 60 lines', () => {
    assert.equal(shown, readFileSync(PROGRAM, 'utf8'))
    assert.ok(shown.trimEnd().split('\n').length < MAX_LINES)
  })

  it('refuses requests without a token, and with another one', async () => {
    const missing = await anonymous.get('/v2/books')
    assert.equal(missing.status, 401)
    assert.match(missing.headers.get('www-authenticate') ?? '', /^Bearer /)
    const { status, json } = await clientOf({ url: program.url, agent }, 'another').get('/v2/books')
    assert.deepEqual([status, json.message], [401, 'The access token is invalid'])
  })

  it('creates, changes and deletes records, and lists them with filters, ranges, sorts, pages and totals', async () => {
    const author = await desk.post('/v2/authors', { author: { name: 'Ursula K. Le Guin' } })
    assert.deepEqual([author.status, author.json.name], [201, 'Ursula K. Le Guin'])
    const books = []
    for (const [title, isbn] of [
      ['A Wizard of Earthsea', '9780547773742'],
      ['The Dispossessed', '9780061054884'],
      ['The Lathe of Heaven', '9781416556961'],
    ]) {
      const { status, json } = await desk.post('/v2/books', { book: { title, isbn, author_id: author.json.id } })
      assert.equal(status, 201)
      books.push(json)
    }
    assert.deepEqual(books[0].author, { id: author.json.id, name: 'Ursula K. Le Guin' })

    const page = await desk.get('/v2/books?sort=-title&per_page=2')
    assert.deepEqual(
      page.json.map(({ title }: { title: string }) => title),
      ['The Lathe of Heaven', 'The Dispossessed'],
    )
    assert.equal(page.headers.get('x-total'), '3')
    assert.match(page.headers.get('link') ?? '', /page=2.*rel="next"/)
    const filtered = await desk.get('/v2/books?filter[title]=The%20Dispossessed')
    assert.deepEqual(filtered.json, [books[1]])
    const ranged = await desk.get(`/v2/books?range[id]=${books[1].id},${books[2].id}&sort=id`)
    assert.deepEqual(ranged.json, books.slice(1))
    assert.equal(ranged.headers.get('x-total'), '2')
    assert.deepEqual((await desk.get(`/v2/authors/${author.json.id}/books?sort=id`)).json, books)

    const loan = await desk.post(`/v2/books/${books[0].id}/loans`, { loan: { reader: 'Ada' } })
    assert.deepEqual([loan.status, loan.json.end_at], [201, null])
    const returned = await desk.patch(`/v2/loans/${loan.json.id}`, { loan: { end_at: '2030-01-01T10:00:00Z' } })
    assert.equal(returned.status, 204)
    assert.equal((await desk.get('/v2/loans?filter[returned]=true')).json[0].end_at, '2030-01-01T10:00:00.000Z')
    assert.equal((await desk.get('/v2/loans?filter[returned]=false')).headers.get('x-total'), '0')

    assert.equal((await desk.delete(`/v2/books/${books[1].id}`)).status, 204)
    assert.equal((await desk.get(`/v2/books/${books[1].id}`)).status, 404)
    assert.equal((await desk.get('/v2/books')).headers.get('x-total'), '2')
  })

  it('answers 422 with the fields that are wrong, and 404 for what is not there', async () => {
    const blank = await desk.post('/v2/books', { book: { isbn: '1' } })
    assert.deepEqual([blank.status, Object.keys(blank.json.errors)], [422, ['title', 'author_id']])
    const { json: author } = await desk.post('/v2/authors', { author: { name: 'Stanisław Lem' } })
    const solaris = { book: { title: 'Solaris', isbn: '9780156027601', author_id: author.id } }
    assert.equal((await desk.post('/v2/books', solaris)).status, 201)
    const twice = await desk.post('/v2/books', solaris)
    assert.deepEqual([twice.status, twice.json.errors], [422, { isbn: ['has already been taken'] }])
    const orphan = await desk.post('/v2/books', { book: { ...solaris.book, isbn: '2', author_id: 999_999 } })
    assert.deepEqual([orphan.status, Object.keys(orphan.json.errors)], [422, ['author_id']])
    const used = await desk.delete(`/v2/authors/${author.id}`)
    assert.equal(used.status, 422)
    assert.equal((await desk.get('/v2/books/999999')).status, 404)
    assert.equal((await desk.get('/v2/shelves')).status, 404)
  })
})
