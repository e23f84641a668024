import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApplication } from '@campus/test/support/application'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

/** Ids by name, and the address that every `url` begins with. */
type Known = { readonly base: string; readonly ids: Readonly<Record<string, number>> }
type Expected = unknown | ((known: Known) => unknown)

/** Type of a field, its value in a full record, and its value without optional data. */
type Field = readonly [is: keyof typeof TYPES, filled: Expected, bare: Expected]
type Fields = Readonly<Record<string, Field>>

const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
const isZonedTime = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/.test(value)
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const orNull = (isOne: (value: unknown) => boolean) => (value: unknown) => value === null || isOne(value)
const isString = (value: unknown) => typeof value === 'string'

const TYPES = {
  'an integer': Number.isInteger,
  'an integer or null': orNull(Number.isInteger),
  'a number': Number.isFinite,
  'a string': isString,
  'a string or null': orNull(isString),
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'a time': isTime,
  'a time or null': orNull(isTime),
  'a time with an offset or null': orNull(isZonedTime),
  'an object': isObject,
  'an object or null': orNull(isObject),
  'an array': Array.isArray,
} satisfies Record<string, (value: unknown) => boolean>

const CREATED = '2026-01-02T03:04:05.006Z'
const UPDATED = '2026-02-03T04:05:06.070Z'
const times = { created_at: CREATED, updated_at: UPDATED }
const id = (name: string) => (known: Known) => known.ids[name]
const link = (path: (known: Known) => string) => (known: Known) => known.base + path(known)
const filledIn = (fields: Fields) => (known: Known) => recordOf(fields, 1, known)
const barely = (fields: Fields) => (known: Known) => recordOf(fields, 2, known)
const listOf = (fields: Fields, column: 1 | 2) => (known: Known) => [recordOf(fields, column, known)]

const LANGUAGE_ALONE: Fields = {
  id: ['an integer', id('french'), id('german')],
  name: ['a string', 'Français', 'Deutsch'],
  identifier: ['a string', 'fr', 'de'],
}

/** Within a campus. */
const LANGUAGE: Fields = {
  ...LANGUAGE_ALONE,
  created_at: ['a time', CREATED, CREATED],
  updated_at: ['a time', UPDATED, UPDATED],
}

const CAMPUS_SHORT: Fields = {
  id: ['an integer', id('paris'), id('bare_campus')],
  name: ['a string', 'Paris', 'Bare'],
  time_zone: ['a string', 'Europe/Paris', 'UTC'],
  language: ['an object', filledIn(LANGUAGE), barely(LANGUAGE)],
  users_count: ['an integer', 1, 0],
}

const CAMPUS_EMBEDDED: Fields = {
  ...CAMPUS_SHORT,
  vogsphere_id: ['an integer or null', 7, null],
  country: ['a string or null', 'France', null],
  address: ['a string or null', '96, boulevard Bessières', null],
  zip: ['a string or null', '75017', null],
  city: ['a string or null', 'Paris', null],
  website: ['a string or null', 'https://paris.campus.test', null],
  facebook: ['a string or null', 'https://facebook.test/paris', null],
  twitter: ['a string or null', 'https://twitter.test/paris', null],
  active: ['a boolean', false, true],
  public: ['a boolean', false, true],
  email_extension: ['a string or null', 'paris.campus.test', null],
  default_hidden_phone: ['a boolean', true, false],
}

const ENDPOINT_EMBEDDED: Fields = {
  id: ['an integer', id('endpoint'), id('bare_endpoint')],
  url: ['a string', 'https://hooks.campus.test', 'https://bare.campus.test'],
  description: ['a string or null', 'The store of Paris', null],
  created_at: ['a time', CREATED, CREATED],
  updated_at: ['a time', UPDATED, UPDATED],
}

const CAMPUS: Fields = {
  ...CAMPUS_EMBEDDED,
  endpoint: ['an object or null', filledIn(ENDPOINT_EMBEDDED), null],
}

const ENDPOINT: Fields = {
  ...ENDPOINT_EMBEDDED,
  campus: ['an array', listOf(CAMPUS_SHORT, 1), []],
}

const CURSUS_EMBEDDED: Fields = {
  id: ['an integer', id('cursus'), id('bare_cursus')],
  created_at: ['a time', CREATED, CREATED],
  name: ['a string', 'The Long One', 'Bare'],
  slug: ['a string', 'the-long-one', 'bare'],
  kind: ['a string', 'piscine', 'main'],
}

const CURSUS: Fields = {
  ...CURSUS_EMBEDDED,
  users_count: ['an integer', 2, 0],
  users_url: cursusLink('users'),
  projects_url: cursusLink('projects'),
  topics_url: cursusLink('topics'),
}

function cursusLink(resource: string): Field {
  const to = (name: string) => link(({ ids }) => `/v2/cursus/${ids[name]}/${resource}`)
  return ['a string', to('cursus'), to('bare_cursus')]
}

const IMAGE_VERSIONS: Fields = {
  large: ['a string', 'https://cdn.campus.test/users/large_ada.jpg', link(() => '/uploads/initials/large_RN-8.svg')],
  medium: ['a string', 'https://cdn.campus.test/users/medium_ada.jpg', link(() => '/uploads/initials/medium_RN-8.svg')],
  small: ['a string', 'https://cdn.campus.test/users/small_ada.jpg', link(() => '/uploads/initials/small_RN-8.svg')],
  micro: ['a string', 'https://cdn.campus.test/users/micro_ada.jpg', link(() => '/uploads/initials/micro_RN-8.svg')],
}

const IMAGE: Fields = {
  link: ['a string', 'https://cdn.campus.test/users/ada.jpg', link(() => '/uploads/initials/RN-8.svg')],
  versions: ['an object', filledIn(IMAGE_VERSIONS), barely(IMAGE_VERSIONS)],
}

const USER_REFERENCE: Fields = {
  id: ['an integer', id('ada'), id('bob')],
  login: ['a string', 'ada', 'bob'],
  url: ['a string', link(() => '/v2/users/ada'), link(() => '/v2/users/bob')],
}

const USER_SHORT: Fields = {
  ...USER_REFERENCE,
  email: ['a string', 'ada@campus.test', 'bob@campus.test'],
  first_name: ['a string', 'Augusta', 'Robert'],
  last_name: ['a string', 'Byron', 'Noyce'],
  usual_full_name: ['a string', 'Ada Byron', 'Robert Noyce'],
  usual_first_name: ['a string or null', 'Ada', null],
  phone: ['a string or null', '+33 1 23 45 67 89', null],
  displayname: ['a string', 'Ada Byron', 'Robert Noyce'],
  kind: ['a string', 'admin', 'student'],
  image: ['an object', filledIn(IMAGE), barely(IMAGE)],
  'staff?': ['a boolean', true, false],
  correction_point: ['an integer', 17, 0],
  pool_month: ['a string or null', 'july', null],
  pool_year: ['a string or null', '2016', null],
  location: ['a string or null', 'e1r2p3', null],
  wallet: ['an integer', 250, 0],
  anonymize_date: ['a time with an offset or null', '2030-07-01T00:00:00.000+00:00', null],
  data_erasure_date: ['a time with an offset or null', '2031-07-01T00:00:00.000+00:00', null],
  created_at: ['a time', CREATED, CREATED],
  updated_at: ['a time', UPDATED, UPDATED],
  alumnized_at: ['a time or null', '2026-01-30T00:00:00.000Z', null],
  'alumni?': ['a boolean', true, false],
  'active?': ['a boolean', true, true],
}

const USER_OF_CURSUS: Fields = { ...USER_SHORT, end_at: ['a time or null', '2027-01-01T00:00:00.000Z', null] }

const CURSUS_USER: Fields = {
  id: ['an integer', id('cursus_user'), id('bare_cursus_user')],
  begin_at: ['a time', '2025-09-01T08:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  end_at: ['a time or null', '2027-01-01T00:00:00.000Z', null],
  grade: ['a string or null', 'Learner', null],
  level: ['a number', 4.25, 0],
  skills: ['an array', ({ ids }: Known) => [{ id: ids.skill, name: 'Unix', level: 3.5 }], []],
  cursus_id: ['an integer', id('cursus'), id('cursus')],
  has_coalition: ['a boolean', true, false],
  blackholed_at: ['a time or null', '2026-12-31T00:00:00.000Z', null],
  created_at: ['a time', CREATED, CREATED],
  updated_at: ['a time', UPDATED, UPDATED],
  user: ['an object', filledIn(USER_SHORT), barely(USER_SHORT)],
  cursus: ['an object', filledIn(CURSUS_EMBEDDED), filledIn(CURSUS_EMBEDDED)],
}

const CAMPUS_USER: Fields = {
  id: ['an integer', id('campus_user'), id('other_campus_user')],
  user_id: ['an integer', id('ada'), id('cyd')],
  campus_id: ['an integer', id('paris'), id('other_campus')],
  is_primary: ['a boolean', true, false],
  created_at: ['a time', CREATED, CREATED],
  updated_at: ['a time', UPDATED, UPDATED],
}

const LANGUAGES_USER: Fields = {
  id: ['an integer', id('languages_user'), id('bare_languages_user')],
  language_id: ['an integer', id('french'), id('german')],
  user_id: ['an integer', id('ada'), id('cyd')],
  position: ['an integer', 3, 1],
  created_at: ['a time', CREATED, CREATED],
}

const LOCATION: Fields = {
  id: ['an integer', id('location'), id('bare_location')],
  begin_at: ['a time', '2026-03-01T09:30:00.000Z', '2026-02-01T09:30:00.000Z'],
  end_at: ['a time or null', '2026-03-01T12:00:00.500Z', null],
  primary: ['a boolean', false, true],
  floor: ['a string or null', '2', null],
  row: ['a string or null', '3', null],
  post: ['a string or null', '4', null],
  host: ['a string', 'e2r3p4', 'e1r2p3'],
  campus_id: ['an integer', id('paris'), id('paris')],
  user: ['an object', barely(USER_SHORT), filledIn(USER_SHORT)],
}

const SKILL: Fields = {
  id: ['an integer', id('skill'), id('bare_skill')],
  slug: ['a string', 'unix', 'rigor'],
  name: ['a string', 'Unix', 'Rigor'],
  created_at: ['a time', CREATED, CREATED],
}

/** Fields of the full form. The tests of their own resources check the items of the lists. */
const USER_FULL_LISTS: Fields = {
  cursus_users: ['an array', listOf(CURSUS_USER, 1), listOf(CURSUS_USER, 2)],
  languages_users: ['an array', listOf(LANGUAGES_USER, 1), []],
  campus: ['an array', listOf(CAMPUS_EMBEDDED, 1), []],
  campus_users: ['an array', listOf(CAMPUS_USER, 1), []],
  ...Object.fromEntries(
    [
      ...['achievements', 'expertises_users', 'groups', 'partnerships', 'patroned', 'patroning'],
      ...['projects_users', 'roles', 'titles', 'titles_users'],
    ].map((name) => [name, ['an array', [], []] as const]),
  ),
}

let world: World
let known: Known
let application: { readonly uid: string; readonly secret: string }

before(async () => {
  world = await openCampus()
  application = await world.database.transaction((tx) =>
    createApplication(tx, { name: 'Fields', scopes: ['public', 'projects'], rate_per_second: 1_000_000 }),
  )
  known = { base: world.url, ids: await fillCampus() }
})
after(() => world.close())

/** Everything once with all that it can have, and once with as little as it can. */
async function fillCampus() {
  const { record } = world.build
  const french = await record('languages', { name: 'Français', identifier: 'fr', ...times })
  const german = await record('languages', { name: 'Deutsch', identifier: 'de', ...times })
  const endpoint = await record('endpoints', {
    url: 'https://hooks.campus.test',
    description: 'The store of Paris',
    ...times,
    secret: 'sealed',
    secret_digest: 'digest',
    active: true,
  })
  const bare_endpoint = await record('endpoints', { url: 'https://bare.campus.test', ...times })
  const paris = await record('campus', {
    name: 'Paris',
    slug: 'paris',
    time_zone: 'Europe/Paris',
    language_id: french,
    endpoint_id: endpoint,
    vogsphere_id: 7,
    country: 'France',
    address: '96, boulevard Bessières',
    zip: '75017',
    city: 'Paris',
    website: 'https://paris.campus.test',
    facebook: 'https://facebook.test/paris',
    twitter: 'https://twitter.test/paris',
    email_extension: 'paris.campus.test',
    active: false,
    public: false,
    default_hidden_phone: true,
    ...times,
  })
  const bare_campus = await record('campus', { name: 'Bare', slug: 'bare', time_zone: 'UTC', language_id: german })
  const other_campus = await record('campus', { name: 'Other', slug: 'other', time_zone: 'UTC', language_id: german })
  const cursus = await record('cursus', { name: 'The Long One', slug: 'the-long-one', kind: 'piscine', ...times })
  const bare_cursus = await record('cursus', { name: 'Bare', slug: 'bare', ...times })
  const skill = await record('skills', { name: 'Unix', slug: 'unix', ...times })
  const bare_skill = await record('skills', { name: 'Rigor', slug: 'rigor', ...times })
  const ada = await record('users', {
    login: 'ada',
    email: 'ada@campus.test',
    first_name: 'Augusta',
    last_name: 'Byron',
    usual_first_name: 'Ada',
    phone: '+33 1 23 45 67 89',
    kind: 'admin',
    image: 'https://cdn.campus.test/users/ada.jpg',
    correction_point: 17,
    wallet: 250,
    pool_month: 'july',
    pool_year: '2016',
    anonymize_date: '2030-07-01',
    data_erasure_date: '2031-07-01',
    alumnized_at: '2026-01-30T00:00:00Z',
    ...times,
  })
  const bob = await record('users', {
    login: 'bob',
    email: 'bob@campus.test',
    first_name: 'Robert',
    last_name: 'Noyce',
    ...times,
  })
  const cyd = await world.build.user({ login: 'cyd' })
  const campus_user = await record('campus_users', { user_id: ada, campus_id: paris, is_primary: true, ...times })
  const other_campus_user = await record('campus_users', {
    user_id: cyd,
    campus_id: other_campus,
    is_primary: false,
    ...times,
  })
  const cursus_user = await record('cursus_users', {
    user_id: ada,
    cursus_id: cursus,
    begin_at: '2025-09-01T08:00:00Z',
    end_at: '2027-01-01T00:00:00Z',
    grade: 'Learner',
    level: 4.25,
    has_coalition: true,
    blackholed_at: '2026-12-31T00:00:00Z',
    ...times,
  })
  await record('cursus_users_skills', { cursus_user_id: cursus_user, skill_id: skill, level: 3.5 })
  const bare_cursus_user = await record('cursus_users', {
    user_id: bob,
    cursus_id: cursus,
    begin_at: '2026-01-01T00:00:00Z',
    ...times,
  })
  const languages_user = await record('languages_users', {
    user_id: ada,
    language_id: french,
    position: 3,
    ...times,
  })
  const bare_languages_user = await record('languages_users', { user_id: cyd, language_id: german, ...times })
  const location = await world.build.location({
    user_id: bob,
    campus_id: paris,
    host: 'e2r3p4',
    primary: false,
    floor: '2',
    row: '3',
    post: '4',
    begin_at: '2026-03-01T09:30:00Z',
    end_at: '2026-03-01T12:00:00.5Z',
  })
  const bare_location = await world.build.location({
    user_id: ada,
    campus_id: paris,
    host: 'e1r2p3',
    begin_at: '2026-02-01T09:30:00Z',
  })
  return {
    french,
    german,
    endpoint,
    bare_endpoint,
    paris,
    bare_campus,
    other_campus,
    cursus,
    bare_cursus,
    skill,
    bare_skill,
    ada,
    bob,
    cyd,
    campus_user,
    other_campus_user,
    cursus_user,
    bare_cursus_user,
    languages_user,
    bare_languages_user,
    location,
    bare_location,
  }
}

/** The whole record that a table of fields describes. */
function recordOf(fields: Fields, column: 1 | 2, given: Known): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, expectedOf(field[column], given)]))
}

const expectedOf = (expected: Expected, given: Known) => (typeof expected === 'function' ? expected(given) : expected)

type Pair = { readonly filled: Record<string, unknown>; readonly bare: Record<string, unknown> }

/** One test per field, and one that there are no others. */
function itHasExactly(fields: Fields, read: () => Promise<Pair>) {
  let pair: Pair
  before(async () => {
    pair = await read()
  })
  const keys = Object.keys(fields).sort()

  it(`has exactly ${keys.length} keys, filled in or not`, () => {
    assert.deepEqual(Object.keys(pair.filled).sort(), keys)
    assert.deepEqual(Object.keys(pair.bare).sort(), keys)
  })

  for (const [name, [is, filled, bare]] of Object.entries(fields)) {
    it(`${name} is ${is}`, () => {
      assert.deepEqual(pair.filled[name], expectedOf(filled, known))
      assert.deepEqual(pair.bare[name], expectedOf(bare, known))
      for (const { [name]: value } of [pair.filled, pair.bare]) {
        assert.ok(TYPES[is](value), `${JSON.stringify(value)} is not ${is}`)
      }
      assert.equal(pair.bare[name] === null, is.endsWith('or null'), 'only what may be null is null where it is blank')
    })
  }
}

const get = async (path: string) => {
  const { status, json, text } = await world.staff.get(path)
  assert.equal(status, 200, `${path}: ${text}`)
  return json
}

/** Both records by `show`. */
const shown = (path: string, filled: string, bare: string) => async (): Promise<Pair> => ({
  filled: await get(`${path}/${known.ids[filled]}`),
  bare: await get(`${path}/${known.ids[bare]}`),
})

/** Both records out of an index. */
const listed = (path: () => string, filled: string, bare: string) => async (): Promise<Pair> => {
  const list: { id: number }[] = await get(path())
  const find = (name: string) => list.find((record) => record.id === known.ids[name]) as never
  return { filled: find(filled), bare: find(bare) }
}

describe('a language', () => {
  describe('shown', () => itHasExactly(LANGUAGE_ALONE, shown('/v2/languages', 'french', 'german')))
  describe('in the list', () =>
    itHasExactly(
      LANGUAGE_ALONE,
      listed(() => '/v2/languages', 'french', 'german'),
    ))
})

describe('a campus', () => {
  describe('shown', () => itHasExactly(CAMPUS, shown('/v2/campus', 'paris', 'bare_campus')))
  describe('in the list', () =>
    itHasExactly(
      CAMPUS,
      listed(() => '/v2/campus', 'paris', 'bare_campus'),
    ))
})

describe('a cursus', () => {
  describe('shown', () => itHasExactly(CURSUS, shown('/v2/cursus', 'cursus', 'bare_cursus')))
  describe('in the list', () =>
    itHasExactly(
      CURSUS,
      listed(() => '/v2/cursus', 'cursus', 'bare_cursus'),
    ))
})

describe('a skill', () => {
  describe('shown', () => itHasExactly(SKILL, shown('/v2/skills', 'skill', 'bare_skill')))
  describe('in the list', () =>
    itHasExactly(
      SKILL,
      listed(() => '/v2/skills', 'skill', 'bare_skill'),
    ))
})

describe('a service record', () => {
  describe('shown', () => itHasExactly(ENDPOINT, shown('/v2/endpoints', 'endpoint', 'bare_endpoint')))
  describe('in the list', () =>
    itHasExactly(
      ENDPOINT,
      listed(() => '/v2/endpoints', 'endpoint', 'bare_endpoint'),
    ))

  it('never says its secret, nor whether it is active', async () => {
    const { filled, bare } = await shown('/v2/endpoints', 'endpoint', 'bare_endpoint')()
    for (const key of ['secret', 'secret_digest', 'active']) assert.ok(!(key in filled) && !(key in bare), key)
  })
})

describe('a short user', () => {
  describe('in the list', () =>
    itHasExactly(
      USER_SHORT,
      listed(() => '/v2/users', 'ada', 'bob'),
    ))
  describe('in a cursus_user', () =>
    itHasExactly(USER_SHORT, async () => {
      const { filled, bare } = await shown('/v2/cursus_users', 'cursus_user', 'bare_cursus_user')()
      return { filled: filled.user as Pair['filled'], bare: bare.user as Pair['bare'] }
    }))

  it('is what the staff list carries', async () => {
    assert.deepEqual(await get('/v2/staff'), [recordOf(USER_SHORT, 1, known)])
  })

  it('is what the users of a campus are', async () => {
    assert.deepEqual(await get('/v2/campus/paris/users'), [recordOf(USER_SHORT, 1, known)])
  })

  it('says "hidden" for a phone that its owner hides', async () => {
    const hidden = await world.build.user({ phone: '+33 1 11 11 11 11', phone_hidden: true })
    assert.equal((await get(`/v2/users/${hidden}`)).phone, 'hidden')
  })

  it('is not active? while the account is closed', async () => {
    const closed = await world.build.user({ closed_at: '2026-02-01T00:00:00Z' })
    assert.equal((await get(`/v2/users/${closed}`))['active?'], false)
  })

  it('has the seat of the newest open location', async () => {
    const user_id = await world.build.user()
    const campus_id = known.ids.other_campus as number
    for (const [host, begin_at, end_at] of [
      ['newest-but-over', '2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z'],
      ['newest-open', '2026-02-28T09:00:00Z', null],
      ['older-open', '2026-02-27T09:00:00Z', null],
    ]) {
      await world.build.location({ user_id, campus_id, host, begin_at, end_at })
    }
    assert.equal((await get(`/v2/users/${user_id}`)).location, 'newest-open')
  })
})

describe('the image of a user', () => {
  const images = async (): Promise<Pair> => {
    const { filled, bare } = await shown('/v2/users', 'ada', 'bob')()
    return { filled: filled.image as Pair['filled'], bare: bare.image as Pair['bare'] }
  }
  const versions = async (): Promise<Pair> => {
    const { filled, bare } = await images()
    return { filled: filled.versions as Pair['filled'], bare: bare.versions as Pair['bare'] }
  }
  describe('itself', () => itHasExactly(IMAGE, images))
  describe('in its versions', () => itHasExactly(IMAGE_VERSIONS, versions))
})

describe('a full user', () => {
  const FULL = { ...USER_SHORT, ...USER_FULL_LISTS }
  describe('shown by id', () => itHasExactly(FULL, shown('/v2/users', 'ada', 'bob')))
  describe('shown by login', () =>
    itHasExactly(FULL, async () => ({ filled: await get('/v2/users/ada'), bare: await get('/v2/users/bob') })))
  describe('shown as /v2/me', () =>
    itHasExactly(FULL, async () => {
      const me = async (name: string) => (await (await world.caller({ user: known.ids[name] })).get('/v2/me')).json
      return { filled: await me('ada'), bare: await me('bob') }
    }))
})

describe('a user of a cursus', () => {
  describe('found by id', () =>
    itHasExactly(
      USER_OF_CURSUS,
      listed(() => `/v2/cursus/${known.ids.cursus}/users`, 'ada', 'bob'),
    ))
  describe('found by slug', () =>
    itHasExactly(
      USER_OF_CURSUS,
      listed(() => '/v2/cursus/the-long-one/users', 'ada', 'bob'),
    ))
})

describe('a user reference', () => {
  it('is what the creation of a user answers, with exactly id, login and url', async () => {
    const { status, json } = await world.director.post('/v2/users', {
      user: { login: 'dan', email: 'dan@campus.test', first_name: 'Dan', last_name: 'Ritchie', kind: 'student' },
    })
    assert.equal(status, 201)
    assert.deepEqual(json, { id: json.id, login: 'dan', url: `${world.url}/v2/users/dan` })
    assert.ok(Number.isInteger(json.id))
  })
})

describe('a cursus_user', () => {
  describe('shown', () => itHasExactly(CURSUS_USER, shown('/v2/cursus_users', 'cursus_user', 'bare_cursus_user')))
  describe('in the list', () =>
    itHasExactly(
      CURSUS_USER,
      listed(() => '/v2/cursus_users', 'cursus_user', 'bare_cursus_user'),
    ))
  describe('in the list of its cursus', () =>
    itHasExactly(
      CURSUS_USER,
      listed(() => '/v2/cursus/the-long-one/cursus_users', 'cursus_user', 'bare_cursus_user'),
    ))
})

describe('a campus_user', () => {
  describe('shown', () => itHasExactly(CAMPUS_USER, shown('/v2/campus_users', 'campus_user', 'other_campus_user')))
  describe('in the list', () =>
    itHasExactly(
      CAMPUS_USER,
      listed(() => '/v2/campus_users', 'campus_user', 'other_campus_user'),
    ))
})

describe('a languages_user', () => {
  const names = ['languages_user', 'bare_languages_user'] as const
  describe('shown', () => itHasExactly(LANGUAGES_USER, shown('/v2/languages_users', ...names)))
  describe('in the list', () =>
    itHasExactly(
      LANGUAGES_USER,
      listed(() => '/v2/languages_users', ...names),
    ))
})

describe('a location', () => {
  describe('shown', () => itHasExactly(LOCATION, shown('/v2/locations', 'location', 'bare_location')))
  describe('in the list', () =>
    itHasExactly(
      LOCATION,
      listed(() => '/v2/locations', 'location', 'bare_location'),
    ))
  describe('in the list of its campus', () =>
    itHasExactly(
      LOCATION,
      listed(() => '/v2/campus/paris/locations', 'location', 'bare_location'),
    ))
})

describe('a token', () => {
  const body = () => ({
    grant_type: 'client_credentials',
    scope: 'public projects',
    client_id: application.uid,
    client_secret: application.secret,
  })

  for (const path of ['/oauth/token', '/v2/oauth/token']) {
    it(`is answered by ${path} with exactly these members`, async () => {
      const { status, json } = await world.anonymous.post(path, body())
      assert.equal(status, 200)
      assert.match(json.access_token, /^[0-9a-f]{64}$/)
      assert.deepEqual(json, {
        access_token: json.access_token,
        token_type: 'bearer',
        expires_in: 7200,
        scope: 'public projects',
        created_at: Math.floor(world.clock.now().getTime() / 1000),
        secret_valid_until: 253_402_300_799,
      })
    })
  }
})

describe('the information about a token', () => {
  const TOKEN_INFO: Fields = {
    resource_owner_id: ['an integer or null', id('ada'), null],
    scopes: ['an array', ['public', 'tig'], ['public', 'tig']],
    expires_in_seconds: ['an integer', 7190, 7190],
    application: ['an object', { uid: 'of the person' }, { uid: 'of the application' }],
    created_at: ['an integer', () => tenSecondsAgo(), () => tenSecondsAgo()],
  }
  const tenSecondsAgo = () => Math.floor(world.clock.now().getTime() / 1000) - 10

  /** Its uid is as random as it should be, so it is looked at here and named. */
  async function infoOf(caller: Client, path: string, uid: string) {
    const { status, json } = await caller.get(path)
    assert.equal(status, 200)
    assert.match(json.application.uid, /^[0-9a-f]{64}$/)
    return { ...json, application: { ...json.application, uid } }
  }

  for (const path of ['/oauth/token/info', '/v2/oauth/token/info']) {
    describe(`at ${path}`, () =>
      itHasExactly(TOKEN_INFO, async () => {
        const scopes = ['public', 'tig']
        const person = await world.caller({ scopes, user: known.ids.ada as number })
        const application = await world.caller({ scopes })
        world.clock.advance(10)
        return {
          filled: await infoOf(person, path, 'of the person'),
          bare: await infoOf(application, path, 'of the application'),
        }
      }))
  }
})

describe('a time', () => {
  it('always has three digits of milliseconds and Z', async () => {
    for (const [begin_at, written] of [
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
      ['2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.100Z'],
      ['2026-01-01T00:00:00.12Z', '2026-01-01T00:00:00.120Z'],
      ['2026-01-01T00:00:00.123+02:00', '2025-12-31T22:00:00.123Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ]) {
      const made = await world.build.location({
        user_id: known.ids.cyd as number,
        campus_id: known.ids.bare_campus as number,
        begin_at,
      })
      assert.equal((await get(`/v2/locations/${made}`)).begin_at, written)
    }
  })
})
