import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { defined } from '@campus/engine/base/defined'
import { campus, type World } from '@campus/test/support/campus'
import { runOperation } from '../../cli/execute.ts'
import { deliveryCommands } from '../../cli/program/deliveries.ts'
import { createSealing } from '../../webhooks/sealing.ts'

const SECRET = 'a webservice secret'

const REASON = 'no complete answer within 15 s'

describe('deliveries', () => {
  let world: World
  let endpoint: number
  let dead: number
  before(async () => {
    world = await campus()
    // Port 9 of the loopback interface, which nobody may connect to: every attempt fails at once.
    const { json } = await world.director.post('/v2/endpoints', {
      endpoint: { url: 'https://127.0.0.1:9', secret: SECRET },
    })
    endpoint = json.id
    const at = world.clock.now()
    const one = { endpoint_id: endpoint, user_id: 7, login: 'ada', record: '{"id":7}', created_at: at, updated_at: at }
    dead = await world.build.record('deliveries', {
      ...one,
      event: 'created',
      state: 'dead',
      tries: 11,
      error: 'not_answered 15',
      decided_at: at,
      last_try_at: at,
      attempts: JSON.stringify([{ at: at.toISOString(), status: null, error: 'not_answered 15', milliseconds: 3 }]),
    })
    await world.build.record('deliveries', { ...one, event: 'updated', state: 'rejected', status: 422, answer: 'who?' })
    await world.build.record('deliveries', { ...one, event: 'closed', state: 'delivered', user_id: 8, login: 'bob' })
  })
  after(() => world.close())

  const path = (rest = '') => `/v2/endpoints/${endpoint}/deliveries${rest}`
  const ids = async (query: string) =>
    (await world.staff.get(path(query))).json.map(({ event }: { event: string }) => event)

  it('are listed below their endpoint, newest first, and filtered by state, event and user', async () => {
    assert.deepEqual(await ids(''), ['closed', 'updated', 'created'])
    assert.deepEqual(await ids('?filter[state]=dead,rejected'), ['updated', 'created'])
    assert.deepEqual(await ids('?filter[event]=closed'), ['closed'])
    assert.deepEqual(await ids('?filter[user]=7'), ['updated', 'created'])
    assert.deepEqual(await ids('?filter[user]=bob'), ['closed'])
    assert.deepEqual(await ids('?filter[user]=bob,7'), ['closed', 'updated', 'created'])
    assert.deepEqual(await ids('?filter[user]=nobody'), [])
    assert.equal((await world.staff.get(path('?filter[state]=lost'))).status, 400)
    assert.equal((await world.staff.get('/v2/endpoints/4711/deliveries')).status, 404)
  })

  it('show the record, every attempt and the last answer', async () => {
    const { status, json } = await world.staff.get(path(`/${dead}`))
    assert.equal(status, 200)
    const { webhook_id, ...rest } = json
    assert.match(webhook_id, /^[0-9a-f-]{36}$/)
    const now = '2026-03-02T10:00:00.000Z'
    assert.deepEqual(rest, {
      id: dead,
      endpoint_id: endpoint,
      user_id: 7,
      login: 'ada',
      event: 'created',
      state: 'dead',
      tries: 11,
      next_try_at: null,
      last_try_at: now,
      status: null,
      error: REASON,
      milliseconds: null,
      secrets: 'none',
      decided_at: now,
      created_at: now,
      updated_at: now,
      record: { id: 7 },
      answer: null,
      attempts: [{ at: now, status: null, error: REASON, milliseconds: 3 }],
    })
    assert.equal((await world.staff.get(`/v2/endpoints/4711/deliveries/${dead}`)).status, 404)
  })

  it('are replayed by POST, one at a time, each once', async () => {
    const replay = path(`/${dead}/replay`)
    assert.equal((await world.staff.post(replay, undefined, { 'idempotency-key': 'again' })).status, 204)
    const again = await world.staff.post(replay, undefined, { 'idempotency-key': 'again' })
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [204, 'true'])
    assert.equal((await world.staff.post(replay)).status, 422)
    assert.equal((await world.staff.get(path(`/${dead}`))).json.state, 'pending')
    assert.equal((await world.staff.patch(replay)).status, 405)
    await world.database.rows("update deliveries set state = 'dead', due_at = null where id = $1", [dead])
  })

  it('are replayed by range, and the answer says how many', async () => {
    const replay = (payload?: object) => world.staff.post(`/v2/endpoints/${endpoint}/replay`, payload)
    const none = await replay({ endpoint: { from: '2026-03-02T10:00:01Z' } })
    assert.deepEqual([none.status, none.json], [200, { replayed: 0 }])
    assert.deepEqual((await replay({ endpoint: { state: 'rejected' } })).json, { replayed: 1 })
    assert.deepEqual((await replay()).json, { replayed: 1 })
    for (const wrong of [{ from: 'yesterday' }, { state: 'pending' }, { until: '2026-03-02' }]) {
      assert.equal((await replay({ endpoint: wrong })).status, 422, JSON.stringify(wrong))
    }
    assert.equal((await replay({ from: '2026-03-02' })).status, 400)
  })

  it('say who replayed them, whether by the API or on the command line', async () => {
    const at = world.clock.now()
    const one = { endpoint_id: endpoint, user_id: 9, login: 'eve', event: 'updated', record: '{"id":9}' }
    const times = { created_at: at, updated_at: at, decided_at: at }
    const make = (state: string) => world.build.record('deliveries', { ...one, ...times, state })
    const [first, second] = [await make('dead'), await make('dead')]
    await make('rejected')
    const { database, config } = world
    await database.rows('delete from audit_events')

    await world.staff.post(path(`/${first}/replay`))
    await world.staff.post(`/v2/endpoints/${endpoint}/replay`, { endpoint: { state: 'rejected' } })
    const dependencies = { database, config, sealing: async () => createSealing() }
    const replay = defined(deliveryCommands.find(({ name }) => name === 'deliveries replay'))
    await runOperation(dependencies, replay, { ids: [second] }, () => {})

    const recorded = await database.rows(
      "select kind, command, application_id is null, details->>'calls' from audit_events order by id",
    )
    assert.deepEqual(recorded, [
      ['deliveries_replayed', null, 'f', '1'],
      ['deliveries_replayed', null, 'f', '1'],
      ['deliveries_replayed', 'deliveries replay', 't', '1'],
    ])
    await database.rows('delete from deliveries where user_id = 9')
  })

  it('of an endpoint that is switched off are not replayed', async () => {
    await world.director.patch(`/v2/endpoints/${endpoint}`, { endpoint: { active: false } })
    const { status, json } = await world.staff.post(`/v2/endpoints/${endpoint}/replay`)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(json.errors), ['endpoint'])
    const { json: state } = await world.staff.get(`/v2/endpoints/${endpoint}/status`)
    assert.deepEqual([state.active, state.pending, state.dead], [false, 0, 2])
  })

  it('never show the secret', async () => {
    for (const query of ['', `/${dead}`]) assert.ok(!(await world.staff.get(path(query))).text.includes(SECRET))
  })
})

describe('an endpoint', () => {
  let world: World
  before(async () => {
    world = await campus({ seeded: true })
  })
  after(() => world.close())

  const isActive = async (id: number) => (await world.director.get(`/v2/endpoints/${id}/status`)).json.active

  it('of the demonstration is off, and gets nothing', async () => {
    const { json } = await world.director.get('/v2/endpoints?filter[active]=true')
    assert.deepEqual(json, [])
    const recorded = async () => (await world.director.get('/v2/deliveries')).headers.get('x-total')
    const before = await recorded()
    const [{ id }] = (await world.director.get('/v2/users?filter[kind]=student')).json
    assert.equal((await world.director.patch(`/v2/users/${id}`, { user: { first_name: 'Renamed' } })).status, 204)
    assert.equal(await recorded(), before)
    assert.deepEqual((await world.director.get('/v2/deliveries?filter[state]=pending')).json, [])
  })

  it('is switched on by its url, and off and on by active', async () => {
    const [{ id }] = (await world.director.get('/v2/endpoints')).json
    const change = (endpoint: object) => world.director.patch(`/v2/endpoints/${id}`, { endpoint })
    await change({ description: 'ours' })
    assert.equal(await isActive(id), false)
    await change({ url: 'https://127.0.0.1:9' })
    assert.equal(await isActive(id), true)
    await change({ active: false })
    assert.equal(await isActive(id), false)
    await change({ url: 'https://127.0.0.1:9/other', active: false })
    assert.equal(await isActive(id), false)
    await change({ active: 'true' })
    assert.equal(await isActive(id), true)
    await change({ active: false })
  })

  it('that was given up says so until it is switched on', async () => {
    const [{ id }] = (await world.director.get('/v2/endpoints')).json
    const why = 'it answered 410 Gone'
    const given = 'update endpoints set switched_off_at = now(), switched_off_because = $2 where id = $1'
    await world.database.rows(given, [id, 'gone'])
    const off = await world.director.get(`/v2/endpoints/${id}/status`)
    await world.director.patch(`/v2/endpoints/${id}`, { endpoint: { url: 'https://127.0.0.1:9' } })
    const on = await world.director.get(`/v2/endpoints/${id}/status`)
    assert.equal(on.json.switched_off_because, null)
    assert.deepEqual([off.json.active, off.json.switched_off_because, on.json.active], [false, why, true])
  })

  it('has an https address', async () => {
    for (const url of [
      'http://a.test',
      'ftp://a.test',
      'a.test',
      'https://user:pass@a.test',
      'https://',
      'javascript:1',
    ]) {
      const { status, json } = await world.director.post('/v2/endpoints', { endpoint: { url } })
      assert.equal(status, 422, url)
      assert.match(json.errors.url[0], /must be an https:\/\/ address/)
    }
  })

  it('is counted for Prometheus, for programs on this machine', async () => {
    const { status, text, headers } = await world.anonymous.get('/metrics')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    for (const name of ['pending', 'oldest_pending_seconds', 'failed']) {
      assert.match(text, new RegExp(`^campus_deliveries_${name}\\{endpoint="\\d+"\\} \\d+`, 'm'))
    }
    const forwarded = await world.anonymous.get('/metrics', { 'x-forwarded-for': '203.0.113.7' })
    assert.equal(forwarded.status, 403)
  })
})
