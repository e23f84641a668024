import assert from 'node:assert/strict'
import { atOnce } from '@campus/engine/base/slices'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import { Registry } from '@campus/engine/rest/declare/registry'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { callersOfApplications } from '@campus/intranet/oauth/calling-application'
import { COMMON_ACCESS } from '@campus/intranet/school/resources/access'
import { resources } from '@campus/intranet/school/resources/index'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { type Models, modelsOf } from '@campus/intranet/webhooks/applications/models'
import { recordReader } from '@campus/intranet/webhooks/applications/read-records'
import type { Example, Recorded } from '@campus/reference/examples'
import { RECORDED_URL } from '@campus/reference/examples'
import { readReference } from '@campus/reference/read-reference'
import { createApplication } from './application.ts'
import { campus, type World } from './campus.ts'
import type { Client } from './client.ts'
import { FACTORY_DEFINITIONS } from './factory-definitions.ts'
import { filledList } from './filled-list.ts'
import { memberOf } from './member-actions.ts'
import { createRecordFactory, EVERYTHING, type RecordFactory, unwrapped } from './record-factory.ts'
import { recordOAuth } from './record-oauth.ts'
import { requiredQuery } from './required-query.ts'
import { testEngine } from './test-engine.ts'

/** A request and its caller. */
type Question = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly by?: Client
}

type Recorder = {
  readonly world: World
  readonly factory: RecordFactory
  /** The caller with no more rights than needed: a student where any token will do. */
  readerOf(route: Route): Client
  ask(question: Question): Promise<Example>
  /** The text with what is the same every time in it. */
  steady(text: string): string
}

/** The clock of the recording stands still, so that it always gives the same. */
const NOW = '2025-03-03T10:00:00.000Z'
/** A record that is longer is shown only where there is no shorter one. */
const MAX_CHARACTERS = 3000

/** Records one example of every action of every resource, and a body of a webhook of every model, on a service seeded for the purpose. */
export async function recordExamples(): Promise<Recorded> {
  const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)
  const table = routeTable(registry)
  const world = await campus({ seeded: { users: 60, locations: 120 }, now: NOW })
  try {
    const { document } = world
    const routes = new Map(table.map((route) => [`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`, route]))
    const { json: staff } = await world.staff.get('/v2/staff?sort=id')
    const { json: students } = await world.staff.get('/v2/users?filter[kind]=student&sort=id')
    const factory = await createRecordFactory(world, registry, { word: wordsOf(WORDS), owner: staff[0].id })
    const student = await world.caller({ user: students[0].id })
    const readerOf = ({ access }: Route) => (access.kind === 'open' ? student : factory.administrator)
    const steady = await steadier(world)
    const recorder: Recorder = { world, factory, readerOf, steady, ask: asker(factory.administrator, steady) }
    const actions = atOnce(readReference({ document, registry, table })).resources.flatMap(
      (resource) => resource.actions,
    )
    const examples: Record<string, readonly Example[]> = await recordOAuth(recorder)
    const chosen = actions.flatMap(({ operations: [first] }) => {
      const route = routes.get(`${first.method} ${first.path}`)
      return route ? [{ id: first.id, route }] : []
    })
    const models = modelsOf(registry.resources)
    const bodies = await recordBodies(recorder, models)
    // Reads come before writes, so that their examples show the school as seeded.
    const isReading = ({ route }: (typeof chosen)[number]) => route.method === 'GET'
    for (const { id, route } of [...chosen.filter(isReading), ...chosen.filter((one) => !isReading(one))]) {
      examples[id] = await RECORDINGS[route.action](recorder, route)
    }
    return { examples: inOrder(examples), bodies: inOrder(bodies) }
  } finally {
    await world.close()
  }
}

const inOrder = <T>(recorded: Readonly<Record<string, T>>) =>
  Object.fromEntries(Object.entries(recorded).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Records webhook bodies as an application with all roles receives them. */
async function recordBodies({ world, factory, steady }: Recorder, models: Models): Promise<Record<string, unknown>> {
  const { database, clock } = world
  const engine = await testEngine(database, clock, new Sealer(Buffer.alloc(32, 7)), world.url)
  const { id: applicationId } = await database.transaction((tx) =>
    createApplication(tx, { name: 'Recorder', ...EVERYTHING }),
  )
  const read = recordReader({
    engine,
    models: () => models,
    findApplications: (ids) => callersOfApplications(database, ids),
  })
  const bodies: Record<string, unknown> = {}
  for (const [model, { resource }] of models) {
    const ids = await idsOf(factory, resource.name)
    if (ids.length === 0) ids.push(await factory.find(resource.name))
    const records = await Promise.all(ids.map((recordId) => read({ applicationId, model, event: 'update', recordId })))
    const sent = records.flatMap((record) => ('body' in record ? [JSON.parse(steady(record.body))] : []))
    bodies[model] = sent[fitting(sent)] ?? assert.fail(`no ${model} is sent: ${JSON.stringify(records[0])}`)
  }
  return bodies
}

const RECORDINGS: Readonly<Record<Route['action'], (recorder: Recorder, route: Route) => Promise<Example[]>>> = {
  async index({ factory, readerOf, ask }, route) {
    const { address, caller } = await filledList(factory, route.path, route)
    const by = caller === factory.administrator ? readerOf(route) : caller
    const required = requiredQuery(route)
    return [await ask({ method: 'GET', path: `${address}?${required}per_page=1`, by })]
  },

  async show({ factory, readerOf, ask }, route) {
    const { name } = route.resource
    const by = readerOf(route)
    const ids = await idsOf(factory, name, by)
    if (ids.length === 0) ids.push(await factory.find(name))
    return [
      await ask({
        method: 'GET',
        path: await fittingPath(
          ids.map((id) => `/v2/${name}/${id}`),
          by,
        ),
        by,
      }),
    ]
  },

  async owner({ world, factory, ask }, { path }) {
    const ids = await idsOf(factory, 'users')
    const records = await Promise.all(ids.map(async (id) => (await factory.administrator.get(`/v2/users/${id}`)).json))
    return [await ask({ method: 'GET', path, by: await world.caller({ user: ids[fitting(records)] as number }) })]
  },

  async search({ factory, ask }, { path, resource }) {
    const [{ name = '', login = name }] = (await factory.list(`/v2/${resource.name}`)) as [Record<string, string>]
    return [await ask({ method: 'POST', path, body: { query: login, sort: '-id', page: { number: 1, size: 2 } } })]
  },

  async graph({ readerOf, ask }, route) {
    return [await ask({ method: 'GET', path: route.path, by: readerOf(route) })]
  },

  async query({ factory, readerOf, ask }, route) {
    const by = readerOf(route)
    const paths = (await idsOf(factory, route.resource.name)).map((id) => route.path.replace(':id', String(id)))
    return [await ask({ method: 'GET', path: await fittingPath(paths, by), by })]
  },

  async create({ factory, ask }, { path: pattern, chain, resource: { name, singular } }) {
    let path = pattern
    for (const { resource: parent } of chain) path = path.replace(/:\w+/, String(await factory.find(parent)))
    const created = await ask({ method: 'POST', path, body: { [singular]: await payloadOf(factory, name) } })
    assert.equal(created.status, 201, `${path}: ${JSON.stringify(created)}`)
    const refused = await ask({ method: 'POST', path, body: { [singular]: {} } })
    // A resource that asks for nothing has taken it.
    return refused.status === 422 ? [created, refused] : [created]
  },

  async bulk({ factory, ask }, { path, resource: { name } }) {
    const payloads = [await payloadOf(factory, name), await payloadOf(factory, name)]
    return [await ask({ method: 'POST', path, body: { [name]: payloads } })]
  },

  async update({ factory, ask }, { method, path, resource: { name, singular } }) {
    const change =
      FACTORY_DEFINITIONS[name]?.change ??
      FACTORY_DEFINITIONS[name]?.payload ??
      assert.fail(`nothing is known of ${name}`)
    const values = await change(factory)
    const id = await factory.make(name)
    return [await ask({ method, path: path.replace(':id', String(id)), body: { [singular]: values } })]
  },

  async member({ factory, ask }, { method, path, chain, resource, note }) {
    const { id, body } = await memberOf(factory, `${resource.name} ${note}`, resource.name)
    const address = (await belowParents(factory, path, chain, resource, id)).replace(':id', String(id))
    // A record that is created closed must be opened before it can be closed.
    if (path.endsWith('/close')) await factory.administrator.request(method, address.replace(/close$/, 'unclose'))
    return [await ask({ method, path: address, ...(body ? { body } : {}) })]
  },

  async destroy({ factory, ask }, { path, resource: { name } }) {
    return [await ask({ method: 'DELETE', path: path.replace(':id', String(await factory.make(name))) })]
  },
}

/** The path with the ids of the record's own parents. */
async function belowParents(
  { registry, world }: RecordFactory,
  path: string,
  chain: Route['chain'],
  { table }: Resource,
  id: number,
): Promise<string> {
  let below = path
  for (const { resource } of chain) {
    const key = `${registry.get(resource).singular}_id`
    const [row] = await world.database.rows(`select ${key} from ${table} where id = ${id}`)
    below = below.replace(`:${key}`, String(row?.[0]))
  }
  return below
}

/** Ids of records that the list shows first to this caller. */
async function idsOf(
  { registry, administrator }: RecordFactory,
  resource: string,
  by = administrator,
): Promise<number[]> {
  const { json: records } = await by.get(`/v2/${resource}`)
  return records.map((record: unknown) => unwrapped(registry, resource, record).id)
}

/** Returns the path with the most informative response. */
async function fittingPath(paths: readonly string[], by: Client): Promise<string> {
  const answers = await Promise.all(paths.map(async (path) => ({ path, ...(await by.get(path)) })))
  const shown = answers.filter(({ status }) => status === 200)
  return shown[fitting(shown.map(({ json }) => json))]?.path ?? assert.fail(`nobody may see ${paths}`)
}

/** The place of the record that says most without being long, or of the shortest. */
function fitting(records: readonly unknown[]): number {
  const lengths = records.map((record) => JSON.stringify(record).length)
  const short = lengths.filter((length) => length <= MAX_CHARACTERS)
  return Math.max(0, lengths.indexOf(short.length > 0 ? Math.max(...short) : Math.min(...lengths)))
}

async function payloadOf(factory: RecordFactory, resource: string) {
  const { payload, alone } = FACTORY_DEFINITIONS[resource] ?? {}
  assert.ok(payload, `there is no payload for ${resource}`)
  return { ...(await payload(factory)), ...(await alone?.(factory)) }
}

/** Asks, and keeps of the answer what is the same every time. */
function asker(administrator: Client, steady: Recorder['steady']): Recorder['ask'] {
  return async ({ method, path, body, by = administrator }) => {
    const { status, headers, json, text } = await by.request(method, path, { body })
    assert.ok(status < 500, `${method} ${path}: ${text}`)
    const retained = STORED_HEADERS.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    const example: Example = {
      method,
      path,
      hasToken: by.token !== undefined,
      ...(body === undefined ? {} : { body }),
      status,
      headers: Object.fromEntries(retained),
      ...(json === undefined ? {} : { answer: json }),
    }
    return JSON.parse(steady(JSON.stringify(example)))
  }
}

/** Has what the database's own clock and chance put in as the clock of the recording would have it, at the recorded address. */
async function steadier({ database, url }: World): Promise<Recorder['steady']> {
  // The database may have been migrated for an earlier test already, in one transaction that began before its first migration.
  const [[migrated] = []] = await database.rows('select min(timestamp) from kysely_migration')
  const start = new Date(Date.parse(String(migrated)) - 60_000)
  return (text) =>
    text
      .replaceAll(url, RECORDED_URL)
      .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, (time) => (new Date(JSON.parse(time)) >= start ? `"${NOW}"` : time))
      .replace(/"(uid|secret)":"[0-9a-f]{64}"/g, (_, name) => `"${name}":"<client_${name === 'uid' ? 'id' : name}>"`)
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g, UUID)
}

const UUID = '1ae0f5c4-7d2b-4f6a-9c3e-5b8d0a1f2e37'

const STORED_HEADERS = ['Location', 'Link', 'X-Page', 'X-Per-Page', 'X-Total', 'WWW-Authenticate', 'Retry-After']

/** Gives the words in turn, and from the second round on with a number behind. */
function wordsOf(words: readonly string[]): () => string {
  let given = 0
  return () => {
    const round = Math.floor(given / words.length)
    const word = words[given % words.length] as string
    given += 1
    return round === 0 ? word : `${word}-${round + 1}`
  }
}

const WORDS = [
  ...['lantern', 'meadow', 'harbour', 'juniper', 'kestrel', 'marble', 'nutmeg', 'orchard', 'pebble', 'quartz'],
  ...['ripple', 'saffron', 'thicket', 'umber', 'velvet', 'willow', 'yarrow', 'zephyr', 'almanac', 'beacon'],
]
