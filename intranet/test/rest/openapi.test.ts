import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { HEALTH_PATHS } from '@campus/engine/http/health'
import { METRICS_PATH } from '@campus/engine/http/metrics'
import { Registry } from '@campus/engine/rest/declare/registry'
import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import { INDEX_ROUTE, OPENAPI_ROUTE } from '@campus/engine/rest/openapi/service'
import { INTERVAL_NAMES } from '@campus/engine/rest/read/graph'
import { routeTable } from '@campus/engine/rest/route-table'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { temporaryFolder } from '@campus/test/support/folder'
import { type ResponseValidator, responseValidator } from '@campus/test/support/openapi'
import { EVERYTHING } from '@campus/test/support/record-factory'
import { requiredQuery } from '@campus/test/support/required-query'
import { OAUTH_ROUTES } from '../../oauth/routes.ts'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { FILE_ROUTE } from '../../services/attachments/downloads.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth
type Part = any

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)
const table = routeTable(registry)

let world: World
let document: OpenapiDocument

before(async () => {
  world = await campus({ seeded: true })
  document = (await world.anonymous.get('/v2/openapi.json')).json
})
after(() => world.close())

describe('the document', () => {
  test('is there for everybody, token or not', async () => {
    const answer = await world.anonymous.get('/v2/openapi.json')
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers.get('content-type')), /^application\/json/)
    assert.equal(answer.json.openapi, '3.1.0')
    assert.deepEqual(answer.json.servers, [{ url: world.url }])
    assert.equal(answer.json.info.version, '2.0')
  })

  test('is not sent again to a client that has it', async () => {
    const etag = String((await world.anonymous.get('/v2/openapi.json')).headers.get('etag'))
    const again = await world.anonymous.get('/v2/openapi.json', { 'if-none-match': `"other", ${etag}` })
    assert.deepEqual([again.status, again.text], [304, ''])
    const other = await world.anonymous.get('/v2/openapi.json', { 'if-none-match': '"other"' })
    assert.equal(other.status, 200)
  })

  test('can only be read', async () => {
    const answer = await world.director.post('/v2/openapi.json', {})
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'])
  })

  test('gives the linter nothing to say but that no operation answers 405', async () => {
    assert.deepEqual(await lint(document), ['no-unused-components #/components/responses/MethodNotAllowed'])
  })
})

describe('operations', () => {
  test('every route is in the document, and nothing else is', () => {
    const documented = operations(document).flatMap(({ method, path, servers }) =>
      servers.map((prefix) => `${method} ${prefix}${path}`),
    )
    const own = [...HEALTH_PATHS, METRICS_PATH].map((path) => ({ method: 'GET', path }))
    const mounted = [...table, ...OAUTH_ROUTES, FILE_ROUTE, INDEX_ROUTE, OPENAPI_ROUTE, ...own]
    const routed = mounted.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    assert.deepEqual(documented.sort(), routed.sort())
  })

  test('the server has a route for each of them', () => {
    for (const { method, path, servers } of operations(document)) {
      for (const prefix of servers) {
        const url = prefix + path.replace(/\{(\w+)\}/g, ':$1')
        assert.ok(world.app.hasRoute({ method: method as 'GET', url }), `${method} ${url}`)
      }
    }
  })

  test('each has a name of its own that reads well', () => {
    const names = operations(document).map(({ operation }) => operation.operationId as string)
    assert.deepEqual(repeated(names), [])
    assert.deepEqual(
      names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name)),
      [],
    )
    for (const name of ['listUsers', 'getUser', 'createLocation', 'listUsersOfCampus', 'listCampusUsers', 'getMe']) {
      assert.ok(names.includes(name), name)
    }
  })

  test('every list and graph names each filter, range and search of its resource, and every list its sorts', () => {
    for (const route of table.filter(({ action }) => action === 'index' || action === 'graph')) {
      const { sort, filter = sort, range = sort, customFilters = {}, search = {} } = route.resource.index
      const expected = [
        ...[...new Set([...filter, ...Object.keys(customFilters)])].map((name) => `filter[${name}]`),
        ...range.map((name) => `range[${name}]`),
        ...Object.keys(search).map((name) => `search[${name}]`),
        ...(Object.keys(search).length > 0 ? ['search'] : []),
        ...(route.action === 'index'
          ? ['sort', 'page', 'page[number]', 'page[size]', 'per_page', 'include', 'fields']
          : ['time_zone']),
        ...Object.keys(route.parameters ?? {}),
      ]
      const parameters = parametersOf(document, route).filter((parameter) => parameter.in === 'query')
      assert.deepEqual(parameters.map(({ name }) => name).sort(), expected.sort(), route.path)
      const sorts = parameters.find(({ name }) => name === 'sort')
      if (sorts)
        assert.deepEqual(
          sorts.schema.items.enum.filter((name: string) => !name.startsWith('-')),
          sort,
        )
    }
  })

  test('each says in words who may call it', () => {
    for (const { operation } of operations(document)) {
      assert.ok(operation['x-access'], operation.operationId)
      assert.match(operation.description, /Needs /)
    }
    const { patch } = document.paths['/v2/endpoints/{id}'] as Part
    assert.equal(patch['x-access'], 'the role Advanced Staff')
    assert.equal(patch.description, 'Needs the role Advanced Staff.')
  })
})

describe('schemas', () => {
  test('every reference leads somewhere', () => {
    const missing = [...walk(document)]
      .filter(({ part }) => typeof part.$ref === 'string')
      .map(({ part }) => part.$ref as string)
      .filter((ref) => resolve(document, ref) === undefined)
    assert.deepEqual(missing, [])
  })

  test('no answer has a secret, a password or anything else that is only ever written', () => {
    const names = answeredProperties(document)
    assert.deepEqual(
      names.filter((name) => /secret$|password|digest|sealed/.test(name)),
      [],
    )
    const written = [...walk(document.components.schemas)].filter(({ part }) => part.writeOnly).map(({ key }) => key)
    assert.ok(written.includes('secret'))
    assert.deepEqual(
      written.filter((name) => names.includes(name)),
      [],
    )
  })

  test('every record has exactly the fields of its representation', () => {
    for (const { name, representation, resource } of representations(document)) {
      const fields = resource.representationFields(representation).map(([field]) => field)
      const outer = document.components.schemas?.[name] as Part
      const schema = resource.wrapped ? outer.properties[resource.singular] : outer
      assert.deepEqual(Object.keys(schema.properties), fields, name)
      const certain = fields.filter((field) => !resource.fields[field]?.mayBeLeftOut)
      assert.deepEqual([schema.required, schema.additionalProperties], [certain, false], name)
    }
  })
})

describe('what the service answers is what the document says', () => {
  const SAMPLE_TEXTS: Readonly<Record<string, string>> = { email: 'sample@campus.test', time_zone: 'Europe/Paris' }
  const samples = new Map<string, number | undefined>()
  let validate: ResponseValidator
  let caller: Client

  before(async () => {
    validate = responseValidator(document)
    const user = await world.build.user({ login: 'caller' })
    caller = await world.caller({ ...EVERYTHING, user })
    for (const { name, actions } of registry.resources) if (typeof actions === 'object') await sampleOf(name)
  })

  /**
   * Returns the id of a record created with only the required fields, or of any existing record if the API cannot
   * create one.
   */
  async function sampleOf(name: string): Promise<number | undefined> {
    if (samples.has(name)) return samples.get(name)
    samples.set(name, undefined)
    const made = await ask('POST', `/v2/${name}`, { [registry.get(name).singular]: await payloadFor(name) })
    const id = made.status === 201 ? made.json.id : (await ask('GET', `/v2/${name}`)).json[0]?.id
    samples.set(name, id)
    return id
  }

  async function payloadFor(name: string): Promise<Record<string, unknown>> {
    const { payload, stored } = registry.get(name)
    const values: Record<string, unknown> = {}
    const named = new Set<string>()
    for (const field of payload?.requires ?? []) {
      const column = stored(field)
      const { type, enum: words, format } = (column?.kind.schema ?? {}) as Part
      // Two references to the same resource need two records: a godfather is another user.
      if (column?.references) values[field] = named.has(column.references) ? 1 : await sampleOf(column.references)
      if (column?.references) named.add(column.references)
      else if (words) values[field] = words[0]
      else if (format) values[field] = '2026-01-31T12:00:00.000Z'
      else values[field] = type === 'string' ? (SAMPLE_TEXTS[field] ?? 'sample') : 1
    }
    return values
  }

  async function ask(method: string, path: string, body?: unknown, headers = {}): Promise<Response> {
    const answer = await caller.request(method, path, { body, headers })
    validate(method, path, answer.status, answer.headers as never, answer.json)
    return answer
  }

  function fill(path: string, resource: string): string {
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'field') return registry.get(resource).graph?.default ?? ''
      if (name === 'interval') return 'week'
      const parent = registry.resources.find(({ singular }) => `${singular}_id` === name)
      return String(samples.get(name === 'id' ? resource : (parent?.name ?? '')) ?? 0)
    })
  }

  const inV2 = (method: string) =>
    operations(document).filter(({ method: own, path }) => own === method && path.startsWith('/v2/'))

  test('to every GET', async () => {
    for (const { path, operation } of inV2('GET')) {
      const filled = fill(path, operation.tags[0])
      const route = table.find((one) => one.method === 'GET' && one.path.replace(/:(\w+)/g, '{$1}') === path)
      const { status } = await ask('GET', route ? `${filled}?${requiredQuery(route)}` : filled)
      // The sample of a resource may not exist, or may not be below the sample of its parent.
      const isOne = /_id\}.*\{id\}/.test(path) || (/_id\}/.test(path) && operation.operationId.startsWith('get'))
      if (isOne) assert.ok(status === 200 || status === 404, filled)
      else assert.equal(status, /\/0(\/|$)/.test(filled) ? 404 : 200, filled)
    }
  })

  test('to every POST', async () => {
    for (const { path, operation } of inV2('POST')) {
      const [resource] = operation.tags
      const payload = await payloadFor(resource)
      await ask('POST', fill(path, resource), { [registry.get(resource).singular]: payload, [resource]: [payload] })
      await ask('POST', fill(path, resource), {})
    }
  })

  test('to every PATCH and PUT', async () => {
    for (const { method, path, operation } of [...inV2('PATCH'), ...inV2('PUT')]) {
      const [resource] = operation.tags
      const body = { [registry.get(resource).singular]: {} }
      await ask(method, fill(path, resource), body)
      await ask(method, fill(path, resource), body, { prefer: 'return=representation' })
    }
  })

  test('to every graph interval', async () => {
    for (const interval of INTERVAL_NAMES) {
      assert.equal((await ask('GET', `/v2/locations/graph/on/begin_at/by/${interval}`)).status, 200)
    }
  })

  test('to those who are refused', async () => {
    for (const [client, path, status] of [
      [world.anonymous, '/v2/users', 401],
      [world.visitor, '/v2/endpoints', 403],
      [world.visitor, '/v2/me', 404],
      [world.visitor, '/v2/users/0', 404],
      [world.visitor, '/v2/users?sort=nothing', 400],
      [world.visitor, '/v2/users/graph/on/nothing', 422],
      [world.anonymous, '/nowhere', 404],
    ] as const) {
      const answer = await client.get(path)
      assert.equal(answer.status, status, path)
      validate('GET', path, answer.status, answer.headers as never, answer.json)
    }
  })

  test('to the OAuth endpoints', async () => {
    for (const prefix of ['', '/v2']) {
      assert.equal((await ask('GET', `${prefix}/oauth/token/info`)).status, 200)
      assert.equal((await ask('POST', `${prefix}/oauth/token`, { grant_type: 'client_credentials' })).status, 401)
      assert.equal((await ask('POST', `${prefix}/oauth/revoke`, {})).status, 401)
    }
    assert.equal((await ask('GET', '/.well-known/oauth-authorization-server')).status, 200)
  })

  test('to every DELETE', async () => {
    for (const { path, operation } of inV2('DELETE').reverse()) await ask('DELETE', fill(path, operation.tags[0]))
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

function parametersOf(source: OpenapiDocument, { method, path }: { method: string; path: string }): Part[] {
  const operation = source.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Part
  return operation.parameters.map(({ $ref }: Part) => resolve(source, $ref))
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

const SHOW_SECRETS = ['createApp', 'createWebhookOfApp']

/** Returns the names of all properties of responses below /v2, at any depth. */
function answeredProperties(source: OpenapiDocument): string[] {
  const seen = new Set<unknown>()
  const names = new Set<string>()
  const visit = (start: Part): void => {
    for (const { part } of walk(start)) {
      if (seen.has(part)) return
      seen.add(part)
      if (typeof part.properties === 'object') for (const name of Object.keys(part.properties)) names.add(name)
      if (typeof part.$ref === 'string') visit(resolve(source, part.$ref))
    }
  }
  for (const { path, operation } of operations(source)) {
    // Other tests check that these operations show a secret only once (`apps.test.ts`, `subscribing.test.ts`).
    if (path.startsWith('/v2/') && !SHOW_SECRETS.includes(String(operation.operationId))) visit(operation.responses)
  }
  return [...names]
}

/** Returns the schemas of records. */
function representations({ components }: OpenapiDocument) {
  return registry.resources.flatMap((resource) =>
    ['record', ...Object.keys(resource.representations ?? {})].flatMap((representation) => {
      const name = representation === 'record' ? resource.singular : `${resource.singular}_${representation}`
      return components.schemas?.[name] ? [{ name, representation, resource }] : []
    }),
  )
}

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)

/** Returns the findings of the strictest lint rules, with their places. */
async function lint(source: OpenapiDocument): Promise<string[]> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'openapi.json')
  // The linter takes an address on this machine for an oversight.
  await writeFile(file, JSON.stringify(source).replaceAll(world.url, 'https://campus.test'))
  const linter = fileURLToPath(new URL('bin/cli.js', import.meta.resolve('@redocly/cli/package.json')))
  const options = ['lint', file, '--extends', 'recommended-strict', '--format', 'json']
  const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, [linter, ...options], { env, cwd: folder.path }, (_error, stdout) => done(stdout))
  })
  await folder.remove()
  return JSON.parse(output).problems.map(({ ruleId, location }: Part) => `${ruleId} ${location[0].pointer}`)
}
