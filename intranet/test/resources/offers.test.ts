import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const NOW = '2026-03-02T10:00:00.000Z'
const OFFER = {
  title: 'Gardener of robots',
  little_description: 'Robots grow in our garden.',
  big_description: 'You water them.',
  contract_type: 'stage',
  email: 'robots@garden.test',
  address: '1 Garden Street',
  city: 'Lyon',
  zip: '69000',
  country: 'France',
  valid_at: '2026-03-01T00:00:00Z',
  invalid_at: '2026-05-01T00:00:00Z',
  min_duration: 4,
  target: 'student',
}

describe('offers', () => {
  let world: World
  let companies: Client

  before(async () => {
    world = await openCampus({ now: NOW })
    companies = await world.caller({ roles: ['Companies Manager'] })
  })
  after(() => world.close())

  const post = (values: object = {}) => companies.post('/v2/offers', { offer: { ...OFFER, ...values } })
  const make = async (values: object = {}): Promise<number> => {
    const { status, json, text } = await post(values)
    assert.equal(status, 201, text)
    return json.id
  }
  const found = async (query: string): Promise<number[]> => {
    const { status, json, text } = await world.visitor.get(`/v2/offers?${query}&sort=id`)
    assert.equal(status, 200, text)
    return json.map(({ id }: { id: number }) => id)
  }
  const people = async (count: number) =>
    Promise.all(Array.from({ length: count }, () => world.build.user())) as Promise<[number, number, number]>

  it('live through creation, lists, changes and removal', async () => {
    const [first] = await assertLifecycle(companies, {
      resource: 'offers',
      singular: 'offer',
      payloads: [OFFER, { ...OFFER, title: 'Writer of letters', max_duration: '6', latitude: '45.7', longitude: 4.8 }],
      sort: 'title',
      change: { salary: '1,000 a month', invalid_at: '2026-06-01T00:00:00.000Z' },
    })
    assert.equal(first.salary, '')
    assert.equal(first.full_address, '1 Garden Street, 69000 Lyon, France')
    assert.equal(first.slug, 'gardener-of-robots')
    for (const name of [
      'title',
      'little_description',
      'big_description',
      'email',
      'contract_type',
      'salary',
      'full_address',
    ])
      assert.equal(typeof first[name], 'string', name)
  })

  it('may have the same title as another', async () => {
    const ids = [await make({ title: 'Twice' }), await make({ title: 'Twice' })]
    assert.deepEqual(await found('filter[slug]=twice'), ids)
  })

  it('say what they need, and hold to the lengths and order of the documentation', async () => {
    const missing = await companies.post('/v2/offers', { offer: {} })
    assert.deepEqual(Object.keys(missing.json.errors).sort(), Object.keys(OFFER).sort())
    for (const [values, field] of [
      [{ title: 'x'.repeat(256) }, 'title'],
      [{ little_description: 'x'.repeat(141) }, 'little_description'],
      [{ salary: 'x'.repeat(256) }, 'salary'],
      [{ contract_type: 'slavery' }, 'contract_type'],
      [{ target: 'everybody' }, 'target'],
      [{ email: 'nobody' }, 'email'],
      [{ invalid_at: OFFER.valid_at }, 'invalid_at'],
      [{ max_duration: 3 }, 'max_duration'],
      [{ min_duration: -1 }, 'min_duration'],
      [{ latitude: 91 }, 'latitude'],
      [{ campus_ids: [9999] }, 'campus_ids'],
    ] as const) {
      const { status, json } = await post(values)
      assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]], field)
    }
  })

  it('are valid from one time to another, and invalid before and after', async () => {
    const [now, past, future] = [
      await make({ title: 'Now', salary: 'valid' }),
      await make({ valid_at: '2026-01-01T00:00:00Z', invalid_at: NOW, salary: 'valid' }),
      await make({ valid_at: '2026-03-02T10:00:00.001Z', salary: 'valid' }),
    ]
    assert.deepEqual(await found('filter[salary]=valid&filter[valid]=true'), [now])
    assert.deepEqual(await found('filter[salary]=valid&filter[valid]=false'), [past, future])
    assert.deepEqual(await found('filter[salary]=valid&filter[invalid]=true'), [past, future])
    assert.deepEqual(await found('filter[salary]=valid&filter[invalid]=false'), [now])
  })

  it('are found by the crafts that they ask for, by campus, and by who found fault with them', async () => {
    const craft = await world.build.record('expertises', { name: 'Pruning', slug: 'pruning', kind: 'other' })
    const other = await world.build.record('expertises', { name: 'Mowing', slug: 'mowing', kind: 'other' })
    const place = await world.build.campus()
    const both = await make({ salary: 'found', expertise_ids: [craft, other], campus_ids: [place], reported: true })
    const one = await make({ salary: 'found', expertise_ids: String(other) })
    const none = await make({ salary: 'found' })
    const among = (query: string) => found(`filter[salary]=found&${query}`)
    assert.deepEqual(await among(`filter[expertise_id]=${craft}`), [both])
    assert.deepEqual(await among('filter[expertise]=Mowing'), [both, one])
    assert.deepEqual(await among('filter[expertise]=Pruning,Mowing'), [both, one])
    assert.deepEqual(await among('filter[expertise]='), [none])
    assert.deepEqual(await among('filter[expertise]=Pruning,'), [both, none])
    assert.deepEqual(await among('filter[expertise]=mowing'), [])
    assert.deepEqual(await among(`filter[campus_id]=${place}`), [both])
    assert.deepEqual(await among('filter[reported]=true'), [both])
    assert.deepEqual(await among('filter[reported]=false'), [one, none])
    const { json } = await world.visitor.get(`/v2/offers/${both}`)
    assert.deepEqual([json.expertise_ids, json.campus_ids], [[craft, other], [place]])
    // Records that offers refer to are in use.
    const staff = world.director
    assert.match((await staff.delete('/v2/expertises/mowing')).json.errors.base[0], /still used by 2 offers_expertises/)
  })

  it('are applied for once by each user, which companies see and nobody else', async () => {
    const [ada, ben] = await people(2)
    const [offer, other] = [await make(), await make()]
    const [first] = await assertLifecycle(companies, {
      resource: 'offers_users',
      singular: 'offers_user',
      payloads: [
        { offer_id: offer, user_id: ada },
        { offer_id: String(offer), user_id: ben },
      ],
      sort: 'user_id',
      change: { validated_at: '2026-03-02T09:00:00.000Z' },
    })
    assert.deepEqual(Object.keys(first), [
      ...['id', 'offer_id', 'user_id', 'validated_at', 'created_at', 'updated_at', 'user', 'offer'],
    ])
    const again = await companies.post('/v2/offers_users', { offers_user: { offer_id: offer, user_id: ada } })
    assert.deepEqual(again.json.errors, { user_id: ['has already been taken'] })
    const idsOf = async (path: string) => (await companies.get(path)).json.map(({ id }: { id: number }) => id)
    assert.deepEqual(await idsOf(`/v2/offers/${offer}/offers_users?filter[validated]=true`), [first.id])
    assert.deepEqual(await idsOf(`/v2/offers/${offer}/offers_users?filter[validated]=false`), [])
    assert.deepEqual(await idsOf(`/v2/offers/${other}/offers_users`), [])
    assert.deepEqual(await idsOf(`/v2/users/${ada}/offers_users`), [first.id])
    const themselves = await world.caller({ user: ada, scopes: ['public', 'profile', 'projects'] })
    for (const [caller, query, expected] of [
      [companies, `filter[user_id]=${ada}`, [offer]],
      [companies, `filter[user_id]=${ada},99999999999`, [offer]],
      [themselves, `filter[user_id]=${ada}`, [offer]],
      [themselves, `filter[user_id]=${ada},${ben}`, []],
      [themselves, `filter[user_id]=${ben}`, []],
      [themselves, `filter[user_id]=`, []],
      [world.visitor, `filter[user_id]=${ada}`, []],
      [world.director, `filter[user_id]=${ada}`, []],
    ] as const) {
      const { status, json, headers, text } = await caller.get(`/v2/offers?${query}`)
      assert.equal(status, 200, text)
      assert.deepEqual(
        [json.map(({ id }: { id: number }) => id), headers.get('x-total')],
        [expected, `${expected.length}`],
      )
    }
    for (const caller of [themselves, world.visitor, world.director]) {
      assert.equal((await caller.get(`/v2/users/${ada}/offers_users`)).status, 403)
      assert.equal(
        (await caller.post('/v2/offers_users', { offers_user: { offer_id: other, user_id: ada } })).status,
        403,
      )
    }
    assert.match((await companies.delete(`/v2/offers/${offer}`)).json.errors.base[0], /still used by 1 offers_users/)
  })
})

describe('internships', () => {
  let world: World
  let companies: Client

  before(async () => {
    world = await openCampus({ now: NOW })
    companies = await world.caller({ roles: ['Companies Manager'] })
  })
  after(() => world.close())

  it('live through creation, lists, changes and removal', async () => {
    const [ada, ben] = [await world.build.user(), await world.build.user()]
    const dates = { start_at: '2026-04-01T00:00:00Z', end_at: '2026-10-01T00:00:00Z' }
    const language_id = await world.build.language()
    const [first] = await assertLifecycle(companies, {
      resource: 'internships',
      singular: 'internship',
      payloads: [
        { user_id: ada, ...dates, language_id, days: '["monday"]', salary: 900.5, currency: 'EUR', user_city: 'Lyon' },
        { user_id: ben, ...dates, start_at: '2026-05-01T00:00:00Z' },
      ],
      sort: 'start_at',
      change: { state: 'generated', company_boss_user_email: 'boss@garden.test', internship_postal: '69001' },
    })
    assert.deepEqual(
      [first.state, first.days, first.offer_id, first.user.id, first.user_city, first.convention],
      ['none', '["monday"]', null, ada, 'Lyon', { convention: { url: null } }],
    )
    const convention_url = 'https://garden.test/agreement.pdf'
    await companies.patch(`/v2/internships/${first.id}`, { internship: { convention_url } })
    const { json } = await companies.get(`/v2/users/${ada}/internships?filter[state]=generated`)
    assert.deepEqual(json[0].convention, { convention: { url: convention_url } })
  })

  it('end after they begin, and have days as JSON text', async () => {
    const user_id = await world.build.user()
    const dates = { start_at: '2026-04-01T00:00:00Z', end_at: '2026-04-02T00:00:00Z' }
    for (const [values, field] of [
      [{ end_at: dates.start_at }, 'end_at'],
      [{ days: 'monday' }, 'days'],
      [{ state: 'running' }, 'state'],
      [{ offer_id: 99 }, 'offer_id'],
      [{ salary: -1 }, 'salary'],
    ] as const) {
      const { status, json } = await companies.post('/v2/internships', { internship: { user_id, ...dates, ...values } })
      assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]])
    }
    const { json } = await companies.post('/v2/internships', { internship: {} })
    assert.deepEqual(Object.keys(json.errors).sort(), ['end_at', 'start_at', 'user_id'])
  })

  it('are for companies managers alone, not for those whom they are about', async () => {
    const user = await world.build.user()
    const themselves = await world.caller({ user, scopes: ['public', 'profile'] })
    for (const caller of [themselves, world.visitor, world.director]) {
      assert.equal((await caller.get(`/v2/users/${user}/internships`)).status, 403)
    }
  })
})
