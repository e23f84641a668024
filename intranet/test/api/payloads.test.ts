import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { FormData, type Response } from '@campus/test/support/client'

type Values = Readonly<Record<string, string>>
type Transport = (method: string, path: string, wrapper: string, values: Values) => Promise<Response>

let world: World
let ada: number
let paris: number

before(async () => {
  world = await openCampus()
  ada = await world.build.user({ login: 'ada' })
  paris = await world.build.campus({ slug: 'paris' })
})
after(() => world.close())

const bracketed = (wrapper: string, values: Values, brackets = ['[', ']']) =>
  Object.entries(values).map(([name, value]) => [`${wrapper}${brackets[0]}${name}${brackets[1]}`, value] as const)
const encoded = (wrapper: string, values: Values, brackets?: string[]) =>
  bracketed(wrapper, values, brackets)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Places for a payload (spec: requests 8). Formats other than JSON can only send text. */
const TRANSPORTS: Readonly<Record<string, Transport>> = {
  'a JSON body': (method, path, wrapper, values) =>
    world.staff.request(method, path, { body: { [wrapper]: { ...values } } }),
  'a form with raw brackets': (method, path, wrapper, values) =>
    world.staff.request(method, path, { body: encoded(wrapper, values), headers: form }),
  'a form with brackets in percent-encoding': (method, path, wrapper, values) =>
    world.staff.request(method, path, { body: encoded(wrapper, values, ['%5B', '%5D']), headers: form }),
  'a multipart body': (method, path, wrapper, values) => {
    const body = new FormData()
    for (const [name, value] of bracketed(wrapper, values)) body.append(name, value)
    return world.staff.request(method, path, { body })
  },
  'the query string of an empty body': (method, path, wrapper, values) =>
    world.staff.request(method, `${path}?${encoded(wrapper, values)}`),
  'the query string, in percent-encoding': (method, path, wrapper, values) =>
    world.staff.request(method, `${path}?${encoded(wrapper, values, ['%5B', '%5D'])}`),
  'the query string of a form without fields': (method, path, wrapper, values) =>
    world.staff.request(method, `${path}?${encoded(wrapper, values)}`, { body: '', headers: form }),
  'the query string of JSON without a body': (method, path, wrapper, values) =>
    world.staff.request(method, `${path}?${encoded(wrapper, values)}`, {
      body: '',
      headers: { 'content-type': 'application/json' },
    }),
}

for (const [name, send] of Object.entries(TRANSPORTS)) {
  describe(`a payload in ${name}`, () => {
    const values = () => ({ user_id: String(ada), campus_id: String(paris), host: 'é & = + %41', primary: 'false' })
    const times = { begin_at: '2017-11-25 13:43:10 UTC', end_at: '2017-11-25T15:43:10+01:00', floor: '' }

    it('creates and changes a record, whatever is text in it', async () => {
      const { status, json, text } = await send('POST', '/v2/locations', 'location', { ...values(), ...times })
      assert.equal(status, 201, text)
      const { user, id, ...record } = json
      assert.equal(user.id, ada)
      assert.deepEqual(record, {
        begin_at: '2017-11-25T13:43:10.000Z',
        end_at: '2017-11-25T14:43:10.000Z',
        primary: false,
        floor: null,
        row: null,
        post: null,
        host: 'é & = + %41',
        campus_id: paris,
      })
      for (const method of ['PATCH', 'PUT']) {
        const { status } = await send(method, `/v2/locations/${id}`, 'location', { host: method, primary: 'true' })
        assert.equal(status, 204)
        const { host, primary } = (await world.staff.get(`/v2/locations/${id}`)).json
        assert.deepEqual([host, primary], [method, true])
      }
      assert.equal((await world.staff.delete(`/v2/locations/${id}`)).status, 204)
    })

    it('below a parent need not name the parent, and names no other', async () => {
      const bob = await world.build.user()
      const sent = { campus_id: String(paris), host: 'below' }
      const other = await send('POST', '/v2/users/ada/locations', 'location', { ...sent, user_id: String(bob) })
      assert.deepEqual([other.status, Object.keys(other.json.errors)], [422, ['user_id']])
      const { status, json } = await send('POST', '/v2/users/ada/locations', 'location', sent)
      assert.deepEqual([status, json.user.login], [201, 'ada'])
      const path = `/v2/users/ada/locations/${json.id}`
      assert.equal((await send('PATCH', path, 'location', { host: 'still below' })).status, 204)
      assert.equal(
        (await send('PATCH', `/v2/users/${bob}/locations/${json.id}`, 'location', { host: 'x' })).status,
        404,
      )
      assert.equal((await world.staff.get(`/v2/locations/${json.id}`)).json.host, 'still below')
      assert.equal((await world.staff.delete(`/v2/locations/${json.id}`)).status, 204)
    })

    it('is refused where it names what nobody knows', async () => {
      const { status, json } = await send('POST', '/v2/locations', 'location', { ...values(), shoe_size: '43' })
      assert.deepEqual([status, json.errors], [422, { shoe_size: ['is not accepted'] }])
    })
  })
}

describe('a value', () => {
  /** Returns the stored value of a field of a new location. */
  async function becomes(field: string, value: unknown): Promise<unknown> {
    const location = { user_id: ada, campus_id: paris, host: 'value', begin_at: '2026-01-01', [field]: value }
    const { status, json, text } = await world.staff.post('/v2/locations', { location })
    assert.equal(status, 201, text)
    await world.staff.delete(`/v2/locations/${json.id}`)
    return json[field]
  }

  for (const value of [true, 'true', 'TRUE', ' true ', 1, '1', 't', 'on', 'yes']) {
    it(`${JSON.stringify(value)} is yes`, async () => assert.equal(await becomes('primary', value), true))
  }
  for (const value of [false, 'false', 'False', 0, '0', 'f', 'off', 'no']) {
    it(`${JSON.stringify(value)} is no`, async () => assert.equal(await becomes('primary', value), false))
  }
  for (const value of [null, '', '   ']) {
    it(`${JSON.stringify(value)} is nothing`, async () => {
      assert.equal(await becomes('end_at', value), null)
      assert.equal(await becomes('floor', value), null)
    })
    it(`${JSON.stringify(value)} asks for the default where there is one`, async () => {
      assert.equal(await becomes('primary', value), true)
    })
  }
  for (const [value, written] of [
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05+01:30', '2026-01-02T01:34:05.000Z'],
    ['2026-01-02T03:04:05-0800', '2026-01-02T11:04:05.000Z'],
    ['2026-01-02 03:04:05 UTC', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05 +0000', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05  0000', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05 01:30', '2026-01-02T01:34:05.000Z'],
    ['2026-01-02 03:04:05.000Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    [' 2026-01-02 03:04:05 UTC ', '2026-01-02T03:04:05.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ] as const) {
    it(`${JSON.stringify(value)} is ${written}`, async () => assert.equal(await becomes('begin_at', value), written))
  }
  for (const [value, written] of [
    ['64', 64],
    [64, 64],
    [' 64 ', 64],
    ['+64', 64],
    ['-64', -64],
    [0, 0],
    ['2147483647', 2_147_483_647],
  ] as const) {
    it(`${JSON.stringify(value)} is the number ${written}`, async () => {
      const prefer = { prefer: 'return=representation' }
      const id = await world.build.user()
      const { json } = await world.director.patch(`/v2/users/${id}`, { user: { wallet: value } }, prefer)
      assert.equal(json.wallet, written)
    })
  }
  for (const text of ['64', 'true', 'null', '  x  ', '<b>&"\'\\', 'Ünïcödé 🎓 你好', "'; drop table users"]) {
    it(`${JSON.stringify(text)} is kept as text`, async () => assert.equal(await becomes('host', text), text))
  }
  for (const reason of ['a\nb\tc', 'a\u2028b']) {
    it(`${JSON.stringify(reason)} is stored as text of several lines`, async () => {
      const close = { user_id: await world.build.user(), kind: 'other', reason }
      const { status, json, text } = await world.director.post('/v2/closes', { close })
      assert.equal(status, 201, text)
      assert.equal(json.reason, reason)
    })
  }

  it('that is missing is the moment of the call where a location begins', async () => {
    const location = { user_id: ada, campus_id: paris, host: 'now' }
    const { json } = await world.staff.post('/v2/locations', { location })
    await world.staff.delete(`/v2/locations/${json.id}`)
    assert.equal(json.begin_at, world.clock.now().toISOString())
  })

  it('for an end before the beginning is refused, at creation and later', async () => {
    const location = { user_id: ada, campus_id: paris, host: 'end', begin_at: '2026-01-02', end_at: '2026-01-01' }
    const { status, json } = await world.staff.post('/v2/locations', { location })
    assert.deepEqual([status, json.errors], [422, { end_at: ['must not be before begin_at'] }])
    const id = await world.build.location({ user_id: ada, campus_id: paris, begin_at: '2026-01-02T00:00:00Z' })
    const update = await world.staff.patch(`/v2/locations/${id}`, { location: { end_at: '2026-01-01' } })
    assert.equal(update.status, 422)
    assert.equal((await world.staff.get(`/v2/locations/${id}`)).json.end_at, null)
  })
})

describe('the rules for a new user', () => {
  for (const [what, change] of [
    ['control characters', { first_name: 'A\u0007da' }],
    ['more than 255 characters', { pool_year: '2'.repeat(256) }],
    ['blanks around a name', { last_name: '  Byron  ' }],
  ] as const) {
    it(`hold for a change too: ${what}`, async () => {
      const person = { email: `${Object.keys(change)}@campus.test`, first_name: 'X', last_name: 'Y', kind: 'student' }
      const created = await world.director.post('/v2/users', { user: { ...person, ...change } })
      const id = await world.build.user()
      const prefer = { prefer: 'return=representation' }
      const changed = await world.director.patch(`/v2/users/${id}`, { user: change }, prefer)
      assert.equal(changed.status === 200, created.status === 201)
      if (changed.status === 200) assert.equal(changed.json.last_name, 'Byron')
    })
  }
})

describe('the payload that the reference documents', () => {
  it('of a cursus_user may say skip_begin_validation', async () => {
    const cursus_user = { user_id: ada, cursus_id: await world.build.cursus(), skip_begin_validation: true }
    assert.equal((await world.director.post('/v2/cursus_users', { cursus_user })).status, 201)
  })

  it('of a user may say user_candidature_attributes', async () => {
    const user = {
      email: 'x@campus.test',
      first_name: 'X',
      last_name: 'Y',
      kind: 'student',
      user_candidature_attributes: {},
    }
    assert.equal((await world.director.post('/v2/users', { user })).status, 201)
  })

  it('of a user may say campus_id, cursus_id and skip_welcome_mail', async () => {
    const cursus_id = await world.build.cursus()
    const person = { email: 'kay@campus.test', first_name: 'Kay', last_name: 'McNulty', kind: 'student' }
    const more = { campus_id: String(paris), cursus_id, skip_welcome_mail: 'true' }
    const { status, json } = await world.director.post('/v2/users', { user: { ...person, ...more } })
    assert.equal(status, 201)
    const { campus_users, cursus_users } = (await world.director.get(`/v2/users/${json.id}`)).json
    assert.deepEqual([campus_users[0].campus_id, campus_users[0].is_primary], [paris, true])
    assert.deepEqual([cursus_users.length, cursus_users[0].cursus_id], [1, cursus_id])
  })

  it('of a user that names another campus makes that one the primary', async () => {
    const lyon = await world.build.campus()
    const user = await world.build.user()
    await world.build.record('campus_users', { user_id: user, campus_id: paris, is_primary: true })
    assert.equal((await world.director.patch(`/v2/users/${user}`, { user: { campus_id: lyon } })).status, 204)
    const { campus_users } = (await world.director.get(`/v2/users/${user}`)).json
    const primaries = campus_users.map(({ campus_id, is_primary }: Record<string, unknown>) => [campus_id, is_primary])
    assert.deepEqual(primaries.toSorted(), [
      [paris, false],
      [lyon, true],
    ])
  })
})
