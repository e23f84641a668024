import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { Registry } from '@campus/engine/rest/declare/registry'
import { Shapes } from '@campus/engine/rest/json-api/shapes'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { campus, type World } from '@campus/test/support/campus'
import type { Response } from '@campus/test/support/client'
import { FACTORY_DEFINITIONS } from '@campus/test/support/factory-definitions'
import { errorsOf, JSON_API, read, write } from '@campus/test/support/json-api'
import { createRecordFactory, type RecordFactory, unwrapped } from '@campus/test/support/record-factory'
import { requiredQuery } from '@campus/test/support/required-query'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)
const shapes = new Shapes(registry)
const table = routeTable(registry)
const declared = registry.resources.filter(({ actions }) => actions !== embeddedOnly)

type Identifier = { readonly type: string; readonly id: string }
type Relationship = { readonly links?: { readonly related: string }; readonly data?: Identifier | Identifier[] | null }

let world: World
let factory: RecordFactory

before(async () => {
  world = await campus({ seeded: true })
  factory = await createRecordFactory(world, registry)
  for (const { name } of declared) await factory.find(name)
})
after(() => world.close())

/** Checks a document against the rules of JSON:API. The test client also checks it against the OpenAPI document. */
function assertDocument(answer: Response, place: string, hasFields = false): void {
  assert.equal(answer.headers.get('content-type'), JSON_API, place)
  assert.deepEqual(errorsOf(answer.json, { hasFields }), [], place)
}

const relationshipsOf = (route: Route) =>
  shapes
    .of(route.resource, route.representation ?? 'record')
    .members.filter((member) => member.kind === 'toOne' || member.kind === 'toMany' || member.kind === 'reference')
    .filter((member) => member.kind !== 'reference' || member.target.actions !== embeddedOnly)

async function pathOf({ path, chain, resource }: Route): Promise<string> {
  let filled = path
  for (const { resource: parent } of chain) {
    const { singular } = registry.get(parent)
    filled = filled.replace(`:${singular}_id`, String(await factory.find(parent)))
  }
  return filled.replace(':id', String(await factory.find(resource.name)))
}

/**
 * Attributes that are not references: a delivery outlives its user, and `webhook_id` is the idempotency id of a call.
 */
const OF_NO_RECORD = ['deliveries.user_id', 'deliveries.webhook_id']

test('no attribute is the id of a record of the service, or a list of such', () => {
  const identified = registry.resources.filter((resource) => resource.stored('id')?.column === 'id')
  const found = identified.flatMap((resource) =>
    ['record', ...Object.keys(resource.representations ?? {})].flatMap((representation) =>
      shapes.of(resource, representation).members.flatMap(({ kind, from }) => {
        const [, resourceName] = /^(\w+?)_ids?$/.exec(from) ?? []
        const isResource = registry.resources.some(
          ({ name, singular }) => name === resourceName || singular === resourceName,
        )
        return isResource && (kind === 'attribute' || kind === 'value') ? [`${resource.name}.${from}`] : []
      }),
    ),
  )
  assert.deepEqual(
    [...new Set(found)].filter((name) => !OF_NO_RECORD.includes(name)),
    [],
  )
})

describe('every list', () => {
  for (const route of table.filter(({ action }) => action === 'index')) {
    test(`${route.path} is a document of what the plain one shows`, async () => {
      const path = await pathOf(route)
      const document = await read(factory.administrator, `${path}?${requiredQuery(route)}page[size]=100`)
      assert.equal(document.status, 200, document.text)
      assertDocument(document, path)
      const plain = await factory.administrator.get(`${path}?${requiredQuery(route)}per_page=100`)
      const ids = plain.json.map((record: unknown) => String(unwrapped(registry, route.resource.name, record).id))
      assert.deepEqual(
        document.json.data.map(({ id }: { id: string }) => id),
        [...new Set(ids)],
      )
      assert.equal(document.json.meta.total, Number(plain.headers.get('x-total')))
    })
  }
})

const idsIn = (linkage: Relationship['data']) => [linkage ?? []].flat().map(({ id }) => id)

describe('every record', () => {
  for (const route of table.filter(({ action }) => action === 'show' || action === 'owner')) {
    test(`${route.path} is a document with every attribute and relationship, alone and with all that it can include`, async () => {
      const path = await pathOf(route)
      const plain = await factory.administrator.get(path)
      const document = await read(factory.administrator, path)
      assert.equal(document.status, plain.status, document.text)
      assertDocument(document, path)
      if (plain.status !== 200) return

      const { members } = shapes.of(route.resource, route.representation ?? 'record')
      const { attributes = {}, relationships = {} } = document.json.data
      assert.deepEqual(
        [...Object.keys(attributes), ...Object.keys(relationships)].sort(),
        members.map(({ name }) => name).sort(),
      )
      const record = route.resource.wrapped ? plain.json[route.resource.singular] : plain.json
      for (const { from, name, kind } of members) {
        if (kind === 'attribute') assert.deepEqual(attributes[name], record[from], `${path} ${name}`)
        if (kind === 'reference')
          assert.deepEqual(idsIn(relationships[name].data), [record[from] ?? []].flat().map(String), `${path} ${name}`)
      }

      const names = relationshipsOf(route).map(({ name }) => name)
      for (let at = 0; at < names.length; at += 20) {
        const whole = await read(factory.administrator, `${path}?include=${names.slice(at, at + 20).join(',')}`)
        assert.equal(whole.status, 200, whole.text)
        assertDocument(whole, path)
        const linked = names.slice(at, at + 20).flatMap((name) => whole.json.data.relationships[name].data ?? [])
        const there = new Set([whole.json.data, ...whole.json.included].map(({ type, id }) => `${type} ${id}`))
        const missing = linked.filter(({ type, id }: { type: string; id: string }) => !there.has(`${type} ${id}`))
        assert.deepEqual(missing, [], `${path} includes what it links`)
      }
    })
  }
})

describe('every related link', () => {
  for (const route of table.filter(({ action, chain }) => action === 'show' && chain.length === 0)) {
    test(`of ${route.path} leads to what the relationship links`, async () => {
      const { data } = (await read(factory.administrator, await pathOf(route))).json
      for (const [name, relationship] of Object.entries(data.relationships ?? {})) {
        const { links, data: linkage } = relationship as Relationship
        if (!links) continue
        const answer = await read(
          factory.administrator,
          `${links.related.slice(world.url.length)}${Array.isArray(linkage) ? '?page[size]=100' : ''}`,
        )
        assert.equal(answer.status, 200, `${name}: ${answer.text}`)
        const there = [answer.json.data].flat().map(({ type, id }) => `${type} ${id}`)
        const linked = [linkage ?? []].flat().map(({ type, id }) => `${type} ${id}`)
        assert.deepEqual(there.sort(), linked.sort(), `${route.path} ${name}`)
      }
    })
  }
})

describe('every creation and change', () => {
  for (const { name, singular, actions } of declared) {
    const definition = FACTORY_DEFINITIONS[name]
    if (actions === embeddedOnly || !actions.create || !definition?.payload || definition.make) continue
    test(`of ${name} takes a document and answers one`, async () => {
      const payload = { ...(await belowWhat(name)), ...(await definition.payload?.(factory)) }
      const made = await write(factory.administrator, 'POST', `/v2/${name}`, { data: documentOf(name, payload) })
      assert.equal(made.status, 201, made.text)
      assertDocument(made, name)
      const isSeveral = actions.create?.performSeveral !== undefined
      assert.equal(Array.isArray(made.json.data), isSeveral)
      const [{ id, links }] = [made.json.data].flat()
      if (!isSeveral) {
        assert.equal(made.headers.get('location'), links.self)
        assert.equal(made.json.links.self, links.self)
      }

      if (!actions.update || !definition.change) return
      const change = { ...(await definition.change(factory)) }
      const changed = await write(factory.administrator, 'PATCH', `/v2/${name}/${id}`, {
        data: { ...documentOf(name, change), id },
      })
      assert.equal(changed.status, 200, `${singular}: ${changed.text}`)
      assertDocument(changed, name)
      assert.deepEqual(changed.json.data, (await read(factory.administrator, `/v2/${name}/${id}`)).json.data)
    })
  }

  /** Returns the values that the path of a parent would give. */
  const belowWhat = async (name: string) =>
    name === 'messages' ? { messageable_id: await factory.find('topics') } : {}

  /** Converts a plain payload to a resource object. Ids of other records become relationships. */
  function documentOf(name: string, payload: Readonly<Record<string, unknown>>) {
    const writables = [...shapes.writablesOf(registry.get(name))]
    const attributes: Record<string, unknown> = {}
    const relationships: Record<string, unknown> = {}
    for (const [field, value] of Object.entries(payload)) {
      const [relation, writable] = writables.find(([, entry]) => entry.payload === field) ?? []
      if (!relation || !writable) attributes[field] = value
      else {
        const link = (id: unknown) => ({ type: writable.target, id: String(id) })
        relationships[relation] = { data: writable.isList ? (value as unknown[]).map(link) : link(value) }
      }
    }
    return { type: name, attributes, relationships }
  }
})

describe('everything that is no record', () => {
  for (const route of table.filter(({ action }) => action === 'graph' || action === 'query')) {
    test(`${route.path} is a document of meta`, async () => {
      const path = (await pathOf(route))
        .replace(':field', route.resource.graph?.default ?? '')
        .replace(':interval', 'day')
      const [document, plain] = [await read(factory.administrator, path), await factory.administrator.get(path)]
      assert.equal(document.status, plain.status, document.text)
      assertDocument(document, path)
      assert.deepEqual(Object.keys(document.json), ['jsonapi', 'links', 'meta'])
    })
  }
})
