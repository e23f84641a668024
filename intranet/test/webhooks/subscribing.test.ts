import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerKeyFor } from '@campus/engine/rest/cache/answer-key'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { clientOf } from '@campus/test/support/client'
import { issueToken } from '../../oauth/tokens.ts'
import { declaredRegistry } from '../../school/resources/declared.ts'
import { SERVICE } from '../../webhooks/campus-calls.ts'

describe('webhooks of applications', () => {
  let world: World
  let owner: number
  let application: number
  let mine: Client
  before(async () => {
    world = await campus()
    owner = await world.build.user({ login: 'owner' })
    const made = await world.database.transaction((tx) =>
      createApplication(tx, {
        name: 'Hooked',
        scopes: ['public'],
        owner: 'owner',
        rate_per_second: 1000,
        rate_per_hour: 100_000,
      }),
    )
    application = made.id
    mine = await tokenOf(application, owner)
  })
  after(() => world.close())

  async function tokenOf(applicationId: number, resourceOwnerId: number | null): Promise<Client> {
    const { token } = await issueToken(world.database, world.clock, {
      applicationId,
      resourceOwnerId,
      scopes: ['public'],
    })
    return clientOf({ url: world.url, agent: world.agent }, token)
  }
  const webhook = { model: 'location', event: 'close', url: 'https://hooks.example.org/locations' }
  const path = () => `/v2/apps/${application}/webhooks`
  const count = async () => Number((await world.database.rows('select count(*) from webhooks'))[0]?.[0])

  it('are made by the owner, with a secret that is shown once', async () => {
    const made = await mine.post(path(), { webhook })
    assert.equal(made.status, 201, made.text)
    const { id, secret, ...record } = made.json
    assert.match(secret, /^whsec_/)
    assert.deepEqual(
      { ...record, created_at: undefined, updated_at: undefined },
      {
        ...{ application_id: application, ...webhook, campus_id: null, description: null, active: true },
        ...{ switched_off_at: null, switched_off_because: null, created_at: undefined, updated_at: undefined },
      },
    )
    const shown = await mine.get(`${path()}/${id}`)
    assert.equal(shown.status, 200)
    assert.equal('secret' in shown.json, false)
    const [row] = await world.database.rows('select secret from webhooks where id = $1', [id])
    assert.equal(String(row?.[0]).includes(secret), false)
    const [captured] = await world.database.rows(`select count(*) from captured_tables where relation = 'locations'`)
    assert.equal(captured?.[0], '1')
    assert.equal((await mine.delete(`${path()}/${id}`)).status, 204)
  })

  it('keep the secret that is given, and do not repeat it', async () => {
    const made = await mine.post(path(), { webhook: { ...webhook, secret: 'a secret of ours'.replaceAll(' ', '-') } })
    assert.equal(made.status, 201)
    assert.equal(made.json.secret, null)
    assert.equal(
      (await mine.patch(`${path()}/${made.json.id}`, { webhook: { url: 'https://other.example.org/' } })).status,
      204,
    )
    assert.equal((await mine.get(`${path()}/${made.json.id}`)).json.url, 'https://other.example.org/')
    await mine.delete(`${path()}/${made.json.id}`)
  })

  for (const [what, values, field] of [
    ['another model', { model: 'locations' }, 'model'],
    ['another event', { event: 'closed' }, 'event'],
    ['an address without TLS', { url: 'http://hooks.example.org/' }, 'url'],
    ['a short secret', { secret: 'hush' }, 'secret'],
    ['a secret that no header can carry', { secret: 'a secret of mine' }, 'secret'],
    ['a campus where the model has none', { model: 'event', event: 'create', campus_id: 1 }, 'campus_id'],
    ['a campus that is not there', { campus_id: 99_999 }, 'campus_id'],
    ['a campus of what is gone', { event: 'destroy', campus_id: 1 }, 'campus_id'],
  ] as const) {
    it(`are refused with ${what}`, async () => {
      const refused = await mine.post(path(), { webhook: { ...webhook, ...values } })
      assert.equal(refused.status, 422)
      assert.ok(field in refused.json.errors, JSON.stringify(refused.json))
      assert.equal(await count(), 0)
    })
  }

  it('name the models and events that there are', async () => {
    const { json: body } = await mine.post(path(), { webhook: { ...webhook, model: 'x' } })
    assert.match(body.errors.model.join(), /\bscale_team\b.*\buser\b/)
    const { json: other } = await mine.post(path(), { webhook: { ...webhook, event: 'x' } })
    assert.match(other.errors.event[0], /create, update, destroy, close$/)
  })

  it('belong to their application: no stranger, no other application of the owner and no program without the role', async () => {
    const { json: made } = await mine.post(path(), { webhook })
    const stranger = await world.caller({ user: await world.build.user() })
    const elsewhere = await world.caller({ user: owner })
    const program = await tokenOf(application, null)
    for (const client of [stranger, elsewhere, program, world.visitor, world.staff]) {
      assert.equal((await client.post(path(), { webhook })).status, 403)
      assert.ok(
        [403, 404].includes((await client.patch(`${path()}/${made.id}`, { webhook: { active: false } })).status),
      )
      assert.ok([403, 404].includes((await client.delete(`${path()}/${made.id}`)).status))
      assert.ok([403, 404].includes((await client.post(`${path()}/${made.id}/test`)).status))
    }
    assert.equal((await stranger.get(`${path()}/${made.id}`)).status, 404)
    assert.deepEqual((await stranger.get(path())).json, [])
    assert.equal((await world.anonymous.get(path())).status, 401)
    assert.equal(await count(), 1)
    assert.equal((await world.director.get(`${path()}/${made.id}`)).status, 200)
    assert.equal((await world.director.delete(`${path()}/${made.id}`)).status, 204)
  })

  it('are seen with a token of their own application alone, in lists, records and totals', async () => {
    const { json: made } = await mine.post(path(), { webhook })
    const other = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Seat finder', scopes: ['public'], owner: 'owner', rate_per_second: 1000 }),
    )
    // Both applications have the same person, roles and scopes, so that a cache could confuse them.
    const elsewhere = await tokenOf(other.id, owner)
    for (const [client, ids] of [
      [mine, [made.id]],
      [elsewhere, []],
      [mine, [made.id]],
    ] as const)
      for (const list of ['/v2/webhooks', path()]) {
        const { status, json, headers } = await client.get(list)
        assert.equal(status, 200)
        assert.deepEqual(
          json.map(({ id }: { id: number }) => id),
          ids,
        )
        assert.equal(headers.get('x-total'), String(ids.length))
      }
    assert.equal((await mine.get(`/v2/webhooks/${made.id}`)).status, 200)
    assert.equal((await elsewhere.get(`/v2/webhooks/${made.id}`)).status, 404)
    assert.equal((await elsewhere.get(`${path()}/${made.id}`)).status, 404)
    const programs = await world.director.get('/v2/webhooks')
    assert.deepEqual(
      programs.json.map(({ id }: { id: number }) => id),
      [made.id],
    )
    await mine.delete(`${path()}/${made.id}`)
  })

  it('are neither cached nor watched together for applications that act for the same person', () => {
    const keyOf = callerKeyFor({ resource: declaredRegistry().get('webhooks') })
    const caller = (id: number) => keyOf({ ...SERVICE, application: { ...SERVICE.application, id } })
    assert.notEqual(caller(1), caller(2))
    assert.equal(caller(1), caller(1))
  })

  it('are tested with the newest record of their campus', async () => {
    const [here, there] = [await world.build.campus(), await world.build.campus()]
    const user_id = await world.build.user()
    const newest = await world.build.location({ user_id, campus_id: here })
    await world.build.location({ user_id, campus_id: there })
    const recordsTested = async (campus_id: number | null) => {
      const { json: made } = await mine.post(path(), { webhook: { ...webhook, campus_id } })
      const { status } = await mine.post(`${path()}/${made.id}/test`)
      const rows = await world.database.rows('select record_id from webhook_deliveries where webhook_id = $1', [
        made.id,
      ])
      await mine.delete(`${path()}/${made.id}`)
      return { status, records: rows.map(([record]) => Number(record)) }
    }
    assert.deepEqual(await recordsTested(here), { status: 204, records: [newest] })
    assert.deepEqual((await recordsTested(null)).records, [newest + 1])
    assert.deepEqual(await recordsTested(await world.build.campus()), { status: 422, records: [] })
  })

  it('are twenty of an application at most', async () => {
    for (let n = 0; n < 20; n += 1) assert.equal((await mine.post(path(), { webhook })).status, 201)
    const refused = await mine.post(path(), { webhook })
    assert.equal(refused.status, 422)
    assert.equal(await count(), 20)
    await world.database.rows('delete from webhooks')
  })

  it('are fifty of a person at most, over all applications and however many are created at once', async () => {
    const others = await Promise.all(
      ['Cluster map', 'Team finder', 'Level chart'].map((name) =>
        world.database.transaction(async (tx) => (await createApplication(tx, { name })).id),
      ),
    )
    await world.database.rows('update applications set owner_id = $1 where id = any($2)', [owner, others])
    await world.database.rows(
      `insert into webhooks (application_id, model, relation, event, url, secret, active, since, created_at, updated_at)
       select ($1::int[])[1 + number % 3], 'user', 'users', 'update', 'https://127.0.0.1:9', 's', false, 0, now(), now()
       from generate_series(1, 45) number`,
      [others],
    )
    const posts = Array.from({ length: 10 }, () => mine.post(path(), { webhook }))
    const statuses = (await Promise.all(posts)).map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [...Array(5).fill(201), ...Array(5).fill(422)])
    await world.database.rows('delete from webhooks')
  })

  it('are fifty of a person at most after an application is transferred, and so are its applications', async () => {
    const [giver, taker] = [await world.build.user(), await world.build.user()]
    const fill = async (user: number, webhooks: number) => {
      const id = await world.database.transaction(async (tx) => (await createApplication(tx, { name: 'Full' })).id)
      await world.database.rows('update applications set owner_id = $1 where id = $2', [user, id])
      await world.database.rows(
        `insert into webhooks (application_id, model, relation, event, url, secret, active, since, created_at, updated_at)
         select $1, 'user', 'users', 'update', 'https://127.0.0.1:9', 's', false, 0, now(), now()
         from generate_series(1, $2::int)`,
        [id, webhooks],
      )
      return id
    }
    const [one, other] = [await fill(giver, 20), await fill(giver, 20)]
    await fill(taker, 20)
    const give = async (id: number) =>
      (await world.director.patch(`/v2/apps/${id}`, { app: { owner_id: taker } })).status
    assert.deepEqual((await Promise.all([give(one), give(other)])).toSorted(), [204, 422])
    await world.database.rows('delete from webhooks')
    const [left] = await world.database.rows('select id from applications where owner_id = $1', [giver])
    await world.database.rows(
      `insert into applications (name, uid, scopes, redirect_uris, confidential, owner_id, created_at, updated_at)
       select 'Filler', 'filler ' || number, '{}', '{}', false, $1, now(), now() from generate_series(1, 48) number`,
      [taker],
    )
    assert.equal(await give(Number(left?.[0])), 422)
    assert.equal((await world.director.post('/v2/apps', { app: { name: 'New', owner_id: taker } })).status, 422)
    await world.database.rows("delete from applications where name = 'Filler'")
    assert.equal(await give(Number(left?.[0])), 204)
  })

  it('of what was captured by reading the same tables are made too', async () => {
    const made = await world.director.post(path(), {
      webhook: { ...webhook, model: 'user', event: 'update', campus_id: null },
    })
    assert.equal(made.status, 201)
    const inApps = await world.director.post(path(), { webhook: { ...webhook, model: 'app', event: 'update' } })
    assert.equal(inApps.status, 201)
    await world.database.rows('delete from webhooks')
  })

  it('stay about the same change', async () => {
    const { json: made } = await mine.post(path(), { webhook })
    const refused = await mine.patch(`${path()}/${made.id}`, { webhook: { event: 'create' } })
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.json.errors, { event: ['cannot be changed'] })
    await mine.delete(`${path()}/${made.id}`)
  })

  it('end with their application', async () => {
    const made = await world.database.transaction((tx) => createApplication(tx, { name: 'Ends', scopes: ['public'] }))
    assert.equal((await world.director.post(`/v2/apps/${made.id}/webhooks`, { webhook })).status, 201)
    assert.equal((await world.director.delete(`/v2/apps/${made.id}`)).status, 204)
    assert.equal(await count(), 0)
  })
})
