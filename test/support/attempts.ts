import assert from 'node:assert/strict'
import type { ActionName, Route } from '@campus/engine/rest/route-table'
import { createApplication } from './application.ts'
import type { World } from './campus.ts'
import { filledList } from './filled-list.ts'
import { type OpenKitchen, unwrapped } from './kitchen.ts'
import { RECIPES } from './recipes.ts'

/** An endpoint that is to be called as a proper caller would. */
type Trial = { readonly kitchen: OpenKitchen; readonly path: string; readonly route: Route }

/** Throws unless the endpoint answers as it should, with something in it. */
export const attempt = (trial: Trial): Promise<void> => ATTEMPTS[trial.route.action](trial)

const ATTEMPTS: Readonly<Record<ActionName, (trial: Trial) => Promise<void>>> = {
  async owner({ kitchen, path }) {
    assert.equal((await kitchen.get(path)).id, kitchen.owner)
  },

  async index({ kitchen, path, route }) {
    const { address, caller } = await filledList(kitchen, path, route)
    const { status, json, headers, text } = await caller.get(address)
    assert.equal(status, 200, text)
    assert.ok(json.length > 0, 'every list that was tried is empty')
    assert.equal(json.length, Math.min(Number(headers.get('x-total')), 30))
  },

  async search({ kitchen, path, route: { resource } }) {
    const { status, json, headers, text } = await kitchen.chef.post(path, { page: { size: 3 } })
    assert.equal(status, 200, text)
    assert.deepEqual([json.length, headers.get('x-per-page')], [3, '3'], resource.name)
  },

  async graph({ kitchen, path, route }) {
    const list = path.slice(0, path.indexOf('/graph'))
    const { address } = await filledList(kitchen, list, route)
    const field = route.resource.graph?.fields[0] ?? ''
    const form = path.slice(list.length).replace(':field', field).replace(':interval', 'month')
    const counts: Record<string, number> = await kitchen.get(address + form)
    assert.ok(
      Object.values(counts).some((count) => count > 0),
      `nothing was counted: ${JSON.stringify(counts)}`,
    )
  },

  async show({ kitchen, path, route }) {
    const { name } = route.resource
    if (route.chain.length === 0) {
      const id = await kitchen.find(name)
      const record = await kitchen.get(path.replace(':id', String(id)))
      assert.equal(unwrapped(kitchen.registry, name, record).id, id)
      return
    }
    const { address } = await filledList(kitchen, path.replace('/:id', ''), route)
    const [record] = await kitchen.get(address)
    assert.deepEqual(await kitchen.get(`${address}/${record.id}`), record)
  },

  async query({ kitchen, path, route }) {
    const answer = await kitchen.get(path.replace(/:\w+/, String(await kitchen.make(route.resource.name))))
    assert.ok(typeof answer === 'object' && answer !== null)
  },

  async create({ kitchen, path, route: { resource } }) {
    const { address, supplied } = await belowNew(kitchen, path)
    const payload = Object.entries(await payloadOf(kitchen, resource.name)).filter(([name]) => !(name in supplied))
    const body = { [resource.singular]: Object.fromEntries(payload) }
    const { status, headers, json, text } = await kitchen.chef.post(address, body)
    assert.equal(status, 201, text)
    const { id } = unwrapped(kitchen.registry, resource.name, json)
    assert.equal(headers.get('location'), `${kitchen.world.url}/v2/${resource.name}/${id}`)
    const record = unwrapped(kitchen.registry, resource.name, await kitchen.get(`/v2/${resource.name}/${id}`))
    for (const [name, value] of Object.entries(supplied)) if (name in record) assert.equal(record[name], value, name)
  },

  async bulk({ kitchen, path, route: { resource } }) {
    const payloads = [await payloadOf(kitchen, resource.name), await payloadOf(kitchen, resource.name)]
    const { status, json, text } = await kitchen.chef.post(path, { [resource.name]: payloads })
    assert.equal(status, 201, text)
    assert.equal(json.length, payloads.length)
  },

  async update({ kitchen, path, route: { method, resource } }) {
    const { address, supplied } = await belowNew(kitchen, path)
    const change = RECIPES[resource.name]?.change
    assert.ok(change, `nothing is known to change of ${resource.name}`)
    const [id, values] = [await kitchen.make(resource.name, supplied), await change(kitchen)]
    const body = { [resource.singular]: values }
    const { status, text } = await kitchen.chef.request(method, address.replace(':id', String(id)), { body })
    assert.equal(status, 204, text)
    const record = unwrapped(kitchen.registry, resource.name, await kitchen.get(`/v2/${resource.name}/${id}`))
    for (const [name, value] of Object.entries(values)) if (name in record) assert.deepEqual(record[name], value, name)
  },

  async member({ kitchen, path, route: { method, resource } }) {
    const address = path.replace(':id', String(await kitchen.make(resource.name)))
    // What is closed from the start can be closed again only once it has been opened.
    if (path.endsWith('/close')) await kitchen.chef.request(method, address.replace(/close$/, 'unclose'))
    const { status, text } = await kitchen.chef.request(method, address)
    assert.equal(status, 204, text)
  },

  async destroy({ kitchen, path, route: { resource } }) {
    const address = path.replace(':id', String(await kitchen.make(resource.name)))
    const { status, text } = await kitchen.chef.delete(address)
    assert.equal(status, 204, text)
    assert.equal((await kitchen.chef.get(address)).status, 404)
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

async function payloadOf(kitchen: OpenKitchen, resource: string): Promise<Readonly<Record<string, unknown>>> {
  const payload = RECIPES[resource]?.payload
  assert.ok(payload, `there is no payload for ${resource}`)
  return payload(kitchen)
}

/** The path below new records, and the values that it supplies. */
async function belowNew(kitchen: OpenKitchen, path: string) {
  const supplied: Record<string, number> = {}
  let address = path
  for (const [, parent = '', name = ''] of path.matchAll(/\/(\w+)\/:(\w+_id)(?=\/)/g)) {
    const id = await kitchen.make(parent)
    supplied[name] = id
    address = address.replace(`:${name}`, String(id))
  }
  return { address, supplied }
}
