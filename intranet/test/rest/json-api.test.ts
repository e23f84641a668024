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

const location = (extra: object = {}, host = newHost()) => ({
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

const count = async (table: string) => Number((await world.database.rows(`select count(*) from ${table}`))[0]?.[0])

describe('which representation', () => {
  test('the content type of a request chooses, or its Accept, and every answer says that it depends on both', async () => {
    for (const header of ['content-type', 'accept']) {
      const answer = await world.visitor.get('/v2/campus/lyon', { [header]: JSON_API })
      assert.equal(answer.headers.get('content-type'), JSON_API)
      assert.equal(answer.json.data.type, 'campus')
      assert.match(answer.headers.get('vary') ?? '', /\bAccept, Content-Type, Accept-Encoding$/)
    }
    const plain = await world.visitor.get('/v2/campus/lyon', { accept: 'application/json' })
    assert.equal(plain.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(plain.json.id, lyon)
    assert.match(plain.headers.get('vary') ?? '', /\bAccept, Content-Type, Accept-Encoding$/)
  })

  test('a parameter that JSON:API does not know is 415 in the content type and 406 in Accept', async () => {
    const wrong = `${JSON_API}; charset=utf-8`
    const unsupported = errorOf(await world.visitor.get('/v2/users', { 'content-type': wrong }), 415)
    assert.deepEqual(unsupported.source, { header: 'Content-Type' })
    const unacceptable = errorOf(await world.visitor.get('/v2/users', { accept: wrong }), 406)
    assert.deepEqual(unacceptable.source, { header: 'Accept' })
    const before = await count('locations')
    errorOf(await write(world.director, 'POST', '/v2/locations', location(), { 'content-type': wrong }), 415)
    assert.equal(await count('locations'), before)
  })

  test('a plain payload may be answered by a document, and a plain client never is', async () => {
    const payload = {
      location: {
        user_id: ada,
        campus_id: lyon,
        host: 'c9r9p9',
        end_at: '2026-02-01T00:00:00Z',
        begin_at: '2026-01-31T00:00:00Z',
      },
    }
    const answer = await world.director.post('/v2/locations', payload, { accept: JSON_API })
    assert.equal(answer.status, 201)
    assert.equal(answer.json.data.attributes.host, 'c9r9p9')
    const plain = await world.director.post('/v2/locations', { location: { ...payload.location, host: 'c9r9p8' } })
    assert.equal(plain.json.host, 'c9r9p8')
  })

  test('a document is not sent again to whoever has it, and is another one than the plain record', async () => {
    const { headers } = await read(world.visitor, '/v2/campus/lyon')
    const etag = String(headers.get('etag'))
    assert.equal((await world.visitor.get('/v2/campus/lyon', { accept: JSON_API, 'if-none-match': etag })).status, 304)
    assert.equal((await world.visitor.get('/v2/campus/lyon', { 'if-none-match': etag })).status, 200)
  })

  test('HEAD answers the headers of the document', async () => {
    const answer = await world.visitor.request('HEAD', '/v2/users', { headers: { accept: JSON_API } })
    assert.deepEqual([answer.status, answer.text, answer.headers.get('content-type')], [200, '', JSON_API])
  })
})

describe('a page', () => {
  test('links to the others in the words of JSON:API, keeps the other parameters and never repeats a token', async () => {
    const query = `filter[campus_id]=${lyon}&sort=id&page[size]=2&page[number]=2&access%5Ftoken=${world.visitor.token}`
    const { json, text } = await read(world.anonymous, `/v2/locations?${query}`)
    assert.deepEqual(errorsOf(json), [])
    const retained = `${world.url}/v2/locations?filter%5Bcampus_id%5D=${lyon}&sort=id&page%5Bsize%5D=2&page%5Bnumber%5D=`
    assert.equal(json.links.self, `${retained}2`)
    assert.equal(json.links.first, `${retained}1`)
    assert.equal(json.links.prev, `${retained}1`)
    assert.equal(json.links.next, `${retained}3`)
    assert.ok(!text.includes(String(world.visitor.token)))
    assert.deepEqual([json.meta.page, json.meta.per_page], [2, 2])
  })

  test('the links walk the whole collection, each record once', async () => {
    const ids: string[] = []
    let path: string | null = `/v2/locations?page[size]=2&sort=-id&filter[user_id]=${ada},${ben}`
    let total = 0
    while (path) {
      const { json }: Response = await read(world.visitor, path)
      ids.push(...json.data.map(({ id }: Part) => id))
      total = json.meta.total
      path = json.links.next?.slice(world.url.length) ?? null
    }
    assert.equal(ids.length, total)
    assert.equal(new Set(ids).size, total)
    for (const seat of seats) assert.ok(ids.includes(String(seat)))
  })

  test('beyond the last one is an empty list that leads back', async () => {
    const { json } = await read(world.visitor, '/v2/languages?page[number]=900')
    assert.deepEqual(json.data, [])
    assert.equal(json.links.next, null)
    assert.match(json.links.prev, /page%5Bnumber%5D=1$/)
  })

  test('takes the filters, ranges and sorts of the plain wire', async () => {
    const query = `filter[user_id]=${ben}&range[id]=${seats[3]},&sort=-id`
    const { json } = await read(world.visitor, `/v2/locations?${query}`)
    const plain = await world.visitor.get(`/v2/locations?${query}`)
    assert.deepEqual(
      json.data.map(({ id }: Part) => id),
      plain.json.map(({ id }: Part) => String(id)),
    )
  })
})

describe('include', () => {
  test('without it nothing comes along, with an empty one an empty list neither', async () => {
    for (const query of ['', '?include='])
      assert.ok(!('included' in (await read(world.visitor, `/v2/locations/${seats[0]}${query}`)).json))
  })

  test('each record comes once, however many lead to it', async () => {
    const { json } = await read(world.visitor, `/v2/locations?filter[user_id]=${ada},${ben}&include=user,campus`)
    assert.deepEqual(errorsOf(json), [])
    assert.deepEqual(json.included.map(({ type, id }: Part) => `${type} ${id}`).sort(), [
      `campus ${lyon}`,
      ...[`users ${ada}`, `users ${ben}`],
    ])
  })

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

  test('a path that leads nowhere is 400, says where it could lead and changes nothing', async () => {
    const error = errorOf(await read(world.visitor, '/v2/locations?include=usr'), 400)
    assert.deepEqual(error.source, { parameter: 'include' })
    assert.equal(error.detail, 'The path "usr" leads nowhere: locations can include campus, user. Did you mean "user"?')
    errorOf(await read(world.visitor, '/v2/locations?include=user.campus.nothing'), 400)
    errorOf(await read(world.visitor, '/v2/locations?include[]=user'), 400)
    const before = await count('locations')
    errorOf(await write(world.director, 'POST', '/v2/locations?include=usr', location()), 400)
    assert.equal(await count('locations'), before)
  })

  test('is bounded in depth and number', async () => {
    const deep = ['user', ...Array.from({ length: 5 }, () => 'cursus_users.user')].join('.')
    assert.match(errorOf(await read(world.visitor, `/v2/locations?include=${deep}`), 400).detail, /at most 5 names/)
    const many = Array.from({ length: 21 }, () => 'user').join(',')
    assert.match(errorOf(await read(world.visitor, `/v2/locations?include=${many}`), 400).detail, /at most 20 paths/)
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

  test('works on what is written too', async () => {
    const { json } = await write(world.director, 'POST', '/v2/locations?include=user', location({}, 'c7r7p7'))
    assert.deepEqual(
      json.included.map(({ attributes }: Part) => attributes.login),
      ['ada'],
    )
  })
})

describe('fields', () => {
  test('leave out the other attributes and relationships of a type, and what they include stays', async () => {
    const path = `/v2/locations/${seats[0]}?include=user&fields[locations]=host&fields[users]=login,staff`
    const { json } = await read(world.visitor, path)
    assert.deepEqual(errorsOf(json, { hasFields: true }), [])
    assert.deepEqual(Object.keys(json.data.attributes), ['host'])
    assert.equal(json.data.relationships, undefined)
    assert.deepEqual(json.included[0].attributes, { login: 'ada', staff: false })
  })

  test('an empty list leaves nothing but the identity', async () => {
    const { json } = await read(world.visitor, `/v2/locations/${seats[0]}?fields[locations]=`)
    assert.deepEqual(Object.keys(json.data).sort(), ['id', 'links', 'type'])
  })

  test('an unknown type or field is 400 with the nearest one', async () => {
    const field = errorOf(await read(world.visitor, '/v2/users?fields[users]=logn'), 400)
    assert.deepEqual(field.source, { parameter: 'fields[users]' })
    assert.match(field.detail, /Did you mean "login"\?$/)
    assert.match(errorOf(await read(world.visitor, '/v2/users?fields[user]=login'), 400).detail, /"users"\?$/)
    errorOf(await read(world.visitor, '/v2/users?fields=login'), 400)
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

  test('that does not exist is an error in the same form', async () => {
    assert.equal(errorOf(await read(world.visitor, '/v2/users/0'), 404).detail, 'There is no user 0.')
    assert.equal(errorOf(await read(world.visitor, '/v2/user'), 404).code, 'not_found')
    errorOf(await read(world.anonymous, '/v2/users'), 401)
    errorOf(await read(world.visitor, '/v2/endpoints'), 403)
    errorOf(await write(world.director, 'DELETE', '/v2/users'), 405)
  })
})

describe('a document that is written', () => {
  test('creates a record, answered at its own address', async () => {
    const answer = await write(world.director, 'POST', '/v2/locations', location())
    assert.equal(answer.status, 201)
    assert.deepEqual(errorsOf(answer.json), [])
    const { data, links } = answer.json
    assert.equal(answer.headers.get('location'), data.links.self)
    assert.equal(links.self, data.links.self)
    assert.deepEqual((await read(world.director, `/v2/locations/${data.id}`)).json.data, data)
  })

  test('may leave to the path what the path says', async () => {
    const body = {
      data: {
        type: 'locations',
        attributes: { host: 'c3r3p3' },
        relationships: { campus: location().data.relationships.campus },
      },
    }
    const answer = await write(world.director, 'POST', '/v2/users/ben/locations', body)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.json.data.relationships.user.data.id, String(ben))
  })

  test('changes a record by id or by name, and the answer shows what it is now', async () => {
    for (const path of [`/v2/users/${ada}`, '/v2/users/ada']) {
      for (const method of ['PATCH', 'PUT']) {
        const data = { type: 'users', id: String(ada), attributes: { usual_first_name: method } }
        const answer = await write(world.director, method, path, { data })
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.json.data.attributes.usual_first_name, method)
        assert.equal(answer.headers.get('preference-applied'), null)
      }
    }
  })

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

  test('replaces a list of associations where the resource has one', async () => {
    const forum = await world.caller({ roles: ['Moderator'], scopes: ['public', 'forum'], user: ada })
    const tags = [await world.build.record('tags', { name: 'a' }), await world.build.record('tags', { name: 'b' })]
    const language = await world.build.language()
    const linked = (ids: number[]) => ({ data: ids.map((id) => ({ type: 'tags', id: String(id) })) })
    const made = await write(forum, 'POST', '/v2/topics?include=tags', {
      data: {
        type: 'topics',
        attributes: { name: 'Robots' },
        relationships: { language: { data: { type: 'languages', id: String(language) } }, tags: linked(tags) },
      },
    })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.json.data.relationships.tags.data, linked(tags).data)
    const { id } = made.json.data
    const changed = await write(forum, 'PATCH', `/v2/topics/${id}`, {
      data: { type: 'topics', id, relationships: { tags: linked([]) } },
    })
    assert.deepEqual(changed.json.data.relationships.tags.data, [])
  })

  test('of another type or id than the address is 409', async () => {
    const type = errorOf(await write(world.director, 'POST', '/v2/locations', location({ type: 'users' })), 409)
    assert.deepEqual(type.source, { pointer: '/data/type' })
    const wrong = { data: { type: 'users', id: String(ben), attributes: { usual_first_name: 'Eve' } } }
    for (const path of [`/v2/users/${ada}`, '/v2/users/ada']) {
      assert.deepEqual(errorOf(await write(world.director, 'PATCH', path, wrong), 409).source, { pointer: '/data/id' })
    }
    const [row] = await world.database.rows(`select count(*) from users where usual_first_name = 'Eve'`)
    assert.equal(Number(row?.[0]), 0)
  })

  test('with an id that the client chose is 403 unless the application is Advanced Staff', async () => {
    const answer = await write(world.staff, 'POST', '/v2/locations', location({ id: '900' }))
    assert.deepEqual(errorOf(answer, 403).source, { pointer: '/data/id' })
    assert.equal((await write(world.director, 'POST', '/v2/locations', location({ lid: 'a' }))).status, 201)
  })

  test('that is no document is 400 and says what is missing', async () => {
    for (const [body, pointer] of [
      [undefined, ''],
      [[], ''],
      [{}, ''],
      [{ location: { host: 'x' } }, ''],
      [{ data: [] }, '/data'],
      [{ data: null }, '/data'],
      [{ data: {} }, '/data'],
      [{ data: { type: 7 } }, '/data'],
      [location({ attributes: [] }), '/data/attributes'],
      [location({ relationships: 'user' }), '/data/relationships'],
      [location({ relationships: { user: {} } }), '/data/relationships/user'],
      [location({ relationships: { user: { data: 3 } } }), '/data/relationships/user/data'],
    ] as const) {
      const { source } = errorOf(await write(world.director, 'POST', '/v2/locations', body), 400)
      assert.deepEqual(source, { pointer }, JSON.stringify(body))
    }
    const noId = { data: { type: 'users', attributes: {} } }
    assert.equal(errorOf(await write(world.director, 'PATCH', `/v2/users/${ada}`, noId), 400).source.pointer, '/data')
    errorOf(await write(world.director, 'PATCH', '/v2/users/0', { data: { type: 'users', id: '0' } }), 404)
  })

  test('is told of each fault at its place, in the names of JSON:API', async () => {
    const before = await count('locations')
    const answer = await write(world.director, 'POST', '/v2/locations', {
      data: {
        type: 'locations',
        attributes: { host: 'h'.repeat(300), begin_at: 'soon', hots: 'x', 'a/b~c': 1, __proto__x: 1 },
        relationships: { user: { data: { type: 'users', id: 'jdoe' } } },
      },
    })
    assert.equal(answer.status, 422)
    assert.deepEqual(errorsOf(answer.json), [])
    const reported = Object.fromEntries(answer.json.errors.map(({ source, detail }: Part) => [source.pointer, detail]))
    assert.deepEqual(reported, {
      '/data/attributes/host': 'host is too long (maximum is 255 characters)',
      '/data/attributes/begin_at': 'begin_at is not an ISO 8601 time such as 2017-11-25T13:43:10Z',
      '/data/attributes/hots': 'hots is not accepted; did you mean "host"?',
      '/data/attributes/a~1b~0c': 'a/b~c is not accepted',
      '/data/attributes/__proto__x': '__proto__x is not accepted',
      '/data/relationships/user': 'user is not a whole number',
      '/data/relationships': "campus can't be blank",
    })
    assert.equal(await count('locations'), before)
  })

  test('cannot be associated with a record of another type, with one that is not there, or by a relationship that there is not', async () => {
    const created = (relationships: object) =>
      write(
        world.director,
        'POST',
        '/v2/locations',
        location({ relationships: { ...location().data.relationships, ...relationships } }),
      )
    const type = errorOf(await created({ user: { data: { type: 'campus', id: '1' } } }), 422)
    assert.deepEqual(type.source, { pointer: '/data/relationships/user/data' })
    const absent = errorOf(await created({ user: { data: { type: 'users', id: '2000000000' } } }), 422)
    assert.deepEqual([absent.detail, absent.source.pointer], ['user must exist', '/data/relationships/user'])
    assert.match(
      errorOf(await created({ usr: { data: null } }), 422).detail,
      /usr is not accepted. Did you mean "user"\?/,
    )
    const list = await write(world.director, 'PATCH', `/v2/users/${ada}`, {
      data: { type: 'users', id: String(ada), relationships: { groups: { data: [] } } },
    })
    assert.deepEqual(errorOf(list, 403).source, { pointer: '/data/relationships/groups' })
  })

  test('holds to the rules of who may write, like a plain one', async () => {
    errorOf(await write(world.visitor, 'POST', '/v2/locations', location()), 403)
    const student = await world.caller({ user: ada, scopes: ['public', 'profile'] })
    const event = await world.build.record('events', {
      name: 'Talk',
      description: 'x',
      location: 'x',
      kind: 'conference',
      begin_at: '2026-04-01T10:00:00Z',
      end_at: '2026-04-01T12:00:00Z',
    })
    const registration = (user: number) => ({
      data: {
        type: 'events_users',
        relationships: {
          event: { data: { type: 'events', id: String(event) } },
          user: { data: { type: 'users', id: String(user) } },
        },
      },
    })
    errorOf(await write(student, 'POST', '/v2/events_users', registration(ben)), 403)
    const own = await write(student, 'POST', '/v2/events_users', registration(ada))
    assert.equal(own.status, 201, own.text)
  })

  test('with the same Idempotency-Key is answered once more', async () => {
    const headers = { 'idempotency-key': 'one and the same' }
    const first = await write(world.director, 'POST', '/v2/locations', location({}, 'once'), headers)
    const again = await write(world.director, 'POST', '/v2/locations', location({}, 'once'), headers)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(again.json, first.json)
    const other = await write(world.director, 'POST', '/v2/locations', location({}, 'twice'), headers)
    assert.match(errorOf(other, 422).detail, /Idempotency-Key was used with another request/)
  })

  test('removes a record with 204 and no body', async () => {
    const { id } = (await write(world.director, 'POST', '/v2/locations', location())).json.data
    const answer = await write(world.director, 'DELETE', `/v2/locations/${id}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
  })
})

describe('parameters', () => {
  test('that the address does not know are 400, with the nearest that it does', async () => {
    const error = errorOf(await read(world.visitor, '/v2/users?filtr[login]=ada'), 400)
    assert.deepEqual(error.source, { parameter: 'filtr' })
    assert.match(error.detail, /Did you mean "filter"\?$/)
    errorOf(await read(world.visitor, `/v2/users/${ada}?sort=id`), 400)
    errorOf(await read(world.visitor, '/v2/users/graph?include=campus'), 400)
    assert.equal((await world.visitor.get('/v2/users?filtr[login]=ada')).status, 200)
  })

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
