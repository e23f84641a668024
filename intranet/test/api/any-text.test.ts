import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Column } from '@campus/engine/rest/declare/fields/field'
import { WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { Registry } from '@campus/engine/rest/declare/registry'
import { Shapes } from '@campus/engine/rest/json-api/shapes'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { campus, type World } from '@campus/test/support/campus'
import type { Response } from '@campus/test/support/client'
import { FACTORY_DEFINITIONS } from '@campus/test/support/factory-definitions'
import { errorsOf, read, write } from '@campus/test/support/json-api'
import { createRecordFactory, type RecordFactory, unwrapped } from '@campus/test/support/record-factory'
import { requiredQuery } from '@campus/test/support/required-query'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

/** Texts that break JSON, SQL, headers or pages. They fit the maximum length of a name. */
const TEXTS = [
  'a"\\/\b\f\n\r\t\u0001\u001f\u007f\u0085\u2028\u2029z',
  'a🎓𝒳e\u0301\u202e\u200d\ufffd\ufffe\uffff$1%00%s\\u0000z',
  'a</script>{"}]\'`;--\\',
] as const

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)
const shapes = new Shapes(registry)
const table = routeTable(registry)

type Texts = Readonly<Record<string, string>>

/** Returns the fields of a payload that accept any text. */
function freeTexts({ payload, stored }: Resource): string[] {
  const { accepts = [], extra = {} } = payload ?? {}
  const columns = [...accepts.map((name) => [name, stored(name)] as const), ...Object.entries(extra)]
  return columns.flatMap(([name, column]) => (column && takesAnyText(column) ? [name] : []))
}

const kindOf = ({ kind, storing }: Column) => storing?.kind ?? kind

function takesAnyText(column: Column): boolean {
  const { sqlType, schema, read: readText } = kindOf(column)
  if (sqlType !== 'text' || schema.type !== 'string' || schema.enum) return false
  try {
    return readText('a b?') === 'a b?'
  } catch (error) {
    assert.ok(error instanceof WrongValue)
    return false
  }
}

let world: World
let factory: RecordFactory
/** Resource and field of each text that a response returned unchanged. */
const intact = new Set<string>()

before(async () => {
  world = await campus({ seeded: { users: 20, locations: 40 } })
  factory = await createRecordFactory(world, registry)
  for (const { name, actions } of registry.resources) if (actions !== embeddedOnly) await factory.find(name)
})
after(() => world.close())

describe('any text that may be written comes back as it was written:', () => {
  for (const [resourceName, { payload, alone }] of Object.entries(FACTORY_DEFINITIONS)) {
    const resource = registry.get(resourceName)
    const names = freeTexts(resource)
    if (!payload || names.length === 0 || resource.actions === embeddedOnly) continue
    const { create, update } = resource.actions
    if (!create || create.onlyBelow) continue
    it(`${resourceName}: ${names.join(', ')}`, async () => {
      const [first, ...others] = TEXTS
      const values = { ...(await payload(factory)), ...(await alone?.(factory)) }
      const made = await sendAccepted(allOf(names, first), (texts) =>
        factory.administrator.post(`/v2/${resourceName}`, { [resource.singular]: { ...values, ...texts } }),
      )
      assert.equal(made.answer.status, 201, made.answer.text)
      const { id } = unwrapped(registry, resourceName, made.answer.json)
      await readBack(resource, id, made.texts)
      if (!update) return
      for (const text of [...others, 'a'.repeat(Math.min(60_000, 900_000 / names.length))]) {
        const asDocument = text === TEXTS[2]
        const { texts } = await sendAccepted(allOf(names, text), (attributes) =>
          asDocument
            ? write(factory.administrator, 'PATCH', `/v2/${resourceName}/${id}`, {
                data: { type: resourceName, id: String(id), attributes },
              })
            : factory.administrator.patch(`/v2/${resourceName}/${id}`, { [resource.singular]: attributes }),
        )
        await readBack(resource, id, texts)
      }
    })
  }

  it('which are many', () => assert.ok(intact.size >= 50, [...intact].join(', ')))
})

const allOf = (names: readonly string[], text: string): Texts => Object.fromEntries(names.map((name) => [name, text]))

/**
 * Sends the texts, and omits the fields that a 422 names, until the rest is accepted. Any other refusal fails the test.
 */
async function sendAccepted(texts: Texts, send: (texts: Texts) => Promise<Response>) {
  for (let left = texts; ; ) {
    const answer = await send(left)
    if (answer.status < 300) return { answer, texts: left }
    assert.equal(answer.status, 422, answer.text.slice(0, 500))
    const { errors } = answer.json
    const refused = Array.isArray(errors) ? errors.map(({ meta }) => meta?.field) : Object.keys(errors)
    const retained = Object.entries(left).filter(([name]) => !refused.includes(name))
    assert.ok(retained.length < Object.keys(left).length, answer.text.slice(0, 500))
    left = Object.fromEntries(retained)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: records of every resource
const isObject = (value: unknown): value is Record<string, any> => typeof value === 'object' && value !== null

async function readBack({ name: resourceName, singular, wrapped }: Resource, id: number, texts: Texts): Promise<void> {
  const answer = await factory.administrator.get(`/v2/${resourceName}/${id}`)
  assert.equal(answer.status, 200, answer.text)
  const record = wrapped ? answer.json[singular] : answer.json
  for (const [name, text] of Object.entries(texts)) {
    const shown = isObject(record[name]) ? (record[name].link ?? record[name].markdown) : record[name]
    // Responses omit secrets, and values that are only inputs of actions.
    if (shown === undefined || shown === null) continue
    assert.equal(shown, text, `${resourceName}.${name}`)
    intact.add(`${resourceName}.${name}`)
  }
}

describe('whatever the columns hold, every answer is valid JSON:', () => {
  before(async () => {
    for (const resource of registry.resources) await fillWithText(resource)
  })

  for (const route of onePerRepresentation()) {
    it(`GET ${route.path}`, async () => {
      const path = await pathOf(route)
      // The client parses each response, and checks it against the OpenAPI document.
      const plain = await factory.administrator.get(
        route.action === 'index' ? `${path}?${requiredQuery(route)}per_page=${RECORDS}` : path,
      )
      assert.ok(plain.status < 500, plain.text.slice(0, 500))
      const size = route.action === 'index' ? `${requiredQuery(route)}page[size]=${RECORDS}` : ''
      const document = await read(factory.administrator, `${path}?${size}`)
      assert.equal(document.status, plain.status, document.text.slice(0, 500))
      assert.deepEqual(errorsOf(document.json), [])
      if (plain.status !== 200 || route.action === 'query') return
      for (const names of includable(route)) {
        const whole = await read(factory.administrator, `${path}?${size}&include=${names.join(',')}`)
        // A page may include more records than a document may contain.
        assert.ok(whole.status === 200 || whole.status === 400, whole.text.slice(0, 500))
        assert.deepEqual(errorsOf(whole.json), [])
      }
    })
  }
})

/** Number of records. Records whose numbers differ by three have the same text. */
const RECORDS = 12

/**
 * Returns one route per resource, action and representation. Routes below parents share the code that writes records.
 */
function onePerRepresentation(): Route[] {
  const reads = table.filter(({ action }) => ['index', 'show', 'owner', 'query'].includes(action))
  const wayOf = ({ resource, action, path, representation }: Route) =>
    [resource.name, action === 'query' ? path : action, representation].join(' ')
  return [...Map.groupBy(reads, wayOf).values()].map(([first]) => first as Route)
}

/** SQLSTATEs of generated columns, and of columns with a check constraint. */
const TAKES_NO_TEXT = new Set(['428C9', '23514'])

/** Writes the texts into every row of the resource's table, in each column that accepts any text. */
async function fillWithText(resource: Resource): Promise<void> {
  for (const name of Object.keys(resource.fields)) {
    const column = resource.stored(name)
    // Excludes texts that the service acts on: addresses that it calls, and names that it looks up.
    if (!column || column.storing || !takesAnyText(column) || UNTOUCHED.has(`${resource.name}.${name}`)) continue
    const text = `(array[$1, $2, $3])[t.id % 3 + 1]`
    const sql = `update "${resource.table}" t set "${column.column}" = left(${text}, ${Number(kindOf(column).schema.maxLength ?? 500) - 10}) || t.id`
    await world.database.rows(sql, [...TEXTS]).catch((error) => {
      assert.ok(TAKES_NO_TEXT.has(error.code), `${resource.name}.${name}: ${error}`)
    })
  }
}

const UNTOUCHED = new Set(['endpoints.url', 'campus.time_zone'])

/** Returns the names that `include` accepts on a route, in groups of the maximum number per request. */
function includable({ resource, representation = 'record' }: Route): string[][] {
  const names = shapes
    .of(resource, representation)
    .members.filter((member) => member.kind === 'toOne' || member.kind === 'toMany' || member.kind === 'reference')
    .filter((member) => member.kind !== 'reference' || member.target.actions !== embeddedOnly)
    .map(({ name }) => name)
  return Array.from({ length: Math.ceil(names.length / 20) }, (_, at) => names.slice(at * 20, at * 20 + 20))
}

async function pathOf({ path, chain, resource }: Route): Promise<string> {
  let filled = path
  for (const { resource: parent } of chain) {
    const { singular } = registry.get(parent)
    filled = filled.replace(`:${singular}_id`, String(await factory.find(parent)))
  }
  return filled.includes(':id') ? filled.replace(':id', String(await factory.find(resource.name))) : filled
}
