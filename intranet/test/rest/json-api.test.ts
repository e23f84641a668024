import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { errorsOf, JSON_API, read, write } from '@campus/test/support/json-api'

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into at every depth
type Part = any

let world: World
let lyon: number
let cursus: number
let ada: number
let ben: number
let seats: number[]

before(async () => {
  world = await campus()
  const { build } = world
  lyon = await build.campus({ name: 'Lyon', slug: 'lyon' })
  cursus = await build.cursus({ name: 'Forty-two', slug: '42' })
  ada = await build.user({ login: 'ada' })
  ben = await build.user({ login: 'ben' })
  for (const user_id of [ada, ben]) {
    await build.record('campus_users', { user_id, campus_id: lyon, is_primary: true })
    await build.record('cursus_users', { user_id, cursus_id: cursus, begin_at: '2025-01-01T00:00:00Z' })
  }
  seats = []
  for (const user_id of [ada, ada, ben, ben, ben]) {
    seats.push(await build.location({ user_id, campus_id: lyon, begin_at: '2026-01-01T00:00:00Z' }))
  }
})
after(() => world.close())

/** The one error of a refusal, which is a document by the rules. */
function errorOf(answer: Response, status: number): Part {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), JSON_API)
  assert.deepEqual(errorsOf(answer.json), [])
  assert.equal(answer.json.errors.length, 1, answer.text)
  assert.equal(answer.json.errors[0].status, String(status))
  return answer.json.errors[0]
}

let hosts = 0
const newHost = () => {
  hosts += 1
  return `h${hosts}`
}

const _location = (extra: object = {}, host = newHost()) => ({
  data: {
    type: 'locations',
    attributes: { host },
    relationships: {
      user: { data: { type: 'users', id: String(ada) } },
      campus: { data: { type: 'campus', id: String(lyon) } },
    },
    ...extra,
  },
})

const _count = async (table: string) => Number((await world.database.rows(`select count(*) from ${table}`))[0]?.[0])

describe('include', () => {
  test('follows what the form does not embed, as far as the caller may see it', async () => {
    const { json } = await read(world.visitor, `/v2/locations/${seats[0]}?include=user.cursus_users.cursus,user.campus`)
    assert.deepEqual(errorsOf(json), [])
    const names = json.included.map(({ type }: Part) => type).sort()
    assert.deepEqual(names, ['campus', 'cursus', 'cursus_users', 'users'])
  })

  test('never shows what the page of a closed account hides', async () => {
    const closed = await world.build.user({ login: 'gone', closed_at: '2026-01-01T00:00:00Z' })
    await world.build.record('campus_users', { user_id: closed, campus_id: lyon, is_primary: true })
    const path = `/v2/users?filter[login]=gone,ada&sort=login&include=campus`
    const [shown, hidden] = (await read(world.visitor, path)).json.data
    assert.equal(shown.relationships.campus.data.length, 1)
    assert.deepEqual([hidden.id, hidden.relationships], [String(closed), undefined])
    const [, forStaff] = (await read(world.staff, path)).json.data
    assert.equal(forStaff.relationships.campus.data.length, 1)
  })

  test('a path that is for others is 403', async () => {
    const path = '/v2/campus/lyon?include=endpoint.campus'
    assert.match(errorOf(await read(world.visitor, path), 403).detail, /Basic Staff/)
    assert.equal((await read(world.staff, path)).status, 200)
    assert.equal((await read(world.visitor, '/v2/campus/lyon?include=endpoint')).status, 200)
  })

  test('follows lists of ids as it follows one', async () => {
    const event = {
      name: 'Open day',
      description: 'Come in',
      kind: 'event',
      begin_at: '2026-04-01',
      end_at: '2026-04-02',
    }
    const relationships = {
      campus: { data: [{ type: 'campus', id: String(lyon) }] },
      cursus: { data: [{ type: 'cursus', id: String(cursus) }] },
    }
    const document = { data: { type: 'events', attributes: event, relationships } }
    const made = await write(world.director, 'POST', '/v2/events?include=campus,cursus', document)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(errorsOf(made.json), [])
    assert.deepEqual(
      [made.json.data.relationships.campus, made.json.data.relationships.cursus],
      [relationships.campus, relationships.cursus],
    )
    assert.equal(made.json.data.attributes.campus_ids, undefined)
    assert.deepEqual(made.json.included.map(({ type, id }: Part) => `${type} ${id}`).sort(), [
      `campus ${lyon}`,
      `cursus ${cursus}`,
    ])
    const project_id = await world.build.record('projects', { name: 'Robot', slug: 'robot' })
    await world.build.record('projects_cursus', { project_id, cursus_id: cursus })
    await world.build.record('projects_users', { project_id, user_id: ada })
    const project_session_id = await world.build.record('project_sessions', { project_id })
    const { json } = await read(world.visitor, '/v2/projects_users?include=cursus')
    assert.deepEqual(json.data[0].relationships.cursus.data, relationships.cursus.data)
    assert.equal(json.included[0].attributes.slug, '42')
    const open = await read(world.visitor, '/v2/users/ada/projects_users/registration?include=project_session')
    assert.deepEqual(errorsOf(open.json), [])
    assert.deepEqual(open.json.meta, { total: 1, page: 1, per_page: 30 })
    const session = { type: 'project_sessions', id: String(project_session_id) }
    assert.deepEqual(open.json.data[0].relationships.project_session.data, session)
    assert.deepEqual([open.json.included[0].type, open.json.included[0].id], [session.type, session.id])
  })
})

describe('a record', () => {
  test('has no attribute that JSON:API does not allow a name of', async () => {
    const { data } = (await read(world.visitor, `/v2/users/${ada}`)).json
    assert.equal(data.attributes.active, true)
    assert.equal(data.attributes.staff, false)
    assert.ok(!Object.keys(data.attributes).some((name) => name.includes('?')))
  })

  test('has a relationship for each id of another record, and null where there is none', async () => {
    const { relationships, attributes } = (await read(world.visitor, `/v2/locations/${seats[0]}`)).json.data
    assert.deepEqual(relationships.campus, {
      links: { related: `${world.url}/v2/campus/${lyon}` },
      data: { type: 'campus', id: String(lyon) },
    })
    assert.equal(attributes.campus_id, undefined)
    const { data } = (await read(world.director, `/v2/closes/${await close(ben)}`)).json
    assert.deepEqual(data.relationships.closer, { data: null })
  })

  const close = (user_id: number) =>
    world.build.record('closes', { user_id, kind: 'other', reason: 'x', state: 'unclose' })
})

describe('a document that is written', () => {
  test('removes a relationship by null and moves it by another id', async () => {
    const badge = await world.build.record('tags', { name: 'robots', kind: 'general' })
    const membership = {
      tag: { data: { type: 'tags', id: String(badge) } },
      user: { data: { type: 'users', id: String(ada) } },
    }
    const made = await write(world.director, 'POST', '/v2/tags_users', {
      data: {
        type: 'tags_users',
        relationships: { ...membership, campus: { data: { type: 'campus', id: String(lyon) } } },
      },
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.json.data
    const change = (relationships: object) =>
      write(world.director, 'PATCH', `/v2/tags_users/${id}`, { data: { type: 'tags_users', id, relationships } })
    assert.equal((await change({ campus: { data: null } })).json.data.relationships.campus.data, null)
    const moved = await change({ user: { data: { type: 'users', id: String(ben) } } })
    assert.equal(moved.json.data.relationships.user.data.id, String(ben))
  })
})

describe('parameters', () => {
  test('that are wrong are named in the source', async () => {
    for (const [query, parameter] of [
      ['filter[logn]=x', 'filter[logn]'],
      ['filter[id]=x', 'filter[id]'],
      ['range[id]=1', 'range[id]'],
      ['range[idd]=1,2', 'range[idd]'],
      ['sort=logn', 'sort'],
      ['page[number]=0', 'page'],
      ['per_page=many', 'per_page'],
      ['search[logn]=x', 'search[logn]'],
    ]) {
      const { source, links } = errorOf(await read(world.visitor, `/v2/users?${query}`), 400)
      assert.deepEqual(source, { parameter }, query)
      assert.equal(links.about, `${world.url}/apidoc/users`)
    }
  })
})

describe('refusals on the plain wire', () => {
  const messageOf = async (path: string, client: Client = world.visitor) => (await client.get(path)).json.message

  test('name what was probably meant', async () => {
    assert.match(await messageOf('/v2/users?filter[logn]=x'), /\]\. Did you mean "login"\?$/)
    assert.match(await messageOf('/v2/users?sort=-creatd_at'), /\]\. Did you mean "created_at"\?$/)
    assert.match(await messageOf('/v2/users?range[creatd_at]=,'), /\]\. Did you mean "created_at"\?$/)
    assert.match(await messageOf('/v2/users/graph/on/creatd_at'), /\. Did you mean "created_at"\?$/)
    assert.match(await messageOf('/v2/users/graph/on/created_at/by/weak'), /\. Did you mean "week"\?$/)
    assert.equal(
      await messageOf('/v2/users/ada/locatoins?sort=id'),
      'There is nothing at /v2/users/ada/locatoins. The routes are listed in /v2/openapi.json.',
    )
    const { json } = await world.director.post('/v2/locations', { location: { hots: 'x', user_id: 1, campus_id: 1 } })
    assert.deepEqual(json.errors.hots, ['is not accepted; did you mean "host"?'])
    const passed = await world.director.post('/v2/projects_users', { projects_user: { 'validatd?': true } })
    assert.deepEqual(passed.json.errors['validatd?'], ['is not accepted; did you mean "validated?"?'])
    const wrapped = await world.director.post('/v2/locations', { locations: {} })
    assert.match(wrapped.json.message, /under "location"\. What is under "locations" is not read\.$/)
  })

  test('lead to the reference, except where the fault is ours', async () => {
    const linkOf = async (path: string, client: Client = world.visitor) => (await client.get(path)).headers.get('link')
    assert.equal(await linkOf('/v2/users?sort=x'), `<${world.url}/apidoc/users>; rel="help"`)
    assert.equal(await linkOf('/v2/endpoints'), `<${world.url}/apidoc/endpoints>; rel="help"`)
    assert.equal(await linkOf('/v2/nothing'), `<${world.url}/apidoc>; rel="help"`)
    assert.equal(await linkOf('/v2/users', world.anonymous), `<${world.url}/apidoc/users>; rel="help"`)
    assert.equal(await linkOf('/oauth/token/info', world.anonymous), `<${world.url}/apidoc/oauth>; rel="help"`)
    assert.equal(await linkOf('/v2/oauth/token'), `<${world.url}/apidoc/oauth>; rel="help"`)
    const helpOf = ({ headers }: Response) => headers.get('link')
    assert.equal(helpOf(await world.visitor.delete('/v2/users')), `<${world.url}/apidoc/users>; rel="help"`)
    for (const body of [{}, { grant_type: 'password' }, { grant_type: 'client_credentials', client_id: 'x' }])
      assert.equal(helpOf(await world.anonymous.post('/oauth/token', body)), `<${world.url}/apidoc/oauth>; rel="help"`)
  })

  test('of a body say where it goes wrong, or how much is taken', async () => {
    const send = async (body: string) =>
      (await world.director.post('/v2/locations', body, { 'content-type': 'application/json' })).json.message
    assert.equal(await send('{"location": {'), 'The body is not valid JSON at line 1, column 15.')
    assert.equal(await send('{"location":\n {"host": "a",}}'), 'The body is not valid JSON at line 2, column 15.')
    assert.equal(await send('{"location": '), 'The body is not valid JSON: it ends too early.')
    assert.equal(await send('secret-password'), 'The body is not valid JSON.')
    const tooMuch = JSON.stringify({ location: { host: 'a'.repeat(1_048_576) } })
    assert.equal(
      await send(tooMuch),
      'The body is larger than this service accepts: 1048576 bytes at most. Files go as multipart/form-data.',
    )
  })
})
