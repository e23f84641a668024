import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@campus/test/support/folder'
import { responseValidator } from '@campus/test/support/openapi'
import { atOnce } from '../../base/slices.ts'
import { HEALTH_PATHS } from '../../http/health.ts'
import { METRICS_PATH } from '../../http/metrics.ts'
import { all, either, open, own, role, scope } from '../../rest/declare/access.ts'
import { boolean, choice, integer, reference, text, time } from '../../rest/declare/fields/columns.ts'
import { one } from '../../rest/declare/fields/embeds.ts'
import { whenSet } from '../../rest/declare/filters.ts'
import { Registry } from '../../rest/declare/registry.ts'
import { resource, under } from '../../rest/declare/resource.ts'
import type { OpenapiDocument } from '../../rest/openapi/document.ts'
import { openapiDocument } from '../../rest/openapi/openapi-document.ts'
import { INDEX_ROUTE, OPENAPI_ROUTE } from '../../rest/openapi/service.ts'
import { routeTable } from '../../rest/route-table.ts'
import { ACCESS, type Library, library } from '../support/library.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth
type Part = any

/** A resource for these tests, and a resource below it. */
const shelves = resource({
  name: 'shelves',
  singular: 'shelf',
  summary: 'A shelf.',
  identifiedBy: 'slug',
  fields: { id: integer(), slug: text({ max: 20 }) },
  index: { sort: ['id'], defaultSort: ['id'] },
  actions: { index: role('Librarian'), show: scope('projects', 'a right') },
})
const books = resource({
  name: 'books',
  singular: 'book',
  summary: 'A book.',
  fields: {
    id: integer(),
    kind: choice(['novel', 'atlas'], { nullable: true }),
    read_at: time({ nullable: true }),
    'lent?': boolean({ column: 'lent' }),
    shelf: one('shelves', 'record'),
    shelf_id: reference('shelves', { hidden: true, nullable: true }),
    reader_id: reference('shelves', { hidden: true }),
  },
  index: {
    sort: ['id', 'kind'],
    filter: ['kind'],
    range: ['read_at'],
    defaultSort: ['-id'],
    customFilters: { read: whenSet('read_at') },
  },
  parents: [under('shelves', { by: 'shelf_id', actions: ['index', 'create'], me: true })],
  payload: { accepts: ['kind', 'read_at', 'shelf_id'], requires: ['kind', 'shelf_id'] },
  actions: {
    index: all(scope('forum', 'a right'), scope('tig', 'a right')),
    show: role('Basic Tutor'),
    create: { access: either(role('Moderator'), all(own('reader_id'), scope('profile', 'a right'))) },
    update: { access: scope('projects', 'a right') },
    members: { lend_out: { access: scope('projects', 'a right'), perform: async () => 1 } },
    bulk: { name: 'multiple_create', access: role('Moderator') },
    queryActions: { 'lending/state': { access: open, read: async () => '"lent"', schema: () => ({ type: 'string' }) } },
  },
})
const shelfRegistry = new Registry([shelves, books], ACCESS)
const shelfDocument = atOnce(
  openapiDocument(shelfRegistry, routeTable(shelfRegistry), {
    baseUrl: 'https://library.test',
    info: {
      title: 'Library',
      summary: 'Books and shelves.',
      version: '2.0',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    more: [
      (components) => {
        components.refer('securitySchemes', 'oauth2', () => ({ type: 'oauth2', flows: {} }))
        return {}
      },
    ],
  }),
)

let lib: Library
let document: OpenapiDocument
before(async () => {
  lib = await library()
  document = (await lib.anonymous.get('/v2/openapi.json')).json
})
after(() => lib.close())

describe('the document', () => {
  test('is there for everybody, and is not sent again to a client that has it', async () => {
    const answer = await lib.anonymous.get('/v2/openapi.json')
    assert.equal(answer.status, 200)
    assert.deepEqual(
      [answer.json.openapi, answer.json.info.title, answer.json.info.version],
      ['3.1.0', 'Library', '1.0'],
    )
    assert.deepEqual(answer.json.servers, [{ url: lib.url }])
    const etag = String(answer.headers.get('etag'))
    const again = await lib.anonymous.get('/v2/openapi.json', { 'if-none-match': `"other", ${etag}` })
    assert.deepEqual([again.status, again.text], [304, ''])
    const written = await lib.director.post('/v2/openapi.json', {})
    assert.deepEqual([written.status, written.headers.get('allow')], [405, 'GET, HEAD'])
  })

  test('has every route, each under a name of its own, and nothing else', () => {
    const own = [...HEALTH_PATHS, METRICS_PATH].map((path) => ({ method: 'GET', path }))
    const mounted = [...routeTable(lib.engine.registry), INDEX_ROUTE, OPENAPI_ROUTE, ...own]
    const documented = operations(document).map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(
      documented.toSorted(),
      mounted.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).toSorted(),
    )
    for (const { method, path } of operations(document)) {
      const url = path.replace(/\{(\w+)\}/g, ':$1')
      assert.ok(lib.app.hasRoute({ method: method as 'GET', url }), `${method} ${url}`)
    }
    const names = operations(document).map(({ operation }) => operation.operationId as string)
    assert.deepEqual(repeated(names), [])
    for (const name of ['listBooks', 'createLoan', 'listBooksOfAuthor', 'listMyLoans', 'createBooks'])
      assert.ok(names.includes(name), name)
  })

  test('has exactly the fields of each representation, and references that lead somewhere', () => {
    const schemas = document.components.schemas as Part
    for (const one of lib.engine.registry.resources)
      for (const representation of ['record', ...Object.keys(one.representations ?? {})]) {
        const schema = schemas[representation === 'record' ? one.singular : `${one.singular}_${representation}`]
        if (!schema) continue
        const fields = one.representationFields(representation).map(([field]) => field)
        assert.deepEqual(Object.keys(schema.properties), fields)
        assert.deepEqual([schema.required, schema.additionalProperties], [fields, false])
      }
    const missing = [...walk(document)]
      .filter(({ part }) => typeof part.$ref === 'string')
      .filter(({ part }) => resolve(document, part.$ref) === undefined)
    assert.deepEqual(missing, [])
  })

  test('asks for a bearer token in the ways in which one is sent, and not for OAuth 2.0, which the service has not', () => {
    const { get } = document.paths['/v2/books'] as Part
    assert.deepEqual(get.security, [{ bearer: [] }, { access_token: [] }])
    assert.deepEqual(Object.keys(document.components.securitySchemes ?? {}), ['access_token', 'bearer'])
  })

  test('gives the linter nothing to say but that no operation answers 405', async () => {
    assert.deepEqual(await lint(document), ['no-unused-components #/components/responses/MethodNotAllowed'])
  })
})

describe("a resource of the tests' own", () => {
  const at = (path: string, method: string): Part => shelfDocument.paths[path]?.[method]

  test('names the scopes that each alternative needs', () => {
    assert.deepEqual(at('/v2/books', 'get').security[0], { oauth2: ['forum', 'tig'] })
    const alternatives = at('/v2/books', 'post')
      .security.map(({ oauth2 }: Part) => oauth2)
      .filter(Boolean)
    assert.deepEqual(alternatives, [[], ['profile']])
    assert.equal(
      at('/v2/books', 'post')['x-access'],
      "the role Moderator, or a token of the record's own user and the scope profile",
    )
  })

  test('names its operations apart', () => {
    assert.deepEqual(
      operations(shelfDocument)
        .map(({ operation }) => operation.operationId)
        .filter((name) => /Book/.test(name)),
      [
        ...['listBooks', 'createBook', 'getBook', 'updateBook', 'updateBookByPut', 'createBooks'],
        ...['lendOutBook', 'lendOutBookByPut', 'getLendingStateOfBook'],
        ...['listBooksOfShelf', 'createBookOfShelf', 'listMyBooks', 'createMyBook'],
      ],
    )
  })

  test('says of its payload what is needed, what may be null and what the path says already', () => {
    const schemas = shelfDocument.components.schemas as Part
    const { properties, required, additionalProperties } = schemas.book_create.properties.book
    assert.deepEqual(required, ['kind', 'shelf_id'])
    assert.equal(additionalProperties, false)
    assert.deepEqual(properties.kind, { type: 'string', enum: ['novel', 'atlas'] })
    assert.deepEqual(properties.read_at, { type: ['string', 'null'], format: 'date-time' })
    assert.deepEqual(schemas.book_create_below_shelf.properties.book.required, ['kind'])
    assert.deepEqual(schemas.book_update.properties.book.required, [])
    assert.deepEqual(schemas.book_update.properties.book.properties.kind.enum, ['novel', 'atlas'])
    assert.deepEqual(schemas.book_update.properties.book.properties.read_at.type, ['string', 'null'])
    assert.equal(schemas.book_update.properties.book.properties.shelf_id.type, 'integer')
    assert.deepEqual(schemas.book_bulk.properties.books.items.required, ['kind', 'shelf_id'])
    const { 'application/vnd.api+json': document, ...plain } = at('/v2/books', 'post').requestBody.content
    const bodies = Object.values(plain).map(({ schema }: Part) => schema.$ref)
    assert.deepEqual(new Set(bodies), new Set(['#/components/schemas/book_create']))
    assert.deepEqual(document.schema.properties.data.allOf[1].properties.type, { const: 'books' })
  })

  test('takes an id in paths, or what stands for it', () => {
    const type = (path: string, method: string) =>
      at(path, method)
        .parameters.map(({ $ref }: Part) => resolve(shelfDocument, $ref))
        .find((part: Part) => part.in === 'path').schema.type
    assert.equal(type('/v2/books/{id}', 'get'), 'integer')
    assert.equal(type('/v2/shelves/{id}', 'get'), 'string')
    assert.equal(type('/v2/shelves/{shelf_id}/books', 'get'), 'string')
  })

  test('answers what its action answers', () => {
    const statuses = (path: string, method: string) => Object.keys(at(path, method).responses)
    const media = ['406', '415']
    const failure = ['429', '500', '503']
    assert.deepEqual(statuses('/v2/books', 'get'), ['200', '304', '400', '401', '403', ...media, ...failure])
    assert.deepEqual(statuses('/v2/me/books', 'get'), ['200', '304', '400', '401', '403', '404', ...media, ...failure])
    assert.deepEqual(statuses('/v2/books/multiple_create', 'post').slice(0, 4), ['201', '400', '401', '403'])
    const state = resolve(shelfDocument, at('/v2/books/{id}/lending/state', 'get').responses[200].$ref)
    assert.deepEqual(state.content['application/json'].schema, { type: 'string' })
    assert.deepEqual(statuses('/v2/books/{id}/lend_out', 'put').slice(0, 5), ['204', '400', '401', '403', '404'])
  })
})

describe('the validator of answers', () => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-application-id': '1',
    'x-application-name': 'a',
    'x-application-roles': 'None',
    'x-runtime': '0.1',
    'x-request-id': 'abcdefgh',
    'x-hourly-ratelimit-limit': '9',
    'x-hourly-ratelimit-remaining': '8',
    'x-secondly-ratelimit-limit': '9',
    'x-secondly-ratelimit-remaining': '8',
    etag: 'W/"x"',
  }
  const shelf = { id: 1, slug: 'a' }
  const refused = { error: 'Not Found', message: 'There is nothing here.' }
  let validate: (method: string, path: string, status: number, json?: unknown, more?: Record<string, string>) => void

  before(() => {
    const validator = responseValidator(shelfDocument)
    validate = (method, path, status, json, more = {}) =>
      validator(method, path, status, new Headers({ ...headers, ...more }) as never, json)
  })

  test('accepts what the document says', () => {
    const list = { 'x-page': '1', 'x-per-page': '30', 'x-total': '1' }
    validate('GET', '/v2/shelves/1', 200, shelf)
    validate('GET', '/v2//shelves.json?page=1', 200, [shelf], list)
    validate('HEAD', '/v2/shelves/1', 200)
    validate('PATCH', '/v2/books/1/lend_out', 204)
    validate('OPTIONS', '/v2/shelves/1', 204)
    validate('GET', '/nowhere', 404, refused)
    validate('PATCH', '/v2/shelves', 405, refused)
  })

  test('says what is wrong with anything else', () => {
    assert.throws(
      () => validate('GET', '/v2/shelves/1', 418, shelf),
      /GET \/v2\/shelves\/1 answered 418: .* only 200, 304/,
    )
    assert.throws(() => validate('GET', '/v2/shelves/1', 200, { ...shelf, secret: 1 }), /additional secret/)
    assert.throws(() => validate('GET', '/v2/shelves/1', 200, { id: 1 }), /must have required property 'slug'/)
    assert.throws(() => validate('GET', '/v2/shelves/1', 200, { ...shelf, id: '1' }), /\/id must be integer \("1"\)/)
    assert.throws(() => validate('GET', '/v2/shelves', 200, [shelf]), /the header X-Page is missing/)
    assert.throws(() => validate('GET', '/v2/shelves/1', 200, shelf, { etag: 'x' }), /the header ETag is "x"/)
    assert.throws(() => validate('GET', '/v2/shelves/1', 200, shelf, { 'content-type': 'text/plain' }), /text\/plain/)
    assert.throws(() => validate('PATCH', '/v2/books/1/lend_out', 204, {}), /there should be no body/)
    assert.throws(() => validate('GET', '/nowhere', 200, []), /only 400, 404/)
    assert.throws(() => validate('GET', '/nowhere', 404, {}), /must have required property 'error'/)
    assert.throws(() => validate('PATCH', '/v2/shelves', 404, refused), /only 400, 405/)
  })
})

type Described = { method: string; path: string; servers: string[]; operation: Part }

/** Returns every operation with the path prefix of each of its servers. */
function operations({ paths, servers: [server] }: OpenapiDocument): Described[] {
  const base = String(server?.url).length
  return Object.entries(paths).flatMap(([path, { servers = [server], ...methods }]: [string, Part]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      servers: servers.map(({ url }: Part) => url.slice(base)),
      operation,
    })),
  )
}

/** Returns the part of the document that `$ref` points to. */
const resolve = (source: OpenapiDocument, ref: string): Part =>
  ref
    .split('/')
    .slice(1)
    .reduce((part: Part, name) => part?.[name], source)

/** Yields every object in the document with its key. */
function* walk(part: Part, key = ''): Iterable<{ key: string; part: Part }> {
  if (typeof part !== 'object' || part === null) return
  yield { key, part }
  for (const [name, inner] of Object.entries(part)) yield* walk(inner, name)
}

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)

/** Returns the problems that the strictest lint rules report, each with its location. */
async function lint(source: OpenapiDocument): Promise<string[]> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'openapi.json')
  // The linter takes an address on this machine for an oversight.
  await writeFile(file, JSON.stringify(source).replaceAll(lib.url, 'https://library.test'))
  const linter = fileURLToPath(new URL('bin/cli.js', import.meta.resolve('@redocly/cli/package.json')))
  const options = ['lint', file, '--extends', 'recommended-strict', '--format', 'json']
  const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, [linter, ...options], { env, cwd: folder.path }, (_error, stdout) => done(stdout))
  })
  await folder.remove()
  return JSON.parse(output).problems.map(({ ruleId, location }: Part) => `${ruleId} ${location[0].pointer}`)
}
