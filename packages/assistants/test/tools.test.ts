import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { routeTable } from '@campus/engine/rest/route-table'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import { type Assistant, assistantOf } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import { visitorOf } from '@campus/test/support/visitor'
import { MAX_BYTES } from '../mcp/fit.ts'
import { type Named, Places, type Verb } from '../mcp/places.ts'

let world: World
let assistant: Assistant
before(async () => {
  world = await campus({ seeded: true })
  assistant = await assistantOf(world, { token: world.director.token })
})
after(async () => {
  await assistant.close()
  await world.close()
})

const idsOf = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id)

describe('the tools', () => {
  test('are fifteen at most, and say whether they change anything', async () => {
    const { tools } = await assistant.client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        ...['search_reference', 'read_reference', 'describe_resource'],
        ...['list_records', 'read_record', 'count_records', 'graph_records', 'who_am_i'],
        ...['create_record', 'update_record', 'delete_record', 'perform_action'],
      ],
    )
    for (const { name, annotations } of tools) {
      const acts = /^(create|update|delete|perform)_/.test(name)
      assert.equal(annotations?.readOnlyHint, !acts, name)
      assert.equal(annotations?.destructiveHint, acts, name)
      assert.equal(annotations?.openWorldHint, false, name)
    }
  })

  test('say that what records hold is data, and where assistants begin', async () => {
    const { tools } = await assistant.client.listTools()
    for (const name of ['list_records', 'read_record', 'create_record', 'update_record', 'perform_action'])
      assert.match(String(tools.find((tool) => tool.name === name)?.description), /never instructions/)
    assert.match(String(assistant.client.getInstructions()), /never instructions.*$/)
  })

  test('name every resource that has such a route, and no other', async () => {
    const { tools } = await assistant.client.listTools()
    const resources = (name: string) => {
      const { resource } = Object(tools.find((tool) => tool.name === name)?.inputSchema.properties)
      return resource.enum as string[]
    }
    const table = routeTable(declaredRegistry())
    const having = (...actions: string[]) => [
      ...new Set(table.filter(({ action }) => actions.includes(action)).map(({ resource }) => resource.name)),
    ]
    assert.deepEqual(resources('list_records').toSorted(), having('index').toSorted())
    assert.deepEqual(resources('graph_records').toSorted(), having('graph').toSorted())
    assert.deepEqual(resources('create_record').toSorted(), having('create').toSorted())
    assert.deepEqual(resources('delete_record').toSorted(), having('destroy').toSorted())
    assert.deepEqual(resources('perform_action').toSorted(), having('member', 'bulk').toSorted())
  })

  test('reach every route of the API', () => {
    const registry = declaredRegistry()
    const table = routeTable(registry)
    const places = new Places(registry, table)
    const reached = new Set<string>()
    for (const { name: resource } of registry.resources) {
      for (const { verb, within, isMine, name } of places.of(resource)) {
        const named = { resource, within: within.map((parent) => ({ resource: parent, id: '1' })), isMine, name }
        for (const more of SHAPES[verb]) reach(verb, { ...named, ...more })
      }
    }
    function reach(verb: Verb, named: Named): void {
      try {
        const { route } = places.find(verb, named)
        reached.add(`${route.method} ${route.path}`)
      } catch {
        // One of the shapes is not there.
      }
    }
    const left = table
      .filter(({ method, action }) => method !== 'PUT' && action !== 'search' && action !== 'owner')
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !reached.has(route))
    assert.deepEqual(left, [])
  })

  const SHAPES: Readonly<Record<Verb, readonly Pick<Named, 'id' | 'field' | 'interval'>[]>> = {
    list: [{ id: undefined }],
    read: [{ id: undefined }, { id: '1' }],
    part: [{ id: '1' }],
    graph: [
      { id: undefined },
      { id: undefined, field: 'created_at' },
      { id: undefined, field: 'created_at', interval: 'day' },
    ],
    create: [{ id: undefined }],
    update: [{ id: undefined }, { id: '1' }],
    delete: [{ id: undefined }, { id: '1' }],
    perform: [{ id: undefined }, { id: '1' }],
  }
})

describe('list_records', () => {
  test('answers what the API answers', async () => {
    const { data } = await assistant.call('list_records', {
      resource: 'users',
      filter: { 'staff?': false },
      sort: ['login'],
      per_page: 5,
      page: 2,
    })
    const plain = await world.director.get('/v2/users?filter[staff?]=false&sort=login&per_page=5&page=2')
    assert.deepEqual(data.records, plain.json)
    assert.equal(String(data.total), plain.headers.get('x-total'))
    assert.match(data.note, /page 3/)
  })

  test('ranges, searches, and takes lists of values', async () => {
    const { data } = await assistant.call('list_records', {
      resource: 'locations',
      range: { id: [5, 9] },
      sort: 'id',
      fields: ['id'],
    })
    assert.deepEqual(idsOf(data.records), [5, 6, 7, 8, 9])
    const some = await assistant.call('list_records', { resource: 'users', filter: { id: [3, 1] }, fields: ['id'] })
    assert.deepEqual(idsOf(some.data.records).toSorted(), [1, 3])
    const login = some.data.records.length
    assert.equal(login, 2)
    const found = await assistant.call('list_records', { resource: 'users', search: { login: 'zzzzzz' } })
    assert.deepEqual(found.data.records, [])
  })

  test('goes on within a page that is cut, until all of it was shown', async () => {
    const given = { resource: 'users', within: [{ resource: 'cursus', id: 1 }], per_page: 50, sort: ['id'] }
    const shown: number[] = []
    let pages = 0
    for (let skip = 0; ; ) {
      const { data } = await assistant.call('list_records', { ...given, skip })
      assert.ok(JSON.stringify(data.records).length <= MAX_BYTES)
      shown.push(...idsOf(data.records))
      pages += 1
      const next = /page 1 and skip (\d+)/.exec(data.note ?? '')?.[1]
      if (next === undefined) break
      skip = Number(next)
    }
    assert.ok(pages > 1, 'nothing was cut')
    assert.deepEqual(shown, idsOf((await world.director.get('/v2/cursus/1/users?per_page=50&sort=id')).json))
  })

  test('cuts a record that is too large by itself', async () => {
    const { data } = await assistant.call('read_record', { resource: 'projects', id: 1 })
    assert.ok(JSON.stringify(data).length < MAX_BYTES * 1.1)
    const long = 'A long text. '.repeat(4000)
    const project = await world.director.post('/v2/projects', { project: { name: 'Long', description: long } })
    assert.equal(project.status, 201, project.text)
    const cut = await assistant.call('list_records', { resource: 'projects', filter: { id: project.json.id } })
    assert.match(cut.data.note, /are cut/)
    assert.equal(cut.data.records[0].id, project.json.id)
    assert.ok(JSON.stringify(cut.data).length < MAX_BYTES)
  })

  test('lists what is the person’s own', async () => {
    const user = await world.build.user({ login: 'owner' })
    const own = await world.caller({ scopes: ['public', 'projects'], user })
    const person = await assistantOf(world, { token: own.token })
    const { data } = await person.call('list_records', { resource: 'scale_teams', mine: true, list: 'as_corrector' })
    assert.deepEqual(data.records, [])
    const me = await person.call('who_am_i')
    assert.equal(me.data.person.login, 'owner')
    assert.equal(me.data.may_act, false)
    await person.close()
  })

  test('says which lists there are where one is not', async () => {
    const { data, isError } = await assistant.call('list_records', {
      resource: 'projects_users',
      within: [{ resource: 'campus', id: 1 }],
    })
    assert.ok(isError)
    assert.match(data.message, /by itself; within users/)
  })
})

describe('other reading', () => {
  test('counts as the API does', async () => {
    const { data } = await assistant.call('count_records', { resource: 'locations', filter: { active: true } })
    const plain = await world.director.get('/v2/locations?filter[active]=true&per_page=1')
    assert.equal(String(data.count), plain.headers.get('x-total'))
  })

  test('graphs as the API does', async () => {
    const given = { resource: 'locations', field: 'begin_at', interval: 'day_of_week', time_zone: 'Europe/Paris' }
    const { data } = await assistant.call('graph_records', given)
    const plain = await world.director.get('/v2/locations/graph/on/begin_at/by/day_of_week?time_zone=Europe/Paris')
    assert.deepEqual(data.counts, plain.json)
    const bare = await assistant.call('graph_records', { resource: 'locations' })
    assert.deepEqual(bare.data.counts, (await world.director.get('/v2/locations/graph')).json)
  })

  test('shows the last of very many counts', async () => {
    const given = { resource: 'users', field: 'created_at', interval: 'day' }
    await world.database.rows("update users set created_at = '1990-01-01' where id = 1", [])
    const { data } = await assistant.call('graph_records', given)
    const plain = await world.director.get('/v2/users/graph/on/created_at/by/day')
    assert.match(data.note, /the last \d+ are shown/)
    const all = Object.entries(plain.json)
    assert.deepEqual(Object.entries(data.counts), all.slice(-Object.keys(data.counts).length))
  })

  test('reads by name, and parts of a record', async () => {
    const [row] = await world.database.rows('select login from users where id = 2', [])
    const login = String(row?.[0])
    const { data } = await assistant.call('read_record', { resource: 'users', id: login, fields: ['id', 'login'] })
    assert.deepEqual(data.record, { id: 2, login })
    const part = await assistant.call('read_record', { resource: 'users', id: 2, part: 'locations_stats' })
    assert.deepEqual(part.data.record, (await world.director.get('/v2/users/2/locations_stats')).json)
  })

  test('describes every resource within bounds', async () => {
    for (const { name } of declaredRegistry().resources) {
      const { data, isError } = await assistant.call('describe_resource', { resource: name })
      if (isError) {
        assert.match(data.message, /must be one of|unknown/)
        continue
      }
      assert.ok(JSON.stringify(data).length < MAX_BYTES * 1.1, name)
      assert.ok(data.lists.length > 0 || data.records.length > 0, name)
    }
    const { data } = await assistant.call('describe_resource', { resource: 'closes', aspects: ['writing', 'actions'] })
    assert.match(data.create[0].values.user_id, /^integer, required/)
    assert.deepEqual(
      data.actions.map(({ action }: { action: string }) => action),
      ['close', 'unclose'],
    )
    assert.equal('fields' in data, false)
  })

  test('finds in the reference, and reads its pages', async () => {
    const { data } = await assistant.call('search_reference', { query: 'black hole' })
    assert.ok(data.findings.some(({ title }: { title: string }) => title === 'cursus_users.blackholed_at'))
    const page = await assistant.call('read_reference', { page: data.findings[0].page })
    assert.match(page.data.text, /^# /)
    const contents = await assistant.call('read_reference', { page: '/apidoc' })
    assert.match(contents.data.text, /## Guides/)
    const whole = await visitorOf(world).get('/apidoc/users.md')
    let text = ''
    for (let from = 0; text.length < whole.text.length; from = text.length)
      text += (await assistant.call('read_reference', { page: '/apidoc/users', from })).data.text
    assert.equal(text, whole.text)
  })

  test('refusals are errors in the API’s own words', async () => {
    const missing = await assistant.call('read_record', { resource: 'users', id: 'nobody-of-that-name' })
    const plain = await world.director.get('/v2/users/nobody-of-that-name')
    assert.ok(missing.isError)
    assert.deepEqual(missing.data, { status: 404, ...plain.json })
    const wrong = await assistant.call('list_records', { resource: 'users', filter: { logn: 'x' } })
    const refused = await world.director.get('/v2/users?filter[logn]=x')
    assert.deepEqual(wrong.data, { status: 400, ...refused.json })
    const visitor = await assistantOf(world, { token: world.visitor.token })
    const closes = await visitor.call('list_records', { resource: 'closes' })
    const forbidden = await world.visitor.get('/v2/closes')
    assert.equal(closes.data.message, forbidden.json.message)
    assert.equal(closes.data.status, 403)
    await visitor.close()
  })
})
