import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Response } from '@campus/test/support/client'
import { rowCounts } from '@campus/test/support/database-contents'

type Values = Record<string, unknown>

let world: World
/** Ids of records that other records refer to, by name. */
const ids: Record<string, number> = {}

before(async () => {
  world = await openCampus()
  const { campus, cursus, language, record, user } = world.build
  for (const name of ['paris', 'lyon']) ids[name] = await campus({ slug: name })
  for (const name of ['piscine', 'long']) ids[name] = await cursus({ slug: name })
  for (const name of ['french', 'german']) ids[name] = await language()
  for (const name of ['unix', 'rigor']) ids[name] = await record('skills', { name, slug: name })
  for (const name of ['ada', 'bob']) ids[name] = await user({ login: name })
})
after(() => world.close())

type Resource = {
  readonly singular: string
  /** `sent` is the payload of a creation, and `shown` the created record without `id` and its times. */
  readonly sent: () => Values
  readonly shown: () => Values
  /** Returns the payload of a second record, to test sorting. */
  readonly other: () => Values
  readonly change: Values
  readonly changed: Values
  /** Values that the list filters by but may not show. */
  readonly hidden?: Values
  readonly sortedBy: string
  readonly required: readonly string[]
  /** Required fields that may be empty. */
  readonly mayBeEmpty?: readonly string[]
  /** Fields that must name a record. */
  readonly references?: readonly string[]
  /** Maximum number of characters of each text. */
  readonly maxLength?: Readonly<Record<string, number>>
  /** The field that the error names if an equal record exists. */
  readonly unique?: string
}

const FAMILIES: Readonly<Record<string, Resource>> = {
  languages: {
    singular: 'language',
    sent: () => ({ name: 'Irish', identifier: 'ga' }),
    shown: () => ({ name: 'Irish', identifier: 'ga' }),
    other: () => ({ name: 'Welsh', identifier: 'cy' }),
    change: { name: 'Gaeilge' },
    changed: { name: 'Gaeilge', identifier: 'ga' },
    sortedBy: 'identifier',
    required: ['name', 'identifier'],
    maxLength: { name: 255, identifier: 10 },
    unique: 'identifier',
  },
  campus: {
    singular: 'campus',
    sent: () => ({
      name: 'Cork',
      time_zone: 'Europe/Dublin',
      language_id: ids.french,
      city: 'Cork',
      country: 'Ireland',
      address: '1, Grand Parade',
      zip: 'T12',
      website: 'https://cork.test',
      facebook: 'f',
      twitter: 't',
      vogsphere_id: '12',
      active: 'false',
      public: true,
      email_extension: 'cork.test',
      default_hidden_phone: 'true',
      main_email: 'a@cork.test',
      content_email: 'b@cork.test',
      companies_mail: 'c@cork.test',
      logo: 'https://l.test',
      display_name: '42 Cork',
      help_url: 'https://help.test',
      tig_email: 'd@cork.test',
      minimum_slot_duration: 30,
      pro_needs_validation: false,
      open_to_job_offers: false,
      alumni_system: true,
      slug: 'cork-city',
      manual_alumnization_before_first_internship: true,
      time_of_community_service_started: '08:00',
    }),
    shown: () => ({
      name: 'Cork',
      time_zone: 'Europe/Dublin',
      city: 'Cork',
      country: 'Ireland',
      address: '1, Grand Parade',
      zip: 'T12',
      website: 'https://cork.test',
      facebook: 'f',
      twitter: 't',
      vogsphere_id: 12,
      active: false,
      public: true,
      email_extension: 'cork.test',
      default_hidden_phone: true,
      users_count: 0,
      endpoint: null,
    }),
    hidden: {
      slug: 'cork-city',
      main_email: 'a@cork.test',
      content_email: 'b@cork.test',
      companies_mail: 'c@cork.test',
      logo: 'https://l.test',
      display_name: '42 Cork',
      help_url: 'https://help.test',
      tig_email: 'd@cork.test',
      minimum_slot_duration: 30,
      pro_needs_validation: false,
      open_to_job_offers: false,
      alumni_system: true,
      manual_alumnization_before_first_internship: true,
      time_of_community_service_started: '08:00',
    },
    other: () => ({ name: 'Derry', time_zone: 'Europe/London', language_id: ids.french }),
    change: { city: 'Corcaigh', active: true, address: '' },
    changed: { city: 'Corcaigh', active: true, address: null, country: 'Ireland' },
    sortedBy: 'name',
    required: ['name', 'time_zone', 'language_id'],
    maxLength: { name: 255, slug: 255, time_zone: 64 },
    references: ['language_id', 'endpoint_id'],
    unique: 'name',
  },
  cursus: {
    singular: 'cursus',
    sent: () => ({ name: 'Common Core', kind: 'main', restricted: 'true', is_subscriptable: 0 }),
    shown: () => ({ name: 'Common Core', slug: 'common-core', kind: 'main', users_count: 0 }),
    hidden: { restricted: true, is_subscriptable: false },
    other: () => ({ name: 'Discovery', kind: 'piscine' }),
    change: { name: 'Core', kind: 'test' },
    changed: { name: 'Core', slug: 'common-core', kind: 'test' },
    sortedBy: 'name',
    required: ['name'],
    maxLength: { name: 255, slug: 255 },
    unique: 'name',
  },
  skills: {
    singular: 'skill',
    sent: () => ({ name: 'Algorithms & AI' }),
    shown: () => ({ name: 'Algorithms & AI', slug: 'algorithms-ai' }),
    other: () => ({ name: 'Security', slug: 'safety' }),
    change: { slug: 'algo' },
    changed: { name: 'Algorithms & AI', slug: 'algo' },
    sortedBy: 'name',
    required: ['name'],
    maxLength: { name: 255, slug: 255 },
    unique: 'name',
  },
  users: {
    singular: 'user',
    sent: () => ({
      login: 'grace',
      email: 'grace@campus.test',
      first_name: 'Grace',
      last_name: 'Hopper',
      usual_first_name: 'Amazing',
      pool_year: 2016,
      pool_month: 'july',
      kind: 'admin',
      status: 'new',
      phone: '42',
      image: 'https://cdn.test/grace.png',
      email_stop: 'true',
      correction_point: '7',
      wallet: 12,
      anonymize_date: '2030-01-02',
      data_erasure_date: '2031-01-02 00:00:00 UTC',
      password: 'correct horse',
    }),
    shown: () => ({
      login: 'grace',
      email: 'grace@campus.test',
      first_name: 'Grace',
      last_name: 'Hopper',
      usual_first_name: 'Amazing',
      usual_full_name: 'Amazing Hopper',
      pool_year: '2016',
      pool_month: 'july',
      kind: 'admin',
      'staff?': true,
      phone: '42',
      correction_point: 7,
      wallet: 12,
      alumnized_at: null,
      anonymize_date: '2030-01-02T00:00:00.000+00:00',
      data_erasure_date: '2031-01-02T00:00:00.000+00:00',
    }),
    hidden: { status: 'new' },
    other: () => ({
      login: 'alan',
      email: 'alan@campus.test',
      first_name: 'Alan',
      last_name: 'Turing',
      kind: 'student',
    }),
    change: { first_name: 'Brewster', usual_first_name: '', kind: 'external', alumnized_at: '2026-03-01 00:00:00 UTC' },
    changed: {
      first_name: 'Brewster',
      usual_first_name: null,
      usual_full_name: 'Brewster Hopper',
      kind: 'external',
      'alumni?': true,
      alumnized_at: '2026-03-01T00:00:00.000Z',
    },
    sortedBy: 'login',
    required: ['email', 'first_name', 'last_name', 'kind'],
    mayBeEmpty: ['last_name'],
    maxLength: { first_name: 255, last_name: 255, usual_first_name: 42, email: 255 },
    references: ['campus_id', 'cursus_id'],
    unique: 'login',
  },
  campus_users: {
    singular: 'campus_user',
    sent: () => ({ user_id: String(ids.ada), campus_id: ids.paris, is_primary: 'true' }),
    shown: () => ({ user_id: ids.ada, campus_id: ids.paris, is_primary: true }),
    other: () => ({ user_id: ids.ada, campus_id: ids.lyon, is_primary: false }),
    change: { is_primary: 'false' },
    changed: { is_primary: false },
    sortedBy: 'campus_id',
    required: ['user_id', 'campus_id'],
    references: ['user_id', 'campus_id'],
  },
  cursus_users: {
    singular: 'cursus_user',
    sent: () => ({
      user_id: ids.ada,
      cursus_id: String(ids.piscine),
      begin_at: '2026-01-05 08:42:00 UTC',
      end_at: '',
      has_coalition: 'true',
      grade: 'Learner',
      level: '4.25',
      blackholed_at: '2026-12-01T00:00:00+02:00',
    }),
    shown: () => ({
      cursus_id: ids.piscine,
      begin_at: '2026-01-05T08:42:00.000Z',
      end_at: null,
      has_coalition: true,
      grade: 'Learner',
      level: 4.25,
      blackholed_at: '2026-11-30T22:00:00.000Z',
      skills: [],
    }),
    hidden: { user_id: 'ada' },
    other: () => ({ user_id: ids.bob, cursus_id: ids.piscine, begin_at: '2026-01-06T00:00:00Z', has_coalition: false }),
    change: { level: 5, end_at: '2026-06-01', grade: null },
    changed: { level: 5, end_at: '2026-06-01T00:00:00.000Z', grade: null, has_coalition: true },
    sortedBy: 'level',
    required: ['cursus_id', 'user_id'],
    references: ['cursus_id', 'user_id'],
    unique: 'cursus_id',
  },
  languages_users: {
    singular: 'languages_user',
    sent: () => ({ user_id: ids.ada, language_id: String(ids.french), position: '2' }),
    shown: () => ({ user_id: ids.ada, language_id: ids.french, position: 2 }),
    other: () => ({ user_id: ids.ada, language_id: ids.german }),
    change: { position: '1' },
    changed: { position: 1 },
    sortedBy: 'language_id',
    required: ['language_id', 'user_id'],
    references: ['language_id', 'user_id'],
    unique: 'language_id',
  },
  locations: {
    singular: 'location',
    sent: () => ({
      user_id: String(ids.ada),
      campus_id: ids.paris,
      host: 'e1r1p1',
      begin_at: '2017-11-25 13:43:10 UTC',
      primary: 'false',
      end_at: null,
      floor: '1',
      row: '2',
      post: '3',
    }),
    shown: () => ({
      campus_id: ids.paris,
      host: 'e1r1p1',
      begin_at: '2017-11-25T13:43:10.000Z',
      end_at: null,
      primary: false,
      floor: '1',
      row: '2',
      post: '3',
    }),
    hidden: { user_id: 'ada' },
    other: () => ({ user_id: ids.bob, campus_id: ids.paris, host: 'e1r1p2', begin_at: '2017-11-26T00:00:00Z' }),
    change: { end_at: '2017-11-25T15:00:00.25Z', primary: 1 },
    changed: { end_at: '2017-11-25T15:00:00.250Z', primary: true, host: 'e1r1p1' },
    sortedBy: 'host',
    required: ['user_id', 'host', 'campus_id'],
    maxLength: { host: 255 },
    references: ['user_id', 'campus_id'],
    unique: 'host',
  },
  endpoints: {
    singular: 'endpoint',
    sent: () => ({ url: 'https://a.test', description: ' ', secret: 'first-secret', active: 'true' }),
    shown: () => ({ url: 'https://a.test', description: null, campus: [] }),
    hidden: { secret: 'first-secret', active: true },
    other: () => ({ url: 'https://b.test' }),
    change: { url: 'https://c.test', description: 'The store' },
    changed: { url: 'https://c.test', description: 'The store' },
    sortedBy: 'url',
    required: ['url'],
    maxLength: { url: 2048, secret: 255 },
  },
}

const create = (resource: string, values: Values, headers = {}) =>
  world.director.post(`/v2/${resource}`, { [FAMILIES[resource]?.singular ?? '']: values }, headers)

async function created(resource: string, values: Values): Promise<Values & { id: number }> {
  const { status, json, text } = await create(resource, values)
  assert.equal(status, 201, text)
  return json
}

const show = async (resource: string, id: number) => (await world.director.get(`/v2/${resource}/${id}`)).json
const pick = (record: Values, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, record[name]]))

/** Asserts a 422 with errors of exactly these fields, and that no table has gained or lost rows. */
async function assertRefused(call: () => Promise<Response>, fields: readonly string[]): Promise<Response> {
  const untouched = await rowCounts(world.database)
  const response = await call()
  assert.equal(response.status, 422, response.text)
  assert.deepEqual(Object.keys(response.json.errors).sort(), [...fields].sort(), response.text)
  assert.deepEqual(await rowCounts(world.database), untouched)
  return response
}

/** Deletes the records of a test, except users, which no route deletes. */
async function remove(resource: string, ...records: { id: number }[]) {
  for (const { id } of records) {
    if (resource === 'users') await world.database.rows('delete from users where id = $1', [id])
    else assert.equal((await world.director.delete(`/v2/${resource}/${id}`)).status, 204)
  }
}

for (const [
  resource,
  { singular, required, mayBeEmpty = [], references = [], maxLength = {}, unique, sortedBy, ...values },
] of Object.entries(FAMILIES)) {
  describe(`a record of ${resource}`, () => {
    const path = `/v2/${resource}`
    const listed = async (query: string) =>
      (await world.director.get(`${path}?${query}`)).json.map(({ id }: { id: number }) => id)

    it('is created, and then shown as it was answered', async () => {
      const { status, json, headers } = await create(resource, values.sent())
      assert.equal(status, 201)
      const record = await show(resource, json.id)
      assert.deepEqual(pick(record, Object.keys(values.shown())), values.shown())
      if (resource === 'users') assert.deepEqual(Object.keys(json), ['id', 'login', 'url'])
      else assert.deepEqual(json, record)
      if ('created_at' in record) assert.equal(record.created_at, world.clock.now().toISOString())
      assert.equal(headers.get('location'), `${world.url}${path}/${json.id}`)
      await remove(resource, json)
    })

    it('is found by filters, ranges and in both orders', async () => {
      const record = await created(resource, values.sent())
      const other = await created(resource, values.other())
      const shown = await show(resource, record.id)
      const hidden = Object.entries(values.hidden ?? {}).map(([name, value]) => [name, ids[String(value)] ?? value])
      const filterable = [...hidden, ['id', record.id]].map(([name, value]) => `filter[${name}]=${value}`)
      for (const query of filterable) assert.ok((await listed(query)).includes(record.id), query)
      const both = `filter[id]=${record.id},${other.id}`
      assert.deepEqual(await listed(`${filterable.join('&')}`), [record.id])
      assert.deepEqual(await listed(`range[id]=${record.id},${record.id}`), [record.id])
      assert.deepEqual(await listed(`${both}&range[id]=${other.id},${other.id}`), [other.id])
      const order = await listed(`${both}&sort=${sortedBy}`)
      assert.deepEqual(order.toSorted(), [record.id, other.id].toSorted())
      assert.deepEqual(await listed(`${both}&sort=-${sortedBy}`), order.toReversed())
      const text = (id: number) => (id === record.id ? shown : other)[sortedBy] as string | number
      if (sortedBy in shown && sortedBy in other) assert.ok(text(order[0]) < text(order[1]))
      await remove(resource, record, other)
    })

    for (const method of ['PATCH', 'PUT'] as const) {
      it(`is changed by ${method} in what is sent and in nothing else`, async () => {
        const record = await created(resource, values.sent())
        const former = await show(resource, record.id)
        world.clock.advance(60)
        const answer = await world.director.request(method, `${path}/${record.id}`, {
          body: { [singular]: values.change },
        })
        assert.deepEqual([answer.status, answer.text], [204, ''])
        const latter = await show(resource, record.id)
        assert.deepEqual(pick(latter, Object.keys(values.changed)), values.changed)
        const touched = new Set([...Object.keys(values.changed), ...Object.keys(values.change)])
        const computed = ['updated_at', 'displayname', 'usual_full_name', 'alumni?', 'staff?', 'user']
        const same = Object.keys(former).filter((name) => !touched.has(name) && !computed.includes(name))
        assert.deepEqual(pick(latter, same), pick(former, same))
        if ('updated_at' in latter) assert.equal(latter.updated_at, world.clock.now().toISOString())
        await remove(resource, record)
      })
    }

    it('is answered by an update where the client prefers that', async () => {
      const record = await created(resource, values.sent())
      const { status, json } = await world.director.patch(
        `${path}/${record.id}`,
        { [singular]: values.change },
        { prefer: 'return=representation' },
      )
      assert.equal(status, 200)
      assert.deepEqual(json, await show(resource, record.id))
      await remove(resource, record)
    })

    it(resource === 'users' ? 'is not destroyed by any route' : 'is destroyed, and then gone', async () => {
      const record = await created(resource, values.sent())
      const { status, text } = await world.director.delete(`${path}/${record.id}`)
      if (resource === 'users') {
        assert.equal(status, 405)
        await remove(resource, record)
        return
      }
      assert.deepEqual([status, text], [204, ''])
      assert.equal((await world.director.get(`${path}/${record.id}`)).status, 404)
      assert.deepEqual(await listed(`filter[id]=${record.id}`), [])
      assert.equal((await world.director.delete(`${path}/${record.id}`)).status, 404)
      assert.equal((await world.director.patch(`${path}/${record.id}`, { [singular]: values.change })).status, 404)
    })

    for (const name of required) {
      it(`needs ${name}`, async () => {
        const { [name]: _, ...rest } = values.sent()
        const blanks = mayBeEmpty.includes(name) ? [null] : [null, '', '  ']
        for (const lacking of [rest, ...blanks.map((blank) => ({ ...rest, [name]: blank }))]) {
          const { json } = await assertRefused(() => create(resource, lacking), [name])
          assert.deepEqual(json.errors[name], ["can't be blank"])
        }
      })

      it(`keeps its ${name} when an update blanks it`, async () => {
        const record = await created(resource, values.sent())
        const empty = mayBeEmpty.includes(name) ? null : ''
        const blank = () => world.director.patch(`${path}/${record.id}`, { [singular]: { [name]: empty } })
        await assertRefused(blank, [name])
        await remove(resource, record)
      })
    }

    for (const name of references) {
      it(`is refused where ${name} names nothing`, async () => {
        for (const id of [2_147_483_647, '0']) {
          await assertRefused(() => create(resource, { ...values.sent(), [name]: id }), [name])
        }
      })
    }

    for (const [name, most] of Object.entries(maxLength)) {
      it(`has ${name} of at most ${most} characters`, async () => {
        const tooLong = { ...values.sent(), [name]: '🎓'.repeat(most + 1) }
        const { json } = await assertRefused(() => create(resource, tooLong), [name])
        assert.deepEqual(json.errors[name], [`is too long (maximum is ${most} characters)`])
      })
    }

    if (unique) {
      it(`is refused where another one has its ${unique}`, async () => {
        const record = await created(resource, values.sent())
        const twin = { ...values.other(), ...pick(values.sent(), [unique]) }
        if (resource === 'cursus_users' || resource === 'languages_users')
          Object.assign(twin, pick(values.sent(), ['user_id']))
        const { json } = await assertRefused(() => create(resource, twin), [unique])
        assert.deepEqual(json.errors[unique], ['has already been taken'])
        await remove(resource, record)
      })
    }

    it('is refused with a field that nobody knows', async () => {
      const { json } = await assertRefused(() => create(resource, { ...values.sent(), shoe_size: 43 }), ['shoe_size'])
      assert.deepEqual(json.errors.shoe_size, ['is not accepted'])
      const record = await created(resource, values.sent())
      const former = await show(resource, record.id)
      const update = { ...values.change, shoe_size: 43 }
      await assertRefused(() => world.director.patch(`${path}/${record.id}`, { [singular]: update }), ['shoe_size'])
      assert.deepEqual(await show(resource, record.id), former)
      await remove(resource, record)
    })

    if (resource !== 'endpoints') {
      it('ignores sent times, and refuses another id', async () => {
        const given = { created_at: '2001-01-01T00:00:00Z', updated_at: '2001-01-01T00:00:00Z' }
        const record = await created(resource, { ...values.sent(), ...given })
        const former = await show(resource, record.id)
        if ('created_at' in former) assert.equal(former.created_at, world.clock.now().toISOString())
        const update = { ...given, id: record.id }
        assert.equal((await world.director.patch(`${path}/${record.id}`, { [singular]: update })).status, 204)
        const otherId = { ...given, id: Number(record.id) + 1 }
        await assertRefused(() => world.director.patch(`${path}/${record.id}`, { [singular]: otherId }), ['id'])
        assert.deepEqual(await show(resource, record.id), former)
        await remove(resource, record)
      })
    }
  })
}

describe('a language in which a campus works', () => {
  it('is not destroyed', async () => {
    const language_id = await world.build.language()
    const campus = await world.build.campus({ language_id })
    const { json } = await assertRefused(() => world.director.delete(`/v2/languages/${language_id}`), ['base'])
    assert.deepEqual(json.errors, { base: ['is still used by 1 campus'] })
    assert.equal((await show('campus', campus)).language.id, language_id)
    await remove('campus', { id: campus })
    await remove('languages', { id: language_id })
  })
})
