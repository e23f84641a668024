import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { campus, type World } from '@campus/test/support/campus'
import { rowCounts } from '@campus/test/support/database-contents'
import { createRecordFactory, type RecordFactory } from '@campus/test/support/record-factory'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()
const JSON_API = { 'content-type': 'application/vnd.api+json' }

const isNestedWrite = ({ action, chain }: Route) => (action === 'create' || action === 'update') && chain.length > 0
/** The columns that the path says and a payload may repeat. */
const columnsOf = ({ chain, resource }: Route): readonly string[] =>
  chain
    .map(({ association }) => association)
    .filter((association) => typeof association === 'string')
    .filter((column) => resource.payload?.accepts.includes(column))

/** Other fields are refused in any case. */
const nested = routeTable(registry).filter((route) => isNestedWrite(route) && columnsOf(route).length > 0)

describe('a parent in the payload that contradicts the path', () => {
  let world: World
  let factory: RecordFactory

  before(async () => {
    world = await campus({ seeded: true })
    factory = await createRecordFactory(world, registry)
  })
  after(() => world.close())

  /** The route's path below records that are there, and which they are. */
  async function pathOf({ chain, path, resource, action }: Route) {
    const ids = new Map<string, number>()
    for (const { resource: parent, association } of chain) ids.set(String(association), await factory.find(parent))
    const values = Object.fromEntries(ids)
    const named = chain.reduce(
      (text, { resource: parent, association }) =>
        text.replace(`:${registry.get(parent).singular}_id`, String(ids.get(String(association)))),
      path,
    )
    if (action === 'create') return { path: named, ids }
    return { path: named.replace(':id', String(await factory.make(resource.name, values))), ids }
  }

  for (const route of nested) {
    it(`is refused by ${route.method} ${route.path}`, async () => {
      const { path, ids } = await pathOf(route)
      const before = await rowCounts(world.database)
      for (const column of columnsOf(route)) {
        const id = ids.get(column) as number
        for (const other of [id + 1, String(id + 1)]) {
          const body = { [route.resource.singular]: { [column]: other } }
          const { status, json, text } = await factory.administrator.request(route.method, path, { body })
          assert.equal(status, 422, text)
          assert.deepEqual(json.errors[column], [`must be ${id} or left out, since the path says so`])
        }
        const repeated = await factory.administrator.request(route.method, path, {
          body: { [route.resource.singular]: { [column]: String(id), nonsense: 1 } },
        })
        assert.equal(repeated.json.errors[column], undefined, repeated.text)
      }
      assert.deepEqual(await rowCounts(world.database), before)
    })
  }

  it('is refused at its place in a document of JSON:API', async () => {
    const [user, other] = [await world.build.user(), await world.build.user()]
    const [campus] = (await factory.list('/v2/campus')) as [{ id: number }]
    const data = {
      type: 'locations',
      attributes: { host: 'c1r1p1' },
      relationships: {
        user: { data: { type: 'users', id: String(other) } },
        campus: { data: { type: 'campus', id: String(campus.id) } },
      },
    }
    const refused = await factory.administrator.request('POST', `/v2/users/${user}/locations`, {
      body: { data },
      headers: JSON_API,
    })
    assert.equal(refused.status, 422, refused.text)
    assert.deepEqual(refused.json.errors[0].source, { pointer: '/data/relationships/user' })
    const { user: _, ...relationships } = data.relationships
    const created = await factory.administrator.request('POST', `/v2/users/${user}/locations`, {
      body: { data: { ...data, relationships } },
      headers: JSON_API,
    })
    assert.equal(created.status, 201, created.text)
    const id = created.json.data.id
    const moved = await factory.administrator.request('PATCH', `/v2/users/${user}/locations/${id}`, {
      body: { data: { type: 'locations', id, relationships: { user: data.relationships.user } } },
      headers: JSON_API,
    })
    assert.equal(moved.status, 422, moved.text)
    const misnamed = await factory.administrator.request('PATCH', `/v2/users/${user}/locations/${id}`, {
      body: { data: { type: 'locations', id: String(Number(id) + 1), attributes: { host: 'c1r1p2' } } },
      headers: JSON_API,
    })
    assert.equal(misnamed.status, 409, misnamed.text)
  })

  it('is refused in an element that is written with its record', async () => {
    const [user, other] = [await world.build.user(), await world.build.user()]
    const [cursus] = (await factory.list('/v2/cursus')) as [{ id: number }]
    const element = { cursus_id: cursus.id, user_id: other }
    const path = `/v2/users/${user}`
    const refused = await factory.administrator.patch(path, { user: { cursus_users_attributes: [element] } })
    assert.equal(refused.status, 422, refused.text)
    assert.deepEqual(refused.json.errors, {
      'cursus_users_attributes[0].user_id': [`must be ${user} or left out, since the record around it says so`],
    })
    const repeated = { ...element, user_id: String(user) }
    assert.equal(
      (await factory.administrator.patch(path, { user: { cursus_users_attributes: [repeated] } })).status,
      204,
    )
  })
})
