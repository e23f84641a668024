import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { everythingStored, rowCounts } from '@campus/test/support/database-contents'

type Values = Record<string, unknown>
type Service = Values & { readonly id: number }

const PREFER = { prefer: 'return=representation' }
const LONG_AGO = '2001-01-01T00:00:00.000Z'

let world: World
before(async () => {
  world = await openCampus()
})
after(() => world.close())

const post = (endpoint: Values) => world.director.post('/v2/endpoints', { endpoint })
const patch = (id: number, endpoint: Values) => world.director.patch(`/v2/endpoints/${id}`, { endpoint }, PREFER)
const show = async (id: number) => (await world.director.get(`/v2/endpoints/${id}`)).json

async function created(endpoint: Values): Promise<Service> {
  const { status, json, text } = await post(endpoint)
  assert.equal(status, 201, text)
  return json
}

async function remove(...services: readonly Pick<Service, 'id'>[]): Promise<void> {
  for (const { id } of services) assert.equal((await world.director.delete(`/v2/endpoints/${id}`)).status, 204)
}

describe('a service', () => {
  it('takes id and times from the client', async () => {
    const sent = { url: 'https://a.test', id: 4711, created_at: LONG_AGO, updated_at: LONG_AGO }
    assert.deepEqual(await created(sent), { ...sent, description: null, campus: [] })
    const { json } = await patch(4711, { id: '4712', created_at: '2002-01-01 00:00:00 UTC' })
    assert.deepEqual([json.id, json.created_at], [4712, '2002-01-01T00:00:00.000Z'])
    assert.equal((await world.director.get('/v2/endpoints/4711')).status, 404)
    await remove({ id: 4712 })
  })

  it('takes its campuses along when its id changes, and leaves them when it goes', async () => {
    const campus = await world.build.campus()
    const { id } = await created({ url: 'https://a.test' })
    const endpointOfCampus = async () => (await world.director.get(`/v2/campus/${campus}`)).json.endpoint?.id ?? null
    await world.director.patch(`/v2/campus/${campus}`, { campus: { endpoint_id: id } })
    assert.equal(await endpointOfCampus(), id)
    assert.equal((await patch(id, { id: 5000 })).status, 200)
    assert.equal(await endpointOfCampus(), 5000)
    assert.deepEqual(
      (await show(5000)).campus.map((record: Service) => record.id),
      [campus],
    )
    await remove({ id: 5000 })
    assert.equal(await endpointOfCampus(), null)
  })

  it('is refused where another one has the id that is asked for', async () => {
    const [one, two] = [await created({ url: 'https://a.test' }), await created({ url: 'https://b.test' })]
    const untouched = await rowCounts(world.database)
    for (const { status, json } of [
      await post({ url: 'https://c.test', id: one.id }),
      await patch(two.id, { id: one.id }),
    ]) {
      assert.deepEqual([status, json.errors], [422, { id: ['has already been taken'] }])
    }
    assert.deepEqual(await rowCounts(world.database), untouched)
    assert.deepEqual(await show(two.id), two)
    await remove(one, two)
  })

  it('is created under the next free id after a client took one', async () => {
    const first = await created({ url: 'https://a.test' })
    const chosen = await created({ url: 'https://b.test', id: first.id + 1 })
    const { status, json } = await post({ url: 'https://c.test' })
    await remove(first, chosen, ...(status === 201 ? [json] : []))
    assert.equal(status, 201)
  })

  it('keeps id and times where they are sent as null', async () => {
    const record = await created({ url: 'https://a.test', created_at: LONG_AGO })
    const { status } = await patch(record.id, { id: null, created_at: null, updated_at: '', description: 'x' })
    const latter = await show(record.id)
    await remove(record)
    assert.equal(status, 200)
    assert.deepEqual([latter.id, latter.created_at, latter.description], [record.id, LONG_AGO, 'x'])
  })
})

describe('the secret of a service', () => {
  const found = async (secret: string) =>
    (await world.director.get(`/v2/endpoints?filter[secret]=${secret}`)).json.map(({ id }: Service) => id)

  it('is found by its whole text and never said', async () => {
    const record = await created({ url: 'https://a.test', secret: 'canary-one' })
    assert.deepEqual(record, await show(record.id))
    assert.ok(!('secret' in record))
    assert.deepEqual(await found('canary-one'), [record.id])
    assert.deepEqual(await found('canary-two,canary-one'), [record.id])
    assert.deepEqual(await found('canary'), [])
    for (const path of [`/${record.id}`, '', '?filter[secret]=canary-one', '?sort=secret', '?sort=-secret']) {
      const { status, text } = await world.director.get(`/v2/endpoints${path}`)
      assert.equal(status, 200)
      assert.ok(!text.includes('canary'), path)
    }
    await remove(record)
  })

  it('changes, and goes when it is blanked', async () => {
    const record = await created({ url: 'https://a.test', secret: 'canary-one' })
    for (const [secret, former] of [
      ['canary-two', 'canary-one'],
      ['', 'canary-two'],
      ['canary-three', ''],
      [null, 'canary-three'],
    ] as const) {
      const { status, text } = await patch(record.id, { secret })
      assert.equal(status, 200)
      assert.ok(!text.includes('canary'))
      assert.deepEqual([await found(former), await found(secret ?? '')], [[], [record.id]])
    }
    await remove(record)
  })

  it('is in no table as it was sent, not even under an Idempotency-Key', async () => {
    const endpoint = { url: 'https://a.test', secret: 'canary-three' }
    const { json } = await world.director.post('/v2/endpoints', { endpoint }, { 'idempotency-key': 'with-a-secret' })
    const stored = await everythingStored(world.database)
    assert.ok(stored.includes('https://a.test'))
    for (const text of ['canary-three', Buffer.from('canary-three').toString('hex'), btoa('canary-three')]) {
      assert.ok(!stored.includes(text))
    }
    await remove(json)
  })

  it('is sealed differently each time, so that equal ones do not show', async () => {
    const twins = [
      await created({ url: 'https://a.test', secret: 'canary-four' }),
      await created({ url: 'https://b.test', secret: 'canary-four' }),
    ]
    const rows = await world.database.rows('select distinct secret from endpoints where id = any($1)', [
      twins.map(({ id }) => id),
    ])
    assert.equal(rows.length, 2)
    await remove(...twins)
  })
})
