import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

const CREATED = '2026-01-02T03:04:05.006Z'

describe('apps', () => {
  let world: World
  let owner: Client
  let ownerId: number
  let shown: number
  let hidden: number

  const namesOf = async (caller: Client, path: string) =>
    ((await caller.get(path)).json as { name: string }[]).map(({ name }) => name)

  before(async () => {
    world = await campus()
    ownerId = await world.build.user({ login: 'ada' })
    owner = await world.caller({ user: ownerId })
    const application = (name: string, values: object) =>
      world.build.record('applications', {
        name,
        uid: `uid of ${name}`,
        secret_digest: Buffer.alloc(32),
        owner_id: ownerId,
        created_at: CREATED,
        updated_at: CREATED,
        ...values,
      })
    shown = await application('Maps', { public: true, scopes: ['public', 'forum'], description: 'Who sits where' })
    hidden = await application('Draft', { website: 'https://draft.test' })
    await application('Nobody', { public: true, owner_id: null, rate_per_hour: 1800 })
    await world.database.rows(
      "insert into application_roles select $1, id from roles where name in ('Official App', 'Beta')",
      [shown],
    )
  })
  after(() => world.close())

  it('that are public are read by everybody, and no secret is among their fields', async () => {
    const record = {
      id: shown,
      name: 'Maps',
      description: 'Who sits where',
      image: null,
      website: null,
      public: true,
      scopes: ['public', 'forum'],
      created_at: CREATED,
      updated_at: CREATED,
      owner: (await world.visitor.get('/v2/users?filter[login]=ada')).json[0],
      rate_limit: 12_000,
      roles: [
        { id: 16, name: 'Official App' },
        { id: 19, name: 'Beta' },
      ],
    }
    assert.deepEqual((await world.visitor.get(`/v2/apps/${shown}`)).json, record)
    assert.deepEqual((await world.visitor.get('/v2/apps?filter[name]=Maps')).json, [record])
    assert.deepEqual((await world.visitor.get('/v2/users/ada/apps')).json, [record])
    const [nobodys] = (await world.visitor.get('/v2/apps?filter[owner_id]=')).json
    assert.deepEqual([nobodys.name, nobodys.owner, nobodys.rate_limit, nobodys.roles], ['Nobody', {}, 1800, []])
    assert.equal((await world.visitor.get('/v2/apps?filter[secret_digest]=x')).status, 400)
  })

  it('that are not public are there for their owner and for staff only', async () => {
    const ids = `filter[id]=${shown},${hidden}`
    for (const [caller, names] of [
      [world.visitor, ['Maps']],
      [await world.caller({ user: await world.build.user() }), ['Maps']],
      [owner, ['Draft', 'Maps']],
      [world.staff, ['Draft', 'Maps']],
      [world.director, ['Draft', 'Maps']],
    ] as const) {
      assert.deepEqual(await namesOf(caller, `/v2/apps?sort=name&${ids}`), names)
      assert.deepEqual(await namesOf(caller, '/v2/users/ada/apps?sort=name'), names)
      const { headers } = await caller.get(`/v2/apps?${ids}`)
      assert.equal(headers.get('x-total'), `${names.length}`)
      assert.equal((await caller.get(`/v2/apps/${hidden}`)).status, names.length === 2 ? 200 : 404)
    }
    assert.deepEqual(await namesOf(world.visitor, '/v2/apps?filter[public]=false'), [])
  })

  it('are registered by staff, who see the secret in the answer and nowhere else', async () => {
    const payload = {
      name: 'Seat finder',
      description: 'Finds seats',
      public: true,
      owner_id: ownerId,
      scopes: 'projects forum',
      redirect_uris: ['https://seats.test/back'],
      role_ids: [19],
      rate_per_hour: 5000,
    }
    const { status, json, headers } = await world.director.post('/v2/apps', { app: payload })
    assert.equal(status, 201)
    const { uid, secret, ...record } = json
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.deepEqual(
      [record.name, record.owner.login, record.scopes, record.rate_limit, record.roles],
      ['Seat finder', 'ada', ['public', 'projects', 'forum'], 5000, [{ id: 19, name: 'Beta' }]],
    )
    assert.deepEqual((await world.director.get(new URL(String(headers.get('location'))).pathname)).json, record)
    const token = await world.anonymous.post('/oauth/token', {
      grant_type: 'client_credentials',
      client_id: uid,
      client_secret: secret,
      scope: 'forum',
    })
    assert.equal(token.status, 200)
  })

  it('repeat no secret to a repeated request', async () => {
    const key = { 'idempotency-key': 'apps-1' }
    const first = await world.director.post('/v2/apps', { app: { name: 'Lunch menu' } }, key)
    const again = await world.director.post('/v2/apps', { app: { name: 'Lunch menu' } }, key)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(again.json, { ...first.json, uid: null, secret: null })
    const retained = await world.database.rows('select body from idempotency_keys')
    assert.ok(!JSON.stringify(retained).includes(first.json.secret))
  })

  it('have a name that tells something, and redirect addresses that are safe', async () => {
    const app = { name: 'test', redirect_uris: ['http://a.test/'], role_ids: [4242] }
    const { status, json } = await world.director.post('/v2/apps', { app })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(json.errors), ['name', 'redirect_uris'])
    const unknown = await world.director.post('/v2/apps', { app: { name: 'Bus times', role_ids: [4242] } })
    assert.deepEqual([unknown.status, unknown.json.errors], [422, { role_ids: ['must be ids of roles'] }])
    assert.deepEqual(await namesOf(world.director, '/v2/apps?filter[name]=Bus times'), [])
  })

  it('are changed and removed by staff, and what was done is recorded for their owner', async () => {
    const { json } = await world.director.post('/v2/apps', { app: { name: 'Exam bot', owner_id: ownerId } })
    const path = `/v2/apps/${json.id}`
    assert.equal((await world.director.patch(path, { app: { role_ids: '16', description: 'Asks' } })).status, 204)
    const { json: changed } = await world.director.get(path)
    assert.deepEqual(
      [changed.description, changed.roles, changed.rate_limit],
      ['Asks', [{ id: 16, name: 'Official App' }], 12_000],
    )
    const { status } = await world.director.patch(path, { app: { confidential: false } })
    assert.equal(status, 422)
    assert.equal((await world.director.delete(path)).status, 204)
    assert.equal((await world.director.get(path)).status, 404)
    const events = await auditRecordsConcerning(world.database, ownerId, 4)
    assert.deepEqual(
      events.map(({ kind, application }) => [kind, application]),
      [
        ['application_deleted', 'Test caller Advanced Staff Advanced Tutor'],
        ['roles_changed', null],
        ['application_changed', null],
        ['application_created', null],
      ],
    )
  })
})
