import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '../support/campus.ts'
import type { Client } from '../support/client.ts'

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
        ...{ name, uid: `uid of ${name}`, secret_digest: Buffer.alloc(32), owner_id: ownerId },
        ...{ created_at: CREATED, updated_at: CREATED, ...values },
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
      ...{ id: shown, name: 'Maps', description: 'Who sits where', image: null, website: null, public: true },
      ...{ scopes: ['public', 'forum'], created_at: CREATED, updated_at: CREATED },
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
    for (const name of ['uid', 'secret_digest']) {
      assert.equal((await world.visitor.get(`/v2/apps?filter[${name}]=x`)).status, 400)
    }
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

  it('are written elsewhere', async () => {
    assert.equal((await world.director.post('/v2/apps', { app: { name: 'x' } })).status, 405)
    assert.equal((await world.director.delete(`/v2/apps/${shown}`)).status, 405)
  })
})
