import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const NOW = '2026-03-02T10:00:00.000Z'
const YESTERDAY = '2026-03-01T10:00:00.000Z'
const TOMORROW = '2026-03-03T10:00:00.000Z'
const january = (day: number) => `2026-01-0${day}T00:00:00.000Z`

let world: World
/** Ids of people, campuses and cursus by login or slug. */
const ids: Record<string, number> = {}

before(async () => {
  world = await openCampus({ now: NOW })
  await fillCampus()
})
after(() => world.close())

const PEOPLE = [
  ['ada', 'Ada', 'Byron', { pool_year: '2016', pool_month: 'july', kind: 'admin' }],
  ['bob', 'Robert', 'Noyce', { pool_year: '2016', pool_month: 'august', usual_first_name: 'Bob' }],
  ['cyd', 'Cyd', 'Charisse', { pool_year: '2017', pool_month: 'july', alumnized_at: YESTERDAY }],
  ['dan', 'Dan', 'Byron', { pool_year: '2017', pool_month: 'august' }],
  ['eve', 'Eve', 'Online', {}],
  ['fay', 'Fay', 'Wray', { pool_year: '2016', pool_month: 'july', kind: 'external' }],
  ['gus', 'Gus', '100%', { status: 'a_b' }],
  ['hal', 'Hal', 'Nine', { pool_year: '2018', status: 'aXb' }],
] as const

/** Eight people, of whom some belong to campuses and cursus, and who sits where. */
async function fillCampus() {
  const { record, location } = world.build
  const id = (name: string) => ids[name] as number
  ids.paris = await world.build.campus({ name: 'Paris', slug: 'paris', city: 'Paris', active: true })
  ids.lyon = await world.build.campus({ name: 'Lyon', slug: 'lyon', active: false })
  ids.empty = await world.build.campus({ name: 'Empty', slug: 'empty' })
  ids.piscine = await world.build.cursus({ name: 'Piscine', slug: 'piscine' })
  ids.long = await world.build.cursus({ name: 'Long', slug: 'long' })
  for (const [index, [login, first_name, last_name, more]] of PEOPLE.entries()) {
    ids[login] = await world.build.user({ login, first_name, last_name, created_at: january(index + 1), ...more })
  }
  for (const [user, campus, is_primary] of [
    ['ada', 'paris', true],
    ['bob', 'paris', true],
    ['cyd', 'lyon', true],
    ['ada', 'lyon', false],
  ] as const) {
    await record('campus_users', { user_id: id(user), campus_id: id(campus), is_primary, created_at: YESTERDAY })
  }
  for (const [user, cursus, begin_at, end_at, blackholed_at] of [
    ['ada', 'piscine', YESTERDAY, null, null],
    ['bob', 'piscine', YESTERDAY, TOMORROW, TOMORROW],
    ['cyd', 'piscine', TOMORROW, null, null],
    ['dan', 'piscine', january(1), YESTERDAY, null],
    ['eve', 'long', january(1), null, null],
  ] as const) {
    await record('cursus_users', {
      user_id: id(user),
      cursus_id: id(cursus),
      begin_at,
      end_at,
      blackholed_at,
      created_at: YESTERDAY,
    })
  }
  for (const [host, user, campus, begin_at, end_at] of [
    ['over', 'ada', 'paris', january(1), january(2)],
    ['open', 'ada', 'paris', YESTERDAY, null],
    ['booked', 'bob', 'lyon', TOMORROW, null],
    ['just begun', 'cyd', 'lyon', NOW, null],
  ] as const) {
    await location({ user_id: id(user), campus_id: id(campus), host, begin_at, end_at })
  }
}

// biome-ignore lint/suspicious/noExplicitAny: records of every resource
async function list(path: string): Promise<any[]> {
  const { status, json, text } = await world.staff.get(path)
  assert.equal(status, 200, `${path}: ${text}`)
  return json
}

const logins = async (query: string, path = '/v2/users') => (await list(`${path}?${query}`)).map(({ login }) => login)
const hosts = async (query: string, path = '/v2/locations') => (await list(`${path}?${query}`)).map(({ host }) => host)
const members = async (query: string, path = '/v2/cursus_users') =>
  (await list(`${path}?${query}`)).map(({ user }) => user.login)

const everyone = PEOPLE.map(([login]) => login)

describe('a sort', () => {
  it('by one field goes up, with a minus down', async () => {
    assert.deepEqual(await logins('sort=login'), everyone)
    assert.deepEqual(await logins('sort=-login'), everyone.toReversed())
    assert.deepEqual(await logins('sort=-created_at'), everyone.toReversed())
  })

  it('by several fields goes by the first, then by the next', async () => {
    const withYear = 'filter[pool_year]=2016,2017'
    assert.deepEqual(await logins(`${withYear}&sort=pool_year,-login`), ['fay', 'bob', 'ada', 'dan', 'cyd'])
    assert.deepEqual(await logins(`${withYear}&sort=-pool_year,login`), ['cyd', 'dan', 'ada', 'bob', 'fay'])
    assert.deepEqual(await logins(`${withYear}&sort=pool_month,pool_year,-id`), ['bob', 'dan', 'fay', 'ada', 'cyd'])
  })

  it('leaves ties in the order that the list has without a sort, turned with the first field', async () => {
    const begun = async (query: string) => (await list(`/v2/locations?${query}`)).map(({ begin_at }) => begin_at)
    const inOrder = await begun('sort=begin_at')
    assert.ok(inOrder.length > 2)
    assert.deepEqual(
      await begun(`sort=campus_id&filter[campus_id]=${ids.lyon}`),
      await begun(`sort=begin_at&filter[campus_id]=${ids.lyon}`),
    )
    assert.deepEqual(
      await begun(`sort=-campus_id&filter[campus_id]=${ids.lyon}`),
      await begun(`filter[campus_id]=${ids.lyon}`),
    )
  })

  it('by a field that is named twice goes by where it stood first', async () => {
    assert.deepEqual(await logins('sort=-login,login'), everyone.toReversed())
    assert.deepEqual(
      await logins('sort=pool_year,-login,-pool_year&filter[pool_year]=2016,2017'),
      await logins('sort=pool_year,-login&filter[pool_year]=2016,2017'),
    )
  })

  it('looks at the first 255 characters of a text, a filter at all of it', async () => {
    const same = 'ß'.repeat(255)
    const contents = [`${same}b`, `${same}a`, `${same.slice(1)}a`]
    for (const [index, content] of contents.entries())
      await world.build.record('flashes', {
        title: 'New',
        identifier: 'new',
        duration: 1,
        content,
        created_at: january(index + 1),
      })
    const tutor = await world.caller({ roles: ['Advanced Tutor'] })
    const shown = async (query: string) => {
      const { status, json, text } = await tutor.get(`/v2/flashes?${query}`)
      assert.equal(status, 200, text)
      return json.map((flash: { content: string }) => flash.content)
    }
    assert.deepEqual(await shown('sort=content'), [contents[2], contents[0], contents[1]])
    assert.deepEqual(await shown(`filter[content]=${contents[1]}`), [contents[1]])
    assert.deepEqual(await shown(`filter[content]=${contents[1]},${contents[2]}&sort=id`), contents.slice(1))
    assert.deepEqual(await shown(`range[content]=${contents[1]},${contents[0]}&sort=id`), contents.slice(0, 2))
  })

  it('leaves ties in the order of ids', async () => {
    assert.deepEqual(await logins('sort=pool_year&filter[pool_year]=2016'), ['ada', 'bob', 'fay'])
    assert.deepEqual(await logins('sort=last_name&filter[last_name]=Byron'), ['ada', 'dan'])
  })

  it('shows everybody once over the pages of a list that is nothing but ties', async () => {
    for (const sort of ['kind', '-kind', 'anonymized_at', '-anonymized_at']) {
      const found: string[] = []
      for (let page = 1; page <= 4; page += 1) found.push(...(await logins(`sort=${sort}&per_page=2&page=${page}`)))
      assert.deepEqual(found.toSorted(), everyone)
    }
  })

  it('goes by code point in text, on every database', async () => {
    const cursus = ['b', 'B', 'a', 'ä', 'Z', '10', '9']
    for (const [index, name] of cursus.entries())
      await world.build.cursus({ name, slug: `sorted-${index}`, kind: 'test' })
    const sorted = (await list('/v2/cursus?filter[kind]=test&sort=name')).map(({ name }) => name)
    assert.deepEqual(sorted, ['10', '9', 'B', 'Z', 'a', 'b', 'ä'])
  })
})

describe('without a sort', () => {
  const isInOrder = async (path: string, fields: readonly string[]) => {
    const chosen = (await list(path)).map(({ id }) => id)
    const said = (await list(`${path}?sort=${fields.join(',')}`)).map(({ id }) => id)
    assert.notEqual(chosen.length, 0)
    assert.deepEqual(chosen, said)
  }

  for (const [resource, fields] of [
    ['users', ['-id']],
    ['staff', ['-id']],
    ['campus', ['-id']],
    ['cursus', ['-id']],
    ['locations', ['-begin_at', '-id']],
    ['cursus_users', ['-created_at', '-id']],
    ['endpoints', ['-created_at', '-id']],
  ] as const) {
    it(`${resource} come by ${fields.join(', then ')}`, async () => {
      if (resource === 'endpoints') {
        for (const created_at of [YESTERDAY, NOW, YESTERDAY]) {
          await world.build.record('endpoints', { url: 'https://x.test', created_at })
        }
      }
      await isInOrder(`/v2/${resource}`, fields)
    })
  }
})

/** The lists that the published API has (spec: lists 26). */
describe('the fields to sort, filter and range by', () => {
  const CAMPUS = `id name created_at updated_at time_zone language_id slug main_email endpoint_id vogsphere_id
    content_email time_of_community_service_started companies_mail address zip city country pro_needs_validation logo
    website facebook twitter display_name email_extension help_url active open_to_job_offers default_hidden_phone
    tig_email minimum_slot_duration alumni_system manual_alumnization_before_first_internship public`
  const USERS = 'id login email created_at updated_at pool_year pool_month kind status'
  const CURSUS_USERS = 'id cursus_id user_id created_at updated_at end_at begin_at has_coalition blackholed_at level'
  const FAMILIES = {
    users: {
      sort: `${USERS} image first_name last_name usual_first_name last_seen_at alumnized_at anonymized_at`,
      filter: `${USERS} primary_campus_id first_name last_name alumni? staff?`,
      range: USERS,
    },
    campus: { sort: CAMPUS, filter: CAMPUS, range: CAMPUS },
    cursus: same('id name created_at updated_at slug kind restricted is_subscriptable'),
    languages: same('id name identifier created_at updated_at'),
    locations: {
      ...same('id user_id begin_at end_at primary host campus_id'),
      filter: 'id user_id begin_at end_at primary host campus_id active inactive future end',
    },
    cursus_users: {
      ...same(CURSUS_USERS),
      filter: `${CURSUS_USERS} active campus_id end future blackholed`,
    },
    endpoints: same('id url secret description created_at updated_at active'),
  }

  function same(fields: string) {
    return { sort: fields, filter: fields, range: fields }
  }

  /** One of these is a value of the field's type; the others may be refused, and no more than that. */
  async function takesSomeValue(path: string, parameter: string, both: boolean) {
    for (const value of ['1', 'true', '2026-01-01', 'student', 'main', 'ada@campus.test']) {
      const { status } = await world.staff.get(`${path}?${parameter}=${both ? `${value},${value}` : value}`)
      if (status === 200) return
      assert.equal(status, 400, `${parameter}=${value}`)
    }
    assert.fail(`${parameter} takes no value`)
  }

  for (const [resource, { sort, filter, range }] of Object.entries(FAMILIES)) {
    const path = `/v2/${resource}`
    it(`of ${resource} are those that the reference lists for sort, both ways`, async () => {
      for (const field of sort.split(/\s+/)) {
        for (const sign of ['', '-'])
          assert.equal((await world.staff.get(`${path}?sort=${sign}${field}`)).status, 200, field)
      }
    })
    it(`of ${resource} are those that the reference lists for filter`, async () => {
      for (const field of filter.split(/\s+/)) await takesSomeValue(path, `filter[${field}]`, false)
    })
    it(`of ${resource} are those that the reference lists for range`, async () => {
      for (const field of range.split(/\s+/)) await takesSomeValue(path, `range[${field}]`, true)
    })
  }
})

describe('a filter', () => {
  it('by a value leaves the records that have it', async () => {
    assert.deepEqual(await logins('filter[login]=ada'), ['ada'])
    assert.deepEqual(await logins(`filter[id]=${ids.bob}`), ['bob'])
    assert.deepEqual(await hosts(`filter[campus_id]=${ids.lyon}&sort=host`), ['booked', 'just begun'])
    assert.deepEqual(await hosts(`filter[begin_at]=${NOW}`), ['just begun'])
    assert.deepEqual(
      (await list('/v2/campus?filter[active]=false')).map(({ name }) => name),
      ['Lyon'],
    )
  })

  it('by several values leaves the records that have any of them', async () => {
    assert.deepEqual(await logins('filter[login]=ada,cyd,nobody&sort=login'), ['ada', 'cyd'])
    assert.deepEqual(await logins(`filter[id]=${ids.ada},${ids.bob}&sort=id`), ['ada', 'bob'])
  })

  it('and another one leave the records that fit both', async () => {
    assert.deepEqual(await logins('filter[pool_year]=2016&filter[pool_month]=july&sort=login'), ['ada', 'fay'])
    assert.deepEqual(await logins('filter[pool_year]=2016&filter[pool_month]=july,august&filter[kind]=student'), [
      'bob',
    ])
    assert.deepEqual(await logins('filter[pool_year]=2016&filter[login]=hal'), [])
  })

  it('by a blank leaves the records that have nothing there', async () => {
    assert.deepEqual(await logins('filter[pool_year]=&sort=login'), ['eve', 'gus'])
    assert.deepEqual(await hosts('filter[end_at]=&sort=host'), ['booked', 'just begun', 'open'])
  })

  it('by a blank among values leaves both', async () => {
    assert.deepEqual(await logins('filter[pool_year]=2018,&sort=login'), ['eve', 'gus', 'hal'])
  })

  it('compares text exactly', async () => {
    assert.deepEqual(await logins('filter[first_name]=ADA'), [])
    assert.deepEqual(await logins('filter[status]=a_b'), ['gus'])
    assert.deepEqual(await logins('filter[last_name]=Byr'), [])
  })

  for (const query of ['filter[login]=ADA', 'filter[login]=a.b', 'filter[email]=ada', 'filter[login]=1']) {
    it(`${query} finds nobody, since no rule for writing forbids a question`, async () =>
      assert.deepEqual(await logins(query), []))
  }

  it('compares times as moments', async () => {
    assert.deepEqual(await logins('filter[created_at]=2026-01-03T02:00:00%2B02:00'), ['cyd'])
    assert.deepEqual(await logins('filter[created_at]=2026-01-03%2000:00:00%20UTC'), ['cyd'])
  })

  it('may be sent with brackets and commas in percent-encoding', async () => {
    assert.deepEqual(await logins('filter%5Blogin%5D=ada%2Cbob&sort=login'), ['ada', 'bob'])
  })

  it('may be sent as a list', async () => {
    assert.deepEqual(await logins('filter[login][]=ada&filter[login][]=bob&sort=login'), ['ada', 'bob'])
  })

  it('by an injected statement finds nobody and does no harm', async () => {
    assert.deepEqual(await logins("filter[last_name]=' or '1'='1"), [])
    assert.deepEqual(await logins("filter[last_name]=x'); drop table users; --"), [])
    assert.deepEqual(await logins('sort=login'), everyone)
  })

  it('that does not exist is refused, other parameters are ignored', async () => {
    assert.equal((await world.staff.get('/v2/users?filter[shoe_size]=43')).status, 400)
    assert.deepEqual(await logins('active=true&shoe_size=43&sort=login'), everyone)
  })
})

describe('a filter of locations', () => {
  for (const [query, expected] of [
    ['filter[active]=true', ['booked', 'just begun', 'open']],
    ['filter[active]=false', ['over']],
    ['filter[inactive]=true', ['over']],
    ['filter[inactive]=false', ['booked', 'just begun', 'open']],
    ['filter[end]=true', ['over']],
    ['filter[end]=false', ['booked', 'just begun', 'open']],
    ['filter[future]=true', ['booked']],
    ['filter[future]=false', ['just begun', 'open', 'over']],
    ['filter[active]=true,false', ['booked', 'just begun', 'open', 'over']],
    ['filter[active]=true&filter[future]=false', ['just begun', 'open']],
    ['filter[active]=1&filter[primary]=t', ['booked', 'just begun', 'open']],
  ] as const) {
    it(`${query} leaves ${expected.join(', ') || 'nobody'}`, async () =>
      assert.deepEqual(await hosts(`${query}&sort=host`), expected))
  }

  it('that looks at the clock is not remembered beyond its moment', async () => {
    const total = async (caller: Client) =>
      (await caller.get('/v2/locations?filter[future]=true')).headers.get('x-total')
    assert.equal(await total(world.staff), '1')
    world.clock.set(TOMORROW)
    const tomorrow = await total(await world.caller({}))
    world.clock.set(NOW)
    assert.deepEqual([tomorrow, await total(world.staff)], ['0', '1'])
  })
})

/** `:paris` in a query stands for the id of Paris. */
const withIds = (query: string) => query.replace(/:(\w+)/g, (_, name) => String(ids[name]))

describe('a filter of cursus_users', () => {
  for (const [query, expected] of [
    ['filter[active]=true', ['ada', 'bob', 'eve']],
    ['filter[active]=false', ['cyd', 'dan']],
    ['filter[active]=true,false', ['ada', 'bob', 'cyd', 'dan', 'eve']],
    ['filter[active]=', []],
    ['filter[future]=,', []],
    ['filter[end]=true', ['bob', 'dan']],
    ['filter[end]=false', ['ada', 'cyd', 'eve']],
    ['filter[future]=true', ['cyd']],
    ['filter[future]=false', ['ada', 'bob', 'dan', 'eve']],
    ['filter[blackholed]=true', ['bob']],
    ['filter[blackholed]=false', ['ada', 'cyd', 'dan', 'eve']],
    ['filter[campus_id]=:paris', ['ada', 'bob']],
    ['filter[campus_id]=:paris,:lyon', ['ada', 'bob', 'cyd']],
    ['filter[cursus_id]=:long', ['eve']],
  ] as const) {
    it(`${query} leaves ${expected.join(', ') || 'nobody'}`, async () =>
      assert.deepEqual((await members(withIds(query))).toSorted(), expected))
  }
})

describe('a filter of users', () => {
  for (const [query, expected] of [
    ['filter[staff?]=true', ['ada']],
    ['filter[staff?]=false', everyone.filter((login) => login !== 'ada')],
    ['filter[alumni?]=true', ['cyd']],
    ['filter[alumni?]=false', everyone.filter((login) => login !== 'cyd')],
    ['filter[kind]=admin,external', ['ada', 'fay']],
    ['filter[primary_campus_id]=:paris', ['ada', 'bob']],
    ['filter[primary_campus_id]=:lyon', ['cyd']],
    ['filter[primary_campus_id]=:paris,:lyon', ['ada', 'bob', 'cyd']],
    ['filter[primary_campus_id]=', ['dan', 'eve', 'fay', 'gus', 'hal']],
  ] as const) {
    it(`${query} leaves ${expected.join(', ') || 'nobody'}`, async () =>
      assert.deepEqual(await logins(`${withIds(query)}&sort=login`), expected))
  }
})

describe('a range', () => {
  it('includes both of its ends', async () => {
    assert.deepEqual(await logins(`range[id]=${ids.bob},${ids.dan}&sort=id`), ['bob', 'cyd', 'dan'])
    assert.deepEqual(await logins(`range[created_at]=${january(2)},${january(4)}&sort=id`), ['bob', 'cyd', 'dan'])
    assert.deepEqual(await logins('range[login]=bob,dan&sort=id'), ['bob', 'cyd', 'dan'])
    assert.deepEqual(await logins('range[pool_year]=2017,2018&sort=id'), ['cyd', 'dan', 'hal'])
  })

  it('from a value to itself leaves what has it', async () => {
    assert.deepEqual(await logins(`range[id]=${ids.eve},${ids.eve}`), ['eve'])
  })

  it('up to a day includes the whole of it', async () => {
    const id = await world.build.user({ login: 'ivy', created_at: '2026-01-20T23:59:59.999Z' })
    try {
      for (const [range, expected] of [
        ['2026-01-20,2026-01-20', ['ivy']],
        [',2026-01-20', [...everyone, 'ivy']],
        ['2026-01-20T00:00:00Z,2026-01-20T23:59:59Z', []],
        ['2026-01-21,', []],
      ] as const) {
        assert.deepEqual(await logins(`range[created_at]=${range}&sort=login`), expected, range)
      }
    } finally {
      await world.database.rows('delete from users where id = $1', [id])
    }
  })

  it('by numbers beyond every column finds what lies between', async () => {
    assert.deepEqual(await logins(`range[id]=${ids.gus},9223372036854775808&sort=id`), ['gus', 'hal'])
    assert.deepEqual(await logins(`range[id]=-${'9'.repeat(40)},${ids.bob}&sort=id`), ['ada', 'bob'])
    assert.deepEqual(await logins(`range[id]=2147483648,${'9'.repeat(40)}`), [])
  })

  it('from more to less leaves nothing', async () => assert.deepEqual(await logins('range[login]=dan,bob'), []))

  it('of e-mail addresses may begin and end with any text', async () =>
    assert.deepEqual(await logins('range[email]=b,d&sort=login'), ['bob', 'cyd']))

  it('of words may begin and end with any text', async () =>
    assert.deepEqual(await logins('range[kind]=a,f&sort=login'), ['ada', 'fay']))

  it('may be open at one end', async () => {
    assert.deepEqual(await logins('range[login]=gus,&sort=login'), ['gus', 'hal'])
    assert.deepEqual(await logins('range[login]=,bob&sort=login'), ['ada', 'bob'])
  })

  it('never includes what has nothing there', async () => {
    assert.deepEqual(await logins('range[pool_year]=0,9999&sort=login'), ['ada', 'bob', 'cyd', 'dan', 'fay', 'hal'])
  })

  it('takes times in every form that writes take', async () => {
    for (const [from, to] of [
      ['2026-01-02', '2026-01-04'],
      ['2026-01-02%2000:00:00%20UTC', '2026-01-04 00:00:00 UTC'],
      ['2026-01-02T01:00:00%2B01:00', '2026-01-03T19:00:00-05:00'],
    ]) {
      assert.deepEqual(await logins(`range[created_at]=${from}%2C${to}&sort=id`), ['bob', 'cyd', 'dan'])
    }
  })

  it('goes together with others, with filters and with a sort', async () => {
    const query = `range[login]=ada,fay&range[created_at]=${january(3)},${january(9)}&filter[pool_year]=2016,2017`
    assert.deepEqual(await logins(`${query}&sort=-login`), ['fay', 'dan', 'cyd'])
  })
})

describe('a search', () => {
  for (const [query, expected] of [
    ['search[login]=a', ['ada', 'dan', 'fay', 'hal']],
    ['search[login]=DA', ['ada', 'dan']],
    ['search[first_name]=bo', ['bob']],
    ['search[first_name]=rob', ['bob']],
    ['search[last_name]=yr', ['ada', 'dan']],
    ['search[name]=robert', ['bob']],
    ['search[name]=noyce', ['bob']],
    ['search[name]=ada%20byron', ['ada']],
    ['search[name]=BYRON%20%20ada', ['ada']],
    ['search=byron%20da', ['ada', 'dan']],
    ['search=%20', everyone],
    ['search[last_name]=byron&search[login]=da', ['ada', 'dan']],
    ['search[last_name]=byron&search[login]=dan', ['dan']],
    ['search=wray', ['fay']],
    ['search=%25', ['gus']],
    ['search[last_name]=_', []],
    ['search[last_name]=\\', []],
    ['search=', everyone],
    ['search[login]=', everyone],
    ['search=byron&filter[kind]=student', ['dan']],
  ] as const) {
    it(`${query} finds ${expected.join(', ') || 'nobody'}`, async () =>
      assert.deepEqual(await logins(`${query}&sort=login`), expected))
  }
})

describe('a search looks past capitals and accents:', () => {
  for (const [name, ...texts] of [
    ['Élodie', 'Élo', 'élo', 'elo', 'ÉLODIE', 'E\u0301lo', 'èlo'],
    ['E\u0301lodie', 'Élo', 'elo', 'élodie'],
    ['Łukasz', 'lukasz', 'ŁUKASZ', 'łuk'],
    ['Søren', 'soren', 'SØREN'],
    ['Iñaki', 'inaki', 'IÑAKI'],
    ['İpek', 'ipek', 'IPEK'],
    ['Σίσυφος', 'σισυφοσ', 'ΣΊΣΥΦΟΣ', 'ισυ'],
    ['Алексей', 'алексеи', 'АЛЕКСЕЙ'],
    ['מֹשֶׁה', 'משה'],
    ['مُحَمَّد', 'محمد'],
    ['美咲', '美'],
    ['김민준', '민준'],
    ['𝒜da', '𝒜DA'],
    ['a.b*c[d]^e-f\\g', 'A.B*C[D]^E-F\\G'],
  ] as const) {
    it(`${texts.join(', ')} find ${name}`, async () => {
      const id = await world.build.user({ login: 'elo', first_name: name })
      try {
        for (const text of texts)
          assert.deepEqual(await logins(`search[first_name]=${encodeURIComponent(text)}`), ['elo'], text)
        assert.deepEqual(await logins(`search[first_name]=${encodeURIComponent(`${texts[0]}x`)}`), [])
      } finally {
        await world.database.rows('delete from users where id = $1', [id])
      }
    })
  }

  it('of more than ten words is refused with 400', async () => {
    const { status, json } = await world.visitor.get(`/v2/users?search=${'a b c d e f g h i j k'.replaceAll(' ', '+')}`)
    assert.equal(status, 400)
    assert.match(json.message, /at most 10 words/)
  })
})

describe('a list below a parent', () => {
  it('is the same by id and by what stands for it', async () => {
    for (const [resource, parent, by] of [
      ['users', 'campus', 'paris'],
      ['users', 'cursus', 'piscine'],
      ['locations', 'campus', 'paris'],
      ['locations', 'users', 'ada'],
      ['campus_users', 'users', 'ada'],
      ['campus_users', 'campus', 'paris'],
      ['cursus_users', 'users', 'ada'],
      ['cursus_users', 'cursus', 'piscine'],
      ['languages_users', 'users', 'ada'],
      ['skills', 'cursus', 'piscine'],
    ] as const) {
      const byName = await list(`/v2/${parent}/${by}/${resource}`)
      assert.deepEqual(await list(`/v2/${parent}/${ids[by]}/${resource}`), byName)
    }
  })

  it('holds what belongs to the parent and nothing else', async () => {
    assert.deepEqual(await logins('sort=login', '/v2/campus/paris/users'), ['ada', 'bob'])
    assert.deepEqual(await logins('sort=login', '/v2/campus/lyon/users'), ['ada', 'cyd'])
    assert.deepEqual(await logins('sort=login', '/v2/cursus/piscine/users'), ['ada', 'bob', 'cyd', 'dan'])
    assert.deepEqual(await hosts('sort=host', '/v2/users/ada/locations'), ['open', 'over'])
    assert.deepEqual(await hosts('sort=host', '/v2/campus/lyon/locations'), ['booked', 'just begun'])
    assert.deepEqual(await members('sort=id', '/v2/users/bob/cursus_users'), ['bob'])
    assert.deepEqual(await members('sort=id', '/v2/cursus/long/cursus_users'), ['eve'])
  })

  it('says for the users of a cursus when their part in it ends', async () => {
    const users = await list('/v2/cursus/piscine/users?sort=login')
    assert.deepEqual(
      users.map(({ login, end_at }) => [login, end_at]),
      [
        ['ada', null],
        ['bob', TOMORROW],
        ['cyd', null],
        ['dan', YESTERDAY],
      ],
    )
  })

  it('takes the same filters, ranges, sorts and pages', async () => {
    assert.deepEqual(await logins('filter[pool_year]=2017&sort=-login', '/v2/cursus/piscine/users'), ['dan', 'cyd'])
    assert.deepEqual(await logins('range[login]=b,d&sort=login', '/v2/cursus/piscine/users'), ['bob', 'cyd'])
    assert.deepEqual(await logins('sort=login&per_page=1&page=2', '/v2/cursus/piscine/users'), ['bob'])
    assert.deepEqual(await hosts('filter[active]=true', '/v2/users/ada/locations'), ['open'])
  })

  it('of a parent that has nothing is an empty list', async () => {
    for (const path of ['/v2/campus/empty/users', '/v2/campus/empty/locations', '/v2/users/hal/locations']) {
      const { status, json, headers } = await world.visitor.get(path)
      assert.deepEqual([status, json, headers.get('x-total')], [200, [], '0'])
    }
  })

  it('of a parent that does not exist is 404', async () => {
    for (const path of [
      'campus/atlantis/users',
      'cursus/2147483647/users',
      'users/nobody/locations',
      'campus/0/users',
    ]) {
      assert.equal((await world.visitor.get(`/v2/${path}`)).status, 404, path)
    }
  })

  it('counts only what is below it', async () => {
    assert.equal((await world.visitor.get('/v2/campus/paris/locations?per_page=1')).headers.get('x-total'), '2')
  })
})

describe('the staff list', () => {
  it('holds the staff, filtered and sorted like any other list', async () => {
    ids.ivy = await world.build.user({ login: 'ivy', kind: 'admin' })
    assert.deepEqual(await logins('sort=login', '/v2/staff'), ['ada', 'ivy'])
    assert.deepEqual(await logins('filter[login]=ada,bob', '/v2/staff'), ['ada'])
    await world.database.rows('delete from users where id = $1', [ids.ivy])
  })
})

describe('a path', () => {
  const read = async (path: string) => {
    const { status, json } = await world.visitor.get(path)
    return { status, json }
  }

  for (const [what, forms] of [
    ['a suffix .json', ['/v2/users.json', '/v2/users/ada.json', '/v2/users/ada/locations.json', '/v2/me.json']],
    ['a slash at its end', ['/v2/users/', '/v2/users/ada/', '/v2/users/ada/locations/']],
    ['doubled slashes', ['//v2//users', '/v2//users/ada', '/v2/users//ada//locations', '/v2/users///ada//']],
  ] as const) {
    it(`with ${what} is the same as without`, async () => {
      for (const path of forms) {
        const plain = path
          .replace(/\.json$/, '')
          .replace(/\/+/g, '/')
          .replace(/\/$/, '')
        assert.deepEqual(await read(path), await read(plain), path)
        assert.deepEqual(await read(`${path}?per_page=1&sort=id`), await read(`${plain}?per_page=1&sort=id`), path)
      }
    })
  }

  it('with a suffix takes the other methods too', async () => {
    const { status, json } = await world.director.post('/v2/languages.json', {
      language: { name: 'Irish', identifier: 'ga' },
    })
    assert.equal(status, 201)
    assert.equal((await world.director.delete(`/v2/languages/${json.id}.json/`)).status, 404)
    assert.equal((await world.director.delete(`/v2/languages/${json.id}.json`)).status, 204)
  })

  it('may have its letters in percent-encoding', async () => {
    assert.deepEqual(await read('/v2/users/%61da'), await read('/v2/users/ada'))
    assert.deepEqual(await read('/v2/%75sers'), await read('/v2/users'))
  })
})

describe('a page', () => {
  const pageOf = async (query: string) => {
    const { json, headers } = await world.visitor.get(`/v2/users?sort=login&${query}`)
    const found = json.map(({ login }: { login: string }) => login)
    return { found, page: headers.get('x-page'), size: headers.get('x-per-page') }
  }
  const second = { found: ['cyd', 'dan'], page: '2', size: '2' }

  for (const form of [
    ...['page=2&per_page=2', 'per_page=2&page=2', 'page[number]=2&page[size]=2', 'page%5Bnumber%5D=2&page%5Bsize%5D=2'],
    ...['page[size]=2&page=2', 'page=2&page[size]=2', 'page[number]=2&per_page=2', 'page=2&per_page=02'],
    // With both, what stands in brackets counts.
    ...['page[number]=2&page=1&per_page=2', 'page=1&page[number]=2&per_page=2', 'page=2&page[size]=2&per_page=5'],
  ]) {
    it(`may be asked for as ${form}`, async () => assert.deepEqual(await pageOf(form), second))
  }

  it('is the first of thirty where nothing is asked for', async () => {
    assert.deepEqual(await pageOf(''), { found: everyone, page: '1', size: '30' })
  })

  it('holds at most a hundred', async () => {
    for (const query of ['per_page=101', 'page[size]=500', 'per_page=1000000']) {
      assert.equal((await pageOf(query)).size, '100')
    }
    assert.equal((await pageOf('per_page=100')).size, '100')
  })

  it('holds thirty of more than thirty, and the rest is on the next', async () => {
    for (let number = 0; number < 31; number += 1) {
      await world.build.record('skills', { name: `Skill ${number}`, slug: `skill-${number}` })
    }
    assert.equal((await list('/v2/skills')).length, 30)
    assert.equal((await list('/v2/skills?page=2')).length, 1)
    assert.equal((await list('/v2/skills?per_page=100')).length, 31)
  })

  it('beyond the last is an empty list', async () => {
    for (const page of ['5', '100', '2147483647', '99999999999999']) {
      assert.deepEqual((await pageOf(`per_page=2&page=${page}`)).found, [])
    }
  })

  it('after another shows each record once', async () => {
    const found: string[] = []
    for (let page = 1; page <= 3; page += 1) found.push(...(await pageOf(`per_page=3&page=${page}`)).found)
    assert.deepEqual(found, everyone)
  })
})
