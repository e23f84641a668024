import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { campus, type World } from '@campus/test/support/campus'
// @ts-expect-error it comes without types
import DevourModule from 'devour-client'
import JsonaModule from 'jsona'
import Kitsu from 'kitsu'
import { fetch } from 'undici'

// Both are CommonJS, whose default export Node gives as a member.
const Devour = DevourModule.default ?? DevourModule
const Jsona = (JsonaModule as unknown as { default: typeof JsonaModule }).default ?? JsonaModule

// biome-ignore lint/suspicious/noExplicitAny: what the clients give has no types
type Any = any

let world: World
let token: string
let httpsAgent: Agent
let users: number

before(async () => {
  world = await campus({ seeded: true })
  token = String(world.director.token)
  httpsAgent = new Agent({ ca: world.ca })
  users = Number((await world.director.get('/v2/users')).headers.get('x-total'))
})
after(async () => {
  httpsAgent.destroy()
  await world.close()
})

describe('kitsu, as it comes from the registry', () => {
  const api = () =>
    new Kitsu({
      baseURL: `${world.url}/v2`,
      headers: { authorization: `Bearer ${token}` },
      axiosOptions: { httpsAgent },
      camelCaseTypes: false,
      resourceCase: 'none',
      pluralize: false,
    }) as Any

  it('reads one record, with what it includes in its place', async () => {
    const { data } = await api().get('users/1', { params: { include: 'campus.language,cursus_users.cursus' } })
    const plain = (await world.director.get('/v2/users/1')).json
    assert.equal(data.login, plain.login)
    assert.deepEqual(
      data.campus.data.map(({ name }: Any) => name),
      plain.campus.map(({ name }: Any) => name),
    )
    assert.equal(data.campus.data[0].language.data.name, plain.campus[0].language.name)
  })

  it('walks the whole of a collection by its next links', async () => {
    const seen = new Set<string>()
    for (let number = 1; ; number += 1) {
      const { data, links, meta } = await api().get('users', { params: { page: { number, size: 20 }, sort: 'id' } })
      for (const { id } of data) seen.add(id)
      assert.equal(meta.total, users)
      if (!links.next) break
    }
    assert.equal(seen.size, users)
  })

  it('filters and leaves fields out', async () => {
    const { data } = await api().get('users', {
      params: { filter: { kind: 'admin' }, fields: { users: 'login,kind' } },
    })
    assert.ok(data.length > 0)
    for (const user of data) assert.deepEqual([user.kind, 'email' in user], ['admin', false])
  })

  it('creates, changes and removes a record', async () => {
    const created = await api().create('locations', {
      host: 'kitsu-1',
      user: { data: { type: 'users', id: '1' } },
      campus: { data: { type: 'campus', id: '1' } },
    })
    assert.equal(created.status, 201)
    assert.equal(created.data.host, 'kitsu-1')
    const { id } = created.data
    const updated = await api().update('locations', { id, host: 'kitsu-2' })
    assert.equal(updated.data.host, 'kitsu-2')
    assert.equal((await world.director.get(`/v2/locations/${id}`)).json.host, 'kitsu-2')
    assert.equal((await api().remove('locations', id)).status, 204)
    assert.equal((await world.director.get(`/v2/locations/${id}`)).status, 404)
  })

  it('is told what is wrong, and where', async () => {
    await assert.rejects(api().create('locations', { hots: 'kitsu-3' }), (error: Any) => {
      const pointers = error.errors.map(({ source, detail }: Any) => [source.pointer, detail])
      assert.deepEqual(pointers[0], ['/data/attributes/hots', 'hots is not accepted; did you mean "host"?'])
      return true
    })
  })
})

describe('devour-client, as it comes from the registry', () => {
  function api(): Any {
    const client = new Devour({ apiUrl: `${world.url}/v2`, bearer: token, logger: false, pluralize: false })
    client.axios = client.axios.create({ httpsAgent })
    client.define('users', { login: '', campus: { jsonApi: 'hasMany', type: 'campus' } })
    client.define('campus', { name: '', language: { jsonApi: 'hasOne', type: 'languages' } })
    client.define('languages', { name: '', identifier: '' })
    client.define('cursus', { name: '' })
    client.define('locations', {
      host: '',
      user: { jsonApi: 'hasOne', type: 'users' },
      campus: { jsonApi: 'hasOne', type: 'campus' },
    })
    client.define('topics', {
      name: '',
      kind: '',
      language: { jsonApi: 'hasOne', type: 'languages' },
      author: { jsonApi: 'hasOne', type: 'users' },
      tags: { jsonApi: 'hasMany', type: 'tags' },
    })
    client.define('tags', { name: '' })
    return client
  }

  it('finds a record with what it includes', async () => {
    const { data } = await api().find('users', 1, { include: 'campus' })
    const plain = (await world.director.get('/v2/users/1')).json
    assert.equal(data.login, plain.login)
    assert.deepEqual(
      data.campus.map(({ name }: Any) => name),
      plain.campus.map(({ name }: Any) => name),
    )
  })

  it('finds a page of a collection, with totals', async () => {
    const { data, meta, links } = await api().findAll('users', { page: { number: 2, size: 30 }, sort: 'id' })
    const plain = (await world.director.get('/v2/users?page=2&sort=id')).json
    assert.deepEqual(
      data.map(({ login }: Any) => login),
      plain.map(({ login }: Any) => login),
    )
    assert.equal(meta.total, users)
    assert.match(links.prev, /page%5Bnumber%5D=1$/)
  })

  it('creates, changes and removes a record with its relationships', async () => {
    const client = api()
    const created = await client.create('locations', { host: 'devour-1', user: { id: '2' }, campus: { id: '1' } })
    assert.equal(created.data.host, 'devour-1')
    const { id } = created.data
    const changed = await client.update('locations', { id, host: 'devour-2', user: { id: '3' } })
    assert.equal(changed.data.host, 'devour-2')
    const plain = (await world.director.get(`/v2/locations/${id}`)).json
    assert.deepEqual([plain.host, plain.user.id], ['devour-2', 3])
    await client.destroy('locations', id)
    assert.equal((await world.director.get(`/v2/locations/${id}`)).status, 404)
  })

  it('replaces a list of associations', async () => {
    const client = api()
    client.headers.authorization = `Bearer ${(await world.caller({ user: 1, roles: ['Moderator'], scopes: ['public', 'forum'] })).token}`
    client.bearer = null
    const [one, other] = (await world.director.get('/v2/tags')).json
    const topic = await client.create('topics', {
      name: 'Who has my notebook?',
      kind: 'normal',
      language: { id: '1' },
      author: { id: '1' },
      tags: [{ id: String(one.id) }],
    })
    const changed = await client.update('topics', { id: topic.data.id, tags: [{ id: String(other.id) }] })
    assert.deepEqual(
      changed.data.tags.map(({ id }: Any) => id),
      [String(other.id)],
    )
  })

  it('is told what is wrong, and where', async () => {
    await assert.rejects(api().create('locations', { host: 'x' }), (error: Any) => {
      assert.match(inspect(error), /can't be blank/)
      return true
    })
  })
})

describe('jsona, as it comes from the registry', () => {
  const jsona = new (Jsona as Any)()
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(world.url + path, {
      method,
      dispatcher: world.agent,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as object }
  }

  it('makes objects of a page with what it includes', async () => {
    const { json } = await send('GET', '/v2/locations?include=user,campus&page[size]=3')
    const locations = jsona.deserialize(json)
    const plain = (await world.director.get('/v2/locations?per_page=3')).json
    assert.deepEqual(
      locations.map(({ host, user, campus: seat }: Any) => [host, user.login, seat.id]),
      plain.map(({ host, user, campus_id }: Any) => [host, user.login, String(campus_id)]),
    )
  })

  it('reads a record, changes it and sends it back', async () => {
    const made = await send('POST', '/v2/locations', {
      ...jsona.serialize({
        stuff: {
          type: 'locations',
          host: 'jsona-1',
          user: { type: 'users', id: '1' },
          campus: { type: 'campus', id: '1' },
          relationshipNames: ['user', 'campus'],
        },
      }),
    })
    assert.equal(made.status, 201, JSON.stringify(made.json))
    const location = jsona.deserialize(made.json)
    const changed = await send(
      'PATCH',
      `/v2/locations/${location.id}`,
      jsona.serialize({ stuff: { ...location, host: 'jsona-2' } }),
    )
    assert.equal(changed.status, 200, JSON.stringify(changed.json))
    assert.equal(jsona.deserialize(changed.json).host, 'jsona-2')
  })
})
