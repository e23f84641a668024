import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Response } from '@campus/test/support/client'
import { errorsOf, JSON_API, read, write } from '@campus/test/support/json-api'
import { type Library, library } from '../support/library.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into at every depth
type Part = any

let lib: Library
let author: number
let ada: number
let ben: number
let space: number
let loans: number[]
const books: number[] = []

before(async () => {
  lib = await library()
  author = await lib.add('authors', { name: 'Lem' })
  space = await lib.add('subjects', { name: 'Space', slug: 'space' })
  for (const isbn of ['1', '2']) books.push(await lib.add('books', { title: `Book ${isbn}`, isbn, author_id: author }))
  await lib.database.rows('insert into books_subjects (book_id, subject_id) values ($1, $2)', [books[0], space])
  ada = await lib.add('readers', { login: 'ada', name: 'Ada' })
  ben = await lib.add('readers', { login: 'ben' })
  loans = []
  for (const [at, reader_id] of [ada, ada, ben, ben, ben].entries())
    loans.push(await lib.add('loans', { book_id: books[at % 2], reader_id, begin_at: '2026-01-01T00:00:00Z' }))
})
after(() => lib.close())

/** The one error of a refusal, which is a document by the rules. */
function errorOf(answer: Response, status: number): Part {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), JSON_API)
  assert.deepEqual(errorsOf(answer.json), [])
  assert.equal(answer.json.errors.length, 1, answer.text)
  assert.equal(answer.json.errors[0].status, String(status))
  return answer.json.errors[0]
}

let isbn = 100
const document = (extra: object = {}, attributes: object = {}) => {
  isbn += 1
  return {
    data: {
      type: 'books',
      attributes: { title: 'New', isbn: String(isbn), ...attributes },
      relationships: { author: { data: { type: 'authors', id: String(author) } } },
      ...extra,
    },
  }
}
const count = async (table: string) => Number((await lib.database.rows(`select count(*) from ${table}`))[0]?.[0])

describe('which representation', () => {
  test('the content type of a request chooses, or its Accept, and every answer says that it depends on both', async () => {
    for (const header of ['content-type', 'accept']) {
      const answer = await lib.visitor.get('/v2/subjects/space', { [header]: JSON_API })
      assert.equal(answer.headers.get('content-type'), JSON_API)
      assert.equal(answer.json.data.type, 'subjects')
      assert.match(answer.headers.get('vary') ?? '', /\bAccept, Content-Type, Accept-Encoding$/)
    }
    const plain = await lib.visitor.get('/v2/subjects/space', { accept: 'application/json' })
    assert.equal(plain.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(plain.json.id, space)
  })

  test('a parameter that JSON:API does not know is 415 in the content type and 406 in Accept', async () => {
    const wrong = `${JSON_API}; charset=utf-8`
    const unsupported = errorOf(await lib.visitor.get('/v2/books', { 'content-type': wrong }), 415)
    assert.deepEqual(unsupported.source, { header: 'Content-Type' })
    const unacceptable = errorOf(await lib.visitor.get('/v2/books', { accept: wrong }), 406)
    assert.deepEqual(unacceptable.source, { header: 'Accept' })
    const before = await count('books')
    errorOf(await write(lib.director, 'POST', '/v2/books', document(), { 'content-type': wrong }), 415)
    assert.equal(await count('books'), before)
  })

  test('a plain payload may be answered by a document, and a plain client never is', async () => {
    const { title, isbn } = document().data.attributes
    const answer = await lib.director.post(
      '/v2/books',
      { book: { title, isbn, author_id: author } },
      { accept: JSON_API },
    )
    assert.deepEqual([answer.status, answer.json.data.attributes.isbn], [201, isbn])
    const plain = await lib.director.post('/v2/books', { book: { title, isbn: `${isbn}b`, author_id: author } })
    assert.equal(plain.json.isbn, `${isbn}b`)
  })

  test('a document is not sent again to whoever has it, and is another one than the plain record', async () => {
    const { headers } = await read(lib.visitor, '/v2/subjects/space')
    const etag = String(headers.get('etag'))
    const path = '/v2/subjects/space'
    assert.equal((await lib.visitor.get(path, { accept: JSON_API, 'if-none-match': etag })).status, 304)
    assert.equal((await lib.visitor.get(path, { 'if-none-match': etag })).status, 200)
  })

  test('HEAD answers the headers of the document', async () => {
    const answer = await lib.visitor.request('HEAD', '/v2/books', { headers: { accept: JSON_API } })
    assert.deepEqual([answer.status, answer.text, answer.headers.get('content-type')], [200, '', JSON_API])
  })
})

describe('a page', () => {
  test('links to the others in the words of JSON:API, keeps the other parameters and never repeats a token', async () => {
    const query = `filter[reader_id]=${ada},${ben}&sort=id&page[size]=2&page[number]=2&access%5Ftoken=${lib.visitor.token}`
    const { json, text } = await read(lib.anonymous, `/v2/loans?${query}`)
    assert.deepEqual(errorsOf(json), [])
    const same = `${lib.url}/v2/loans?filter%5Breader_id%5D=${ada}%2C${ben}&sort=id&page%5Bsize%5D=2&page%5Bnumber%5D=`
    assert.deepEqual(
      [json.links.self, json.links.first, json.links.prev, json.links.next],
      [`${same}2`, `${same}1`, `${same}1`, `${same}3`],
    )
    assert.ok(!text.includes(String(lib.visitor.token)))
    assert.deepEqual([json.meta.page, json.meta.per_page], [2, 2])
  })

  test('the links walk the whole collection, each record once', async () => {
    const ids: string[] = []
    let path: string | null = '/v2/loans?page[size]=2&sort=-id'
    let total = 0
    while (path) {
      const { json }: Response = await read(lib.visitor, path)
      ids.push(...json.data.map(({ id }: Part) => id))
      total = json.meta.total
      path = json.links.next?.slice(lib.url.length) ?? null
    }
    assert.deepEqual(ids, loans.toReversed().map(String))
    assert.equal(total, loans.length)
  })

  test('beyond the last one is an empty list that leads back', async () => {
    const { json } = await read(lib.visitor, '/v2/books?page[number]=900')
    assert.deepEqual([json.data, json.links.next], [[], null])
    assert.match(json.links.prev, /page%5Bnumber%5D=1$/)
  })

  test('takes the filters, ranges and sorts of the plain wire', async () => {
    const query = `filter[reader_id]=${ben}&range[id]=${loans[3]},&sort=-id`
    const { json } = await read(lib.visitor, `/v2/loans?${query}`)
    const plain = await lib.visitor.get(`/v2/loans?${query}`)
    assert.deepEqual(
      json.data.map(({ id }: Part) => id),
      plain.json.map(({ id }: Part) => String(id)),
    )
  })
})

describe('include', () => {
  test('without it nothing comes along, with an empty one an empty list neither', async () => {
    for (const query of ['', '?include='])
      assert.ok(!('included' in (await read(lib.visitor, `/v2/loans/${loans[0]}${query}`)).json))
  })

  test('each record comes once, however many lead to it', async () => {
    const { json } = await read(lib.visitor, '/v2/loans?include=reader,book.author')
    assert.deepEqual(errorsOf(json), [])
    assert.deepEqual(json.included.map(({ type, id }: Part) => `${type} ${id}`).sort(), [
      `authors ${author}`,
      ...books.map((id) => `books ${id}`),
      ...[`readers ${ada}`, `readers ${ben}`],
    ])
  })

  test('a path that leads nowhere is 400, says where it could lead and changes nothing', async () => {
    const error = errorOf(await read(lib.visitor, '/v2/loans?include=readr'), 400)
    assert.deepEqual(error.source, { parameter: 'include' })
    assert.equal(error.detail, 'The path "readr" leads nowhere: loans can include book, reader. Did you mean "reader"?')
    errorOf(await read(lib.visitor, '/v2/loans?include=book.author.nothing'), 400)
    errorOf(await read(lib.visitor, '/v2/loans?include[]=reader'), 400)
    const before = await count('books')
    errorOf(await write(lib.director, 'POST', '/v2/books?include=authr', document()), 400)
    assert.equal(await count('books'), before)
  })

  test('is bounded in depth and number', async () => {
    const deep = ['book', ...Array.from({ length: 5 }, () => 'author.books')].join('.')
    assert.match(errorOf(await read(lib.visitor, `/v2/loans?include=${deep}`), 400).detail, /at most 5 names/)
    const many = Array.from({ length: 21 }, () => 'reader').join(',')
    assert.match(errorOf(await read(lib.visitor, `/v2/loans?include=${many}`), 400).detail, /at most 20 paths/)
  })

  test('works on what is written too', async () => {
    const { json } = await write(lib.director, 'POST', '/v2/books?include=author', document())
    assert.deepEqual(
      json.included.map(({ attributes }: Part) => attributes.name),
      ['Lem'],
    )
  })
})

describe('fields', () => {
  test('leave out the other attributes and relationships of a type, and what they include stays', async () => {
    const path = `/v2/loans/${loans[0]}?include=reader&fields[loans]=begin_at&fields[readers]=login`
    const { json } = await read(lib.visitor, path)
    assert.deepEqual(errorsOf(json, { hasFields: true }), [])
    assert.deepEqual(Object.keys(json.data.attributes), ['begin_at'])
    assert.equal(json.data.relationships, undefined)
    assert.deepEqual(json.included[0].attributes, { login: 'ada' })
  })

  test('an empty list leaves nothing but the identity', async () => {
    const { json } = await read(lib.visitor, `/v2/loans/${loans[0]}?fields[loans]=`)
    assert.deepEqual(Object.keys(json.data).sort(), ['id', 'links', 'type'])
  })

  test('an unknown type or field is 400 with the nearest one', async () => {
    const field = errorOf(await read(lib.visitor, '/v2/books?fields[books]=titel'), 400)
    assert.deepEqual(field.source, { parameter: 'fields[books]' })
    assert.match(field.detail, /Did you mean "title"\?$/)
    assert.match(errorOf(await read(lib.visitor, '/v2/books?fields[book]=title'), 400).detail, /"books"\?$/)
    errorOf(await read(lib.visitor, '/v2/books?fields=title'), 400)
  })
})

describe('a record', () => {
  test('has a relationship for each id of another record, and for each list of records', async () => {
    const { relationships, attributes } = (await read(lib.visitor, `/v2/books/${books[0]}`)).json.data
    assert.deepEqual(relationships.author.data, { type: 'authors', id: String(author) })
    assert.deepEqual(relationships.subjects.data, [{ type: 'subjects', id: String(space) }])
    assert.equal(attributes.author_id, undefined)
  })

  test('that does not exist is an error in the same form', async () => {
    assert.equal(errorOf(await read(lib.visitor, '/v2/books/0'), 404).detail, 'There is no book 0.')
    assert.equal(errorOf(await read(lib.visitor, '/v2/book'), 404).code, 'not_found')
    errorOf(await read(lib.anonymous, '/v2/books'), 401)
    errorOf(await write(lib.director, 'DELETE', '/v2/books'), 405)
  })
})

describe('a document that is written', () => {
  test('creates a record, answered at its own address', async () => {
    const answer = await write(lib.director, 'POST', '/v2/books', document())
    assert.equal(answer.status, 201)
    assert.deepEqual(errorsOf(answer.json), [])
    const { data, links } = answer.json
    assert.deepEqual([answer.headers.get('location'), links.self], [data.links.self, data.links.self])
    assert.deepEqual((await read(lib.director, `/v2/books/${data.id}`)).json.data, data)
  })

  test('may leave to the path what the path says', async () => {
    const body = document({ relationships: {} })
    const answer = await write(lib.director, 'POST', `/v2/authors/${author}/books`, body)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.json.data.relationships.author.data.id, String(author))
  })

  test('changes a record by id or by name, and the answer shows what it is now', async () => {
    for (const path of [`/v2/readers/${ada}`, '/v2/readers/ada'])
      for (const method of ['PATCH', 'PUT']) {
        const data = { type: 'readers', id: String(ada), attributes: { name: method } }
        const answer = await write(lib.director, method, path, { data })
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.json.data.attributes.name, method)
      }
  })

  test('replaces a list of associations, and moves one by another id', async () => {
    const other = await lib.add('authors', { name: 'Dick' })
    const linked = (ids: number[]) => ({ data: ids.map((id) => ({ type: 'subjects', id: String(id) })) })
    const made = await write(
      lib.director,
      'POST',
      '/v2/books?include=subjects',
      document({ relationships: { ...document().data.relationships, subjects: linked([space]) } }),
    )
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.json.data.relationships.subjects.data, linked([space]).data)
    const { id } = made.json.data
    const relationships = { subjects: linked([]), author: { data: { type: 'authors', id: String(other) } } }
    const changed = await write(lib.director, 'PATCH', `/v2/books/${id}`, {
      data: { type: 'books', id, relationships },
    })
    assert.deepEqual(changed.json.data.relationships.subjects.data, [])
    assert.equal(changed.json.data.relationships.author.data.id, String(other))
  })

  test('of another type or id than the address is 409', async () => {
    const type = errorOf(await write(lib.director, 'POST', '/v2/books', document({ type: 'authors' })), 409)
    assert.deepEqual(type.source, { pointer: '/data/type' })
    const wrong = { data: { type: 'readers', id: String(ben), attributes: { name: 'Eve' } } }
    for (const path of [`/v2/readers/${ada}`, '/v2/readers/ada'])
      assert.deepEqual(errorOf(await write(lib.director, 'PATCH', path, wrong), 409).source, { pointer: '/data/id' })
    const [row] = await lib.database.rows("select count(*) from readers where name = 'Eve'")
    assert.equal(Number(row?.[0]), 0)
  })

  test('with an id that the client chose is 403 unless the application may choose ids', async () => {
    const answer = await write(lib.librarian, 'POST', '/v2/books', document({ id: '900' }))
    assert.deepEqual(errorOf(answer, 403).source, { pointer: '/data/id' })
    assert.equal((await write(lib.director, 'POST', '/v2/books', document({ lid: 'a' }))).status, 201)
  })

  test('that is no document is 400 and says what is missing', async () => {
    for (const [body, pointer] of [
      [undefined, ''],
      [[], ''],
      [{}, ''],
      [{ book: { title: 'x' } }, ''],
      [{ data: [] }, '/data'],
      [{ data: null }, '/data'],
      [{ data: {} }, '/data'],
      [{ data: { type: 7 } }, '/data'],
      [document({ attributes: [] }), '/data/attributes'],
      [document({ relationships: 'author' }), '/data/relationships'],
      [document({ relationships: { author: {} } }), '/data/relationships/author'],
      [document({ relationships: { author: { data: 3 } } }), '/data/relationships/author/data'],
    ] as const) {
      const { source } = errorOf(await write(lib.director, 'POST', '/v2/books', body), 400)
      assert.deepEqual(source, { pointer }, JSON.stringify(body))
    }
    const noId = { data: { type: 'readers', attributes: {} } }
    assert.equal(errorOf(await write(lib.director, 'PATCH', `/v2/readers/${ada}`, noId), 400).source.pointer, '/data')
    errorOf(await write(lib.director, 'PATCH', '/v2/readers/0', { data: { type: 'readers', id: '0' } }), 404)
  })

  test('is told of each fault at its place, in the names of JSON:API', async () => {
    const before = await count('books')
    const answer = await write(lib.director, 'POST', '/v2/loans', {
      data: {
        type: 'loans',
        attributes: { begin_at: 'soon', bgin_at: 'x', 'a/b~c': 1, __proto__x: 1 },
        relationships: { reader: { data: { type: 'readers', id: 'jdoe' } } },
      },
    })
    assert.equal(answer.status, 422)
    assert.deepEqual(errorsOf(answer.json), [])
    const reported = Object.fromEntries(answer.json.errors.map(({ source, detail }: Part) => [source.pointer, detail]))
    assert.deepEqual(reported, {
      '/data/attributes/begin_at': 'begin_at is not an ISO 8601 time such as 2017-11-25T13:43:10Z',
      '/data/attributes/bgin_at': 'bgin_at is not accepted; did you mean "begin_at"?',
      '/data/attributes/a~1b~0c': 'a/b~c is not accepted',
      '/data/attributes/__proto__x': '__proto__x is not accepted',
      '/data/relationships/reader': 'reader is not a whole number',
      '/data/relationships': "book can't be blank",
    })
    const long = errorOf(await write(lib.director, 'POST', '/v2/books', document({}, { title: 'x'.repeat(201) })), 422)
    assert.deepEqual(
      [long.source.pointer, long.detail],
      ['/data/attributes/title', 'title is too long (maximum is 200 characters)'],
    )
    assert.equal(await count('books'), before)
  })

  test('cannot be associated with a record of another type, with one that is not there, or by a relationship that there is not', async () => {
    const created = (relationships: object) =>
      write(
        lib.director,
        'POST',
        '/v2/books',
        document({ relationships: { ...document().data.relationships, ...relationships } }),
      )
    const type = errorOf(await created({ author: { data: { type: 'books', id: '1' } } }), 422)
    assert.deepEqual(type.source, { pointer: '/data/relationships/author/data' })
    const absent = errorOf(await created({ author: { data: { type: 'authors', id: '2000000000' } } }), 422)
    assert.deepEqual([absent.detail, absent.source.pointer], ['author must exist', '/data/relationships/author'])
    const list = await write(lib.director, 'PATCH', `/v2/authors/${author}`, {
      data: { type: 'authors', id: String(author), relationships: { books: { data: [] } } },
    })
    assert.deepEqual(errorOf(list, 403).source, { pointer: '/data/relationships/books' })
    const unknown = errorOf(await created({ authr: { data: null } }), 422)
    assert.match(unknown.detail, /authr is not accepted. Did you mean "author"\?/)
  })

  test('holds to the rules of who may write, like a plain one', async () => {
    errorOf(await write(lib.visitor, 'POST', '/v2/books', document()), 403)
    const reader = lib.caller({ reader: ada, scopes: ['catalogue', 'desk'] })
    const loan = (id: number) => ({
      data: {
        type: 'loans',
        relationships: {
          book: { data: { type: 'books', id: String(books[0]) } },
          reader: { data: { type: 'readers', id: String(id) } },
        },
      },
    })
    errorOf(await write(reader, 'POST', '/v2/loans', loan(ben)), 403)
    const own = await write(reader, 'POST', '/v2/loans', loan(ada))
    assert.equal(own.status, 201, own.text)
  })

  test('with the same Idempotency-Key is answered once more', async () => {
    const headers = { 'idempotency-key': 'one and the same' }
    const sent = document()
    const first = await write(lib.director, 'POST', '/v2/books', sent, headers)
    const again = await write(lib.director, 'POST', '/v2/books', sent, headers)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(again.json, first.json)
    const other = await write(lib.director, 'POST', '/v2/books', document(), headers)
    assert.match(errorOf(other, 422).detail, /Idempotency-Key was used with another request/)
  })

  test('removes a record with 204 and no body', async () => {
    const { id } = (await write(lib.director, 'POST', '/v2/books', document())).json.data
    const answer = await write(lib.director, 'DELETE', `/v2/books/${id}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
  })
})

describe('parameters', () => {
  test('that the address does not know are 400, with the nearest that it does', async () => {
    const error = errorOf(await read(lib.visitor, '/v2/books?filtr[title]=x'), 400)
    assert.deepEqual(error.source, { parameter: 'filtr' })
    assert.match(error.detail, /Did you mean "filter"\?$/)
    errorOf(await read(lib.visitor, `/v2/books/${books[0]}?sort=id`), 400)
    errorOf(await read(lib.visitor, '/v2/loans/graph?include=book'), 400)
    assert.equal((await lib.visitor.get('/v2/books?filtr[title]=x')).status, 200)
  })

  test('that are wrong are named in the source', async () => {
    for (const [query, parameter] of [
      ['filter[titel]=x', 'filter[titel]'],
      ['filter[id]=x', 'filter[id]'],
      ['range[id]=1', 'range[id]'],
      ['range[idd]=1,2', 'range[idd]'],
      ['sort=titel', 'sort'],
      ['page[number]=0', 'page'],
      ['per_page=many', 'per_page'],
      ['search[titel]=x', 'search[titel]'],
    ]) {
      const { source, links } = errorOf(await read(lib.visitor, `/v2/books?${query}`), 400)
      assert.deepEqual([source, links], [{ parameter }, undefined], query)
    }
  })
})
