import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { callsMade } from '@campus/test/support/calls-made'
import { campus, type World } from '@campus/test/support/campus'
import { forgetDeliveries } from '@campus/test/support/forget-deliveries'

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
type Row = any

describe('webhook events', () => {
  let world: World
  let campusId: number
  let endpoint: number
  before(async () => {
    world = await campus()
    // The port is closed. The tests only check the recorded deliveries.
    endpoint = await world.build.record('endpoints', { url: 'https://127.0.0.1:9/hooks', active: true })
    campusId = await world.build.campus({
      name: 'Lyon',
      slug: 'lyon',
      endpoint_id: endpoint,
      main_email: 'a@lyon.test',
    })
  })
  after(() => world.close())
  beforeEach(() => forgetDeliveries(world.database))

  /** Newest last. */
  const recorded = async (): Promise<Row[]> => {
    await callsMade(world.database)
    return world.database.kysely.selectFrom('deliveries').selectAll().orderBy('id').execute()
  }
  const events = async () => (await recorded()).map(({ event, login }) => `${event} ${login}`)
  const person = (login: string, more: object = {}) => ({
    email: `${login}@lyon.test`,
    first_name: 'Ada',
    last_name: 'Byron',
    login,
    kind: 'student',
    ...more,
  })

  async function student(login: string): Promise<number> {
    const created = await world.director.post('/v2/users', { user: person(login, { campus_id: campusId }) })
    assert.equal(created.status, 201)
    await forgetDeliveries(world.database)
    return created.json.id
  }

  it('a new user, once, with the record of the specification', async () => {
    const image = 'https://cdn.campus.test/users/ada.jpg'
    const user = person('ada', { campus_id: campusId, image, pool_year: '2026', pool_month: 'march', phone: '+33 1' })
    const { json } = await world.director.post('/v2/users', { user })
    const [delivery, ...others]: Row[] = await recorded()
    assert.deepEqual(others, [])
    assert.equal(delivery.event, 'created')
    const [place]: Row[] = (await world.database.kysely
      .selectFrom('campus' as never)
      .selectAll()
      .execute()) as Row[]
    const lyon = {
      id: campusId,
      name: 'Lyon',
      created_at: place.created_at.toISOString(),
      updated_at: place.updated_at.toISOString(),
      time_zone: 'UTC',
      language_id: place.language_id,
      slug: 'lyon',
      main_email: 'a@lyon.test',
      endpoint_id: endpoint,
      vogsphere_id: null,
    }
    assert.deepEqual(delivery.record, {
      uid: 'ada',
      login: 'ada',
      id: json.id,
      email: 'ada@lyon.test',
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
      image_url: '/users/ada.jpg',
      first_name: 'Ada',
      last_name: 'Byron',
      phone: '+33 1',
      pool_year: '2026',
      pool_month: 'march',
      kind: 'student',
      status: null,
      campus: [lyon],
      primary_campus: lyon,
    })
  })

  it('a new user whose campus comes along as a nested record', async () => {
    const campus_users_attributes = [{ campus_id: campusId }]
    await world.director.post('/v2/users', { user: person('nested', { campus_users_attributes }) })
    assert.deepEqual(await events(), ['created nested'])
  })

  it('a change of a user and one of the meta alone, but none that changes nothing', async () => {
    const id = await student('changed')
    for (const user of [{ first_name: 'Grace' }, { first_name: 'Grace' }, { meta: { group: 7 } }]) {
      assert.equal((await world.director.patch(`/v2/users/${id}`, { user })).status, 204)
    }
    assert.deepEqual(await events(), ['updated changed', 'updated changed'])
    const states = (await recorded()).map(({ secrets }) => secrets)
    assert.deepEqual(states, ['none', 'sealed'])
  })

  it('a new login under the one that the campus knows', async () => {
    const id = await student('before')
    await world.director.patch(`/v2/users/${id}`, { user: { login: 'after' } })
    const [delivery]: Row[] = await recorded()
    assert.equal(delivery.login, 'before')
    assert.equal(delivery.record.login, 'after')
  })

  it('one delivery for all that a request does', async () => {
    const id = await student('much')
    const other = await world.build.campus({ endpoint_id: endpoint })
    const user = { first_name: 'Grace', campus_users_attributes: [{ campus_id: other, is_primary: false }] }
    await world.director.patch(`/v2/users/${id}`, { user })
    const [delivery, ...others]: Row[] = await recorded()
    assert.deepEqual(others, [])
    assert.deepEqual(
      delivery.record.campus.map((place: Row) => place.id),
      [campusId, other],
    )
  })

  it('each distinct endpoint of the campuses once, and none that is switched off', async () => {
    const second = await world.build.record('endpoints', { url: 'https://127.0.0.1:9', active: true })
    const silent = await world.build.record('endpoints', { url: 'https://127.0.0.1:9', active: false })
    const id = await student('travels')
    for (const endpoint_id of [endpoint, second, silent]) {
      const campus_id = await world.build.campus({ endpoint_id })
      await world.director.post('/v2/campus_users', { campus_user: { user_id: id, campus_id, is_primary: false } })
    }
    await forgetDeliveries(world.database)
    await world.director.patch(`/v2/users/${id}`, { user: { first_name: 'Grace' } })
    assert.deepEqual((await recorded()).map(({ endpoint_id }) => endpoint_id).sort(), [endpoint, second].sort())
  })

  it('joining, leaving and changing the primary campus, but nothing that leaves the record as it was', async () => {
    const id = await student('moves')
    const elsewhere = await world.build.campus()
    const joining = { campus_user: { user_id: id, campus_id: elsewhere, is_primary: false } }
    const { json } = await world.director.post('/v2/campus_users', joining)
    assert.deepEqual(await events(), ['updated moves'])
    await world.director.patch(`/v2/campus_users/${json.id}`, { campus_user: { is_primary: false } })
    assert.deepEqual(await events(), ['updated moves'])
    await world.director.delete(`/v2/campus_users/${json.id}`)
    assert.deepEqual(await events(), ['updated moves', 'updated moves'])
    const [, left]: Row[] = await recorded()
    assert.equal(left.record.campus.length, 1)
  })

  it('each close, and the lifting of the last one', async () => {
    const id = await student('closed')
    const close = { user_id: id, kind: 'other', reason: 'Away' }
    const first = await world.director.post('/v2/closes', { close })
    const second = await world.director.post('/v2/closes', { close: { ...close, reason: 'Far away' } })
    // A call has the record as it is when the call is made.
    assert.deepEqual(await events(), ['closed closed', 'closed closed'])
    await world.director.patch(`/v2/closes/${first.json.id}/unclose`)
    assert.deepEqual(await events(), ['closed closed', 'closed closed'])
    assert.equal((await world.director.patch(`/v2/closes/${first.json.id}/unclose`)).status, 422)
    await world.director.delete(`/v2/closes/${second.json.id}`)
    assert.deepEqual(await events(), ['closed closed', 'closed closed', 'unclosed closed'])
    const [shut, , opened]: Row[] = await recorded()
    assert.deepEqual(shut.record, {
      id: first.json.id,
      user_id: id,
      closer_id: null,
      reason: 'Away',
      state: 'close',
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
    })
    assert.deepEqual(opened.record, {})
  })

  it('nothing of what is refused or rolled back', async () => {
    const id = await student('refused')
    const bad = { first_name: 'Grace', campus_users_attributes: [{ campus_id: 999_999 }] }
    assert.equal((await world.director.patch(`/v2/users/${id}`, { user: bad })).status, 422)
    const taken = person('refused', { campus_id: campusId })
    assert.equal((await world.director.post('/v2/users', { user: taken })).status, 422)
    await assert.rejects(
      world.database.transaction(async (tx) => {
        await tx.rows("update users set first_name = 'Phantom' where id = $1", [id])
        throw new Error('no')
      }),
    )
    assert.deepEqual(await events(), [])
  })

  it('what is done by hand in the database', async () => {
    const id = await student('byhand')
    await world.database.rows("update users set status = 'alumni' where id = $1", [id])
    await world.database.rows('update users set last_seen_at = now(), wallet = 7 where id = $1', [id])
    assert.deepEqual(await events(), ['updated byhand'])
  })

  it('the passwords of many in one transaction, each with their own', async () => {
    const ids = [await student('many1'), await student('many2')]
    await world.director.patch(`/v2/users/${ids[0]}`, { user: { password: 'correct horse' } })
    const rows = await recorded()
    assert.equal(rows[0]?.secrets, 'sealed')
    assert.ok(!JSON.stringify(rows).includes('correct horse'))
    const [digest] = await world.database.rows('select password_digest from users where id = $1', [ids[0]])
    assert.match(String(digest?.[0]), /^\$argon2id\$/)
  })
})
