import assert from 'node:assert/strict'
import type { ActionName, Route } from '@campus/engine/rest/route-table'
import { createApplication } from './application.ts'
import type { World } from './campus.ts'
import { FACTORY_DEFINITIONS } from './factory-definitions.ts'
import { filledList } from './filled-list.ts'
import { type RecordFactory, unwrapped } from './record-factory.ts'

/** An endpoint that is to be called as a proper caller would. */
type Trial = { readonly factory: RecordFactory; readonly path: string; readonly route: Route }

/** Throws unless the endpoint answers as it should, with something in it. */
export const attempt = (trial: Trial): Promise<void> => ATTEMPTS[trial.route.action](trial)

const ATTEMPTS: Readonly<Record<ActionName, (trial: Trial) => Promise<void>>> = {
  async owner({ factory, path }) {
    assert.equal((await factory.get(path)).id, factory.owner)
  },

  async index({ factory, path, route }) {
    const { address, caller } = await filledList(factory, path, route)
    const { status, json, headers, text } = await caller.get(address)
    assert.equal(status, 200, text)
    assert.ok(json.length > 0, 'every list that was tried is empty')
    assert.equal(json.length, Math.min(Number(headers.get('x-total')), 30))
  },

  async search({ factory, path, route: { resource } }) {
    const { status, json, headers, text } = await factory.administrator.post(path, { page: { size: 3 } })
    assert.equal(status, 200, text)
    assert.deepEqual([json.length, headers.get('x-per-page')], [3, '3'], resource.name)
  },

  async graph({ factory, path, route }) {
    const list = path.slice(0, path.indexOf('/graph'))
    const { address } = await filledList(factory, list, route)
    const field = route.resource.graph?.fields[0] ?? ''
    const form = path.slice(list.length).replace(':field', field).replace(':interval', 'month')
    const counts: Record<string, number> = await factory.get(address + form)
    assert.ok(
      Object.values(counts).some((count) => count > 0),
      `nothing was counted: ${JSON.stringify(counts)}`,
    )
  },

  async show({ factory, path, route }) {
    const { name } = route.resource
    if (route.chain.length === 0) {
      const id = await factory.find(name)
      const record = await factory.get(path.replace(':id', String(id)))
      assert.equal(unwrapped(factory.registry, name, record).id, id)
      return
    }
    const { address } = await filledList(factory, path.replace('/:id', ''), route)
    const [record] = await factory.get(address)
    assert.deepEqual(await factory.get(`${address}/${record.id}`), record)
  },

  async query({ factory, path, route }) {
    const answer = await factory.get(path.replace(/:\w+/, String(await factory.make(route.resource.name))))
    assert.ok(typeof answer === 'object' && answer !== null)
  },

  async create({ factory, path, route: { resource } }) {
    const { address, supplied } = await belowNew(factory, path)
    const payload = Object.entries(await payloadOf(factory, resource.name)).filter(([name]) => !(name in supplied))
    const body = { [resource.singular]: Object.fromEntries(payload) }
    const { status, headers, json, text } = await factory.administrator.post(address, body)
    assert.equal(status, 201, text)
    const { id } = unwrapped(factory.registry, resource.name, json)
    assert.equal(headers.get('location'), `${factory.world.url}/v2/${resource.name}/${id}`)
    const record = unwrapped(factory.registry, resource.name, await factory.get(`/v2/${resource.name}/${id}`))
    for (const [name, value] of Object.entries(supplied)) if (name in record) assert.equal(record[name], value, name)
  },

  async bulk({ factory, path, route: { resource } }) {
    const payloads = [await payloadOf(factory, resource.name), await payloadOf(factory, resource.name)]
    const { status, json, text } = await factory.administrator.post(path, { [resource.name]: payloads })
    assert.equal(status, 201, text)
    assert.equal(json.length, payloads.length)
  },

  async update({ factory, path, route: { method, resource } }) {
    const { address, supplied } = await belowNew(factory, path)
    const change = FACTORY_DEFINITIONS[resource.name]?.change
    assert.ok(change, `nothing is known to change of ${resource.name}`)
    const [id, values] = [await factory.make(resource.name, supplied), await change(factory)]
    const body = { [resource.singular]: values }
    const { status, text } = await factory.administrator.request(method, address.replace(':id', String(id)), { body })
    assert.equal(status, 204, text)
    const record = unwrapped(factory.registry, resource.name, await factory.get(`/v2/${resource.name}/${id}`))
    for (const [name, value] of Object.entries(values)) if (name in record) assert.deepEqual(record[name], value, name)
  },

  async member({ factory, path, route: { method, resource } }) {
    const address = path.replace(':id', String(await factory.make(resource.name)))
    // A record that is created closed must be opened before it can be closed.
    if (path.endsWith('/close')) await factory.administrator.request(method, address.replace(/close$/, 'unclose'))
    const { status, text } = await factory.administrator.request(method, address)
    assert.equal(status, 204, text)
  },

  async destroy({ factory, path, route: { resource } }) {
    const address = path.replace(':id', String(await factory.make(resource.name)))
    const { status, text } = await factory.administrator.delete(address)
    assert.equal(status, 204, text)
    assert.equal((await factory.administrator.get(address)).status, 404)
  },
}

/** The same for OAuth: a token is granted, and tells about itself. */
export async function attemptSignOn(world: World, method: string, path: string): Promise<void> {
  const { uid, secret } = await world.database.transaction((tx) => createApplication(tx, { name: 'Reader' }))
  const body = { grant_type: 'client_credentials', client_id: uid, client_secret: secret }
  const granted = await world.anonymous.post('/oauth/token', body)
  assert.equal(granted.status, 200, granted.text)
  if (method === 'POST') return
  const authorization = `Bearer ${granted.json.access_token}`
  const { status, json } = await world.anonymous.get(path, { authorization })
  assert.deepEqual([status, json.application.uid], [200, uid])
}

async function payloadOf(factory: RecordFactory, resource: string): Promise<Readonly<Record<string, unknown>>> {
  const payload = FACTORY_DEFINITIONS[resource]?.payload
  assert.ok(payload, `there is no payload for ${resource}`)
  return payload(factory)
}

/** The path below new records, and the values that it supplies. */
async function belowNew(factory: RecordFactory, path: string) {
  const supplied: Record<string, number> = {}
  let address = path
  for (const [, parent = '', name = ''] of path.matchAll(/\/(\w+)\/:(\w+_id)(?=\/)/g)) {
    const id = await factory.make(parent)
    supplied[name] = id
    address = address.replace(`:${name}`, String(id))
  }
  return { address, supplied }
}
