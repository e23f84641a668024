import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { FormData, type Response } from '@campus/test/support/client'
import fc from 'fast-check'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

let world: World
let user: number
let campus: number

before(async () => {
  world = await openCampus()
  user = await world.build.user({ login: 'ada' })
  campus = await world.build.campus({ slug: 'paris' })
  await world.build.cursus({ slug: 'piscine' })
})
after(() => world.close())

/** A refusal is JSON with an `error` and a `message` in words; 422 names the fields too. */
function assertRefusal({ status, json, text }: Response, expected: number) {
  assert.equal(status, expected, text.slice(0, 300))
  assert.equal(typeof json.error, 'string')
  assert.match(json.message, /\w/)
  if (status === 422) assert.notEqual(Object.keys(json.errors).length, 0)
}

const commas = ','.repeat(10_000)
const numbers = Array.from({ length: 10_001 }, () => 1).join(',')

describe('a query', () => {
  const refuses =
    (path: string, expected = 400) =>
    async () =>
      assertRefusal(await world.visitor.get(path), expected)
  const serves = (path: string) => async () => {
    const { status, text } = await world.visitor.get(path)
    assert.equal(status, 200, text)
  }

  for (const [what, path] of [
    ['a filter on an unknown field', '/v2/users?filter[shoe_size]=43'],
    ['a filter on a field that is shown but not listed', '/v2/users?filter[wallet]=1'],
    ['a filter on a secret column', '/v2/users?filter[password_digest]=x'],
    ['a filter without a field', '/v2/users?filter=1'],
    ['a filter that is a list', '/v2/users?filter[]=1'],
    ['a filter of a filter', '/v2/users?filter[x][y]=1'],
    ['a filter of a filter on a known field', '/v2/users?filter[id][y]=1'],
    ['a filter named __proto__', '/v2/users?filter[__proto__]=1'],
    ['a filter named constructor', '/v2/users?filter[constructor]=1'],
    ['a filter by 10 000 commas', `/v2/users?filter[login]=${commas}`],
    ['a filter by 10 001 numbers in a column of numbers', `/v2/users?filter[id]=${numbers.slice(0, 15_000)}x`],
    ['a filter by a word in a column of numbers', '/v2/users?filter[id]=many'],
    ['a filter by a fraction in a column of numbers', '/v2/users?filter[id]=1.5'],
    ['a filter by a null byte', '/v2/users?filter[login]=%00'],
    ['a filter by a word in a column of yes and no', '/v2/campus?filter[active]=perhaps'],
    ['a filter by an unknown kind', '/v2/users?filter[kind]=wizard'],
    ['a custom filter by a word', '/v2/locations?filter[active]=perhaps'],
    ['a filter by a day that does not exist', '/v2/users?filter[created_at]=2026-02-30'],
    ['a filter by nil in a column of times', '/v2/locations?filter[end_at]=nil'],
    ['a range on an unknown field', '/v2/users?range[shoe_size]=40,43'],
    ['a range without a field', '/v2/users?range=1,2'],
    ['a range of one value', '/v2/users?range[id]=1'],
    ['a range of three values', '/v2/users?range[id]=1,2,3'],
    ['a range of no value', '/v2/users?range[id]='],
    ['a range of two blanks', '/v2/users?range[id]=,'],
    ['a range of words in a column of numbers', '/v2/users?range[id]=a,b'],
    ['a range from a day that does not exist', '/v2/users?range[created_at]=2026-02-30,2026-03-01'],
    ['a range to an hour that does not exist', '/v2/users?range[created_at]=2026-02-28,2026-03-01T25:00:00Z'],
    ['a range by 10 000 commas', `/v2/users?range[id]=${commas}`],
    ['a range that is a list', '/v2/users?range[id][]=1,2'],
    ['a sort by an unknown field', '/v2/users?sort=shoe_size'],
    ['a sort by a field that is shown but not listed', '/v2/users?sort=wallet'],
    ['a sort with two minus signs', '/v2/users?sort=--id'],
    ['a sort by SQL', '/v2/users?sort=id;drop%20table%20users'],
    ['a sort by 10 000 commas', `/v2/users?sort=${commas}`],
    ['a sort that is a list', '/v2/users?sort[]=id'],
    ['a sort that is a hash', '/v2/users?sort[id]=desc'],
    ['a search in an unknown field', '/v2/users?search[shoe_size]=43'],
    ['a search in a field that only lists are filtered by', '/v2/users?search[email]=a'],
    ['a search where nothing can be searched', '/v2/languages?search=French'],
    ['a search for 256 letters', `/v2/users?search=${'a'.repeat(256)}`],
    ['a search for a null byte', '/v2/users?search[login]=%00'],
    ['a search that is a list', '/v2/users?search[login][]=ada'],
    ['page 0', '/v2/users?page=0'],
    ['page -1', '/v2/users?page=-1'],
    ['page abc', '/v2/users?page=abc'],
    ['page 1.5', '/v2/users?page=1.5'],
    ['page 1e3', '/v2/users?page=1e3'],
    ['page 0x1', '/v2/users?page=0x1'],
    ['a blank page', '/v2/users?page='],
    ['a page in other digits', '/v2/users?page=%EF%BC%91'],
    ['a list of pages', '/v2/users?page[]=1'],
    ['page[number] 0', '/v2/users?page[number]=0'],
    ['page[number] of a hash', '/v2/users?page[number][x]=1'],
    ['page[size] 0', '/v2/users?page[size]=0'],
    ['page[size] abc', '/v2/users?page[size]=abc'],
    ['per_page 0', '/v2/users?per_page=0'],
    ['per_page -1', '/v2/users?per_page=-1'],
    ['a list of per_page', '/v2/users?per_page[]=10'],
    ['a time zone that does not exist', '/v2/users/graph?time_zone=Mars/Phobos'],
    ['a list of time zones', '/v2/users/graph?time_zone[]=Europe/Paris'],
    ['a graph with a bad filter', '/v2/users/graph?filter[shoe_size]=43'],
    ['a graph with a bad range', '/v2/users/graph?range[id]=1'],
    ['bad percent-encoding', '/v2/users?filter[login]=%ZZ'],
    ['bad percent-encoding in a name', '/v2/users?fil%ter=1'],
    ['percent-encoding of half a letter', '/v2/users?filter[login]=%C3'],
    ['percent-encoding of a lone surrogate', '/v2/users?filter[login]=%ED%A0%80'],
    ['a parameter 50 levels deep', `/v2/users?filter${'[a]'.repeat(50)}=1`],
    ['a name that is both a list and not one', '/v2/users?filter[id]=1&filter[id][]=2'],
    ['2001 parameters', `/v2/users?${'a&'.repeat(2001)}`],
  ] as const) {
    it(`with ${what} is refused with 400`, refuses(path))
  }

  for (const [what, path] of [
    ['an unknown parameter', '/v2/users?shoe_size=43'],
    ['a parameter called __proto__', '/v2/users?__proto__[page]=0&__proto__=1'],
    ['a parameter called constructor', '/v2/users?constructor[prototype][page]=0'],
    ['a parameter without a value', '/v2/users?x&y='],
    ['parameters without a name', '/v2/users?&&=1&'],
    ['brackets that do not match', '/v2/users?filter[id=many&filter]id[=many'],
    ['an unknown member of page', '/v2/users?page[x]=1'],
    ['a blank sort', '/v2/users?sort='],
    ['a blank filter, range and search', '/v2/users?filter=&range=&search='],
    ['the same field sorted by a thousand times', `/v2/users?sort=${Array(1000).fill('-id').join(',')}`],
    ['2000 numbers to filter by', `/v2/users?filter[id]=${Array(2000).fill(user).join(',')}`],
    ['a filter by 2^31', '/v2/users?filter[id]=2147483648'],
    ['a filter by 2^63', '/v2/users?filter[id]=9223372036854775808'],
    ['a filter by -2^63 and more', '/v2/users?filter[id]=-9223372036854775809,1'],
    ['a filter by forty digits', `/v2/users?filter[id]=${'9'.repeat(40)}`],
    ['a filter by the id of a place that there cannot be', '/v2/users?filter[primary_campus_id]=9223372036854775808'],
    ['a graph filtered by such a place', '/v2/locations/graph?filter[campus_id]=9223372036854775808'],
    ['a graph filtered by a negative place', '/v2/locations/graph?filter[campus_id]=-9223372036854775808'],
    ['a range up to 2^63', '/v2/users?range[id]=1,9223372036854775808'],
    ['a page far beyond the last', '/v2/users?page=999999999999999999&per_page=100'],
  ] as const) {
    it(`with ${what} is served`, serves(path))
  }

  it('in which a parameter is repeated takes the last one', async () => {
    const other = await world.build.user({ login: 'bob' })
    const { json } = await world.visitor.get(`/v2/users?filter[id]=${user}&filter[id]=${other}`)
    assert.deepEqual(
      json.map(({ id }: { id: number }) => id),
      [other],
    )
    assertRefusal(await world.visitor.get('/v2/users?page=1&page=0'), 400)
  })

  for (const [what, query, expected] of [
    ['per_page 500', 'per_page=500', '100'],
    ['page[size] 101', 'page[size]=101', '100'],
  ] as const) {
    it(`with ${what} is served with the largest page`, async () => {
      const { status, headers } = await world.visitor.get(`/v2/users?${query}`)
      assert.deepEqual([status, headers.get('x-per-page')], [200, expected])
    })
  }

  it('with a page of twenty digits is served an empty list', async () => {
    const { status, json } = await world.visitor.get('/v2/users?page=99999999999999999999')
    assert.deepEqual([status, json], [200, []])
  })

  it('with a per_page of twenty digits is served with the largest page', async () => {
    const { status, headers } = await world.visitor.get('/v2/users?per_page=99999999999999999999')
    assert.deepEqual([status, headers.get('x-per-page')], [200, '100'])
  })

  it(
    'with the offset of a time zone instead of its name is refused with 400',
    refuses('/v2/users/graph?time_zone=%2B02:00'),
  )

  it('that groups the last hour of year 9999 in a zone ahead of UTC is served', async () => {
    const id = await world.build.location({ user_id: user, campus_id: campus, begin_at: '9999-12-31T23:30:00Z' })
    const { status } = await world.visitor.get('/v2/locations/graph/on/begin_at/by/year?time_zone=Asia/Tokyo')
    await world.staff.delete(`/v2/locations/${id}`)
    assert.equal(status, 200)
  })

  it('longer than the server reads is refused in JSON', async () => {
    assertRefusal(await world.visitor.get(`/v2/users?filter[login]=${'a'.repeat(20_000)}`), 431)
  })

  it('however much longer is refused, and the answer arrives', async () => {
    for (const length of [17_000, 40_000, 400_000, 4_000_000].flatMap((length) => Array(8).fill(length) as number[]))
      assertRefusal(await world.visitor.get(`/v2/users?filter[login]=${'a'.repeat(length)}`), 431)
  })

  it('longer than the server reads is refused with error and message and nothing else', async () => {
    const { json } = await world.visitor.get(`/v2/users?filter[login]=${'a'.repeat(20_000)}`)
    assert.deepEqual(Object.keys(json).sort(), ['error', 'message'])
  })
})

const language = (values: object) => JSON.stringify({ language: { name: 'Irish', identifier: 'ga', ...values } })
const form = (pairs: Record<string, string>) => new URLSearchParams(pairs).toString()
const multipart = (boundary: string) => ({ 'content-type': `multipart/form-data; boundary=${boundary}` })
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

describe('a body', () => {
  const rows = async () => world.database.rows('select count(*), max(id) from languages')
  let untouched: Awaited<ReturnType<typeof rows>>
  before(async () => {
    untouched = await rows()
  })
  after(async () => assert.deepEqual(await rows(), untouched, 'a refusal has left a row'))

  const refuses =
    (status: number, body: unknown, headers: Record<string, string>, path = '/v2/languages') =>
    async () =>
      assertRefusal(await world.director.post(path, body, headers), status)

  for (const [what, body, headers] of [
    ['JSON that ends too early', '{"language":', JSON_TYPE],
    ['JSON with a comma too many', '{"language":{"name":"x",}}', JSON_TYPE],
    ['JSON with two byte order marks', `\uFEFF\uFEFF${language({})}`, JSON_TYPE],
    ['JSON in single quotes', "{'language':{}}", JSON_TYPE],
    ['no JSON at all', 'hello', JSON_TYPE],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x00]), JSON_TYPE],
    ['an array instead of an object', '[]', JSON_TYPE],
    ['an array of payloads', `[${language({})}]`, JSON_TYPE],
    ['a number', '5', JSON_TYPE],
    ['a text', '"language"', JSON_TYPE],
    ['true', 'true', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['nothing', '', JSON_TYPE],
    ['an empty object', '{}', JSON_TYPE],
    ['the payload without its wrapper', '{"name":"Irish","identifier":"ga"}', JSON_TYPE],
    ['the wrapper of another resource', '{"user":{"name":"Irish"}}', JSON_TYPE],
    ['null in the wrapper', '{"language":null}', JSON_TYPE],
    ['an array in the wrapper', '{"language":[{"name":"Irish"}]}', JSON_TYPE],
    ['a text in the wrapper', '{"language":"Irish"}', JSON_TYPE],
    ['the wrapper as prototype', '{"__proto__":{"language":{"name":"Irish","identifier":"ga"}}}', JSON_TYPE],
    ['100 000 brackets', '['.repeat(100_000), JSON_TYPE],
    ['200 000 brackets where text belongs', `{"language":{"name":${'['.repeat(2e5)}${']'.repeat(2e5)}}}`, JSON_TYPE],
    ['bad percent-encoding', 'language[name]=%ZZ&language[identifier]=ga', FORM_TYPE],
    ['a form without its wrapper', 'name=Irish&identifier=ga', FORM_TYPE],
    ['a form in which the wrapper is a text', 'language=Irish', FORM_TYPE],
    ['a form in which the wrapper is a list', 'language[]=Irish', FORM_TYPE],
    ['a form 50 levels deep', `language${'[a]'.repeat(50)}=1`, FORM_TYPE],
    ['a form of 2001 fields', 'language[name]=x&'.repeat(2001), FORM_TYPE],
    ['an empty form', '', FORM_TYPE],
    ['multipart without a boundary', part('language[name]', 'Irish'), { 'content-type': 'multipart/form-data' }],
    ['multipart that ends too early', part('language[name]', 'Irish'), multipart('b')],
    ['multipart with another boundary', `${part('language[name]', 'Irish')}--b--\r\n`, multipart('c')],
    ['multipart without parts', '--b--\r\n', multipart('b')],
    ['multipart with a broken header', '--b\r\nContent-Disposition\r\n\r\nx\r\n--b--\r\n', multipart('b')],
    ['multipart without the wrapper', `${part('name', 'Irish')}--b--\r\n`, multipart('b')],
    ['XML', '<language/>', { 'content-type': 'application/xml' }],
    ['plain text', language({}), { 'content-type': 'text/plain' }],
    ['no content type', Buffer.from(language({})), {}],
    ['a content type that is none', language({}), { 'content-type': 'json' }],
  ] as const) {
    it(`of ${what} is refused with 400`, refuses(400, body, headers))
  }

  for (const [what, body, headers] of [
    ['an empty wrapper', '{"language":{}}', JSON_TYPE],
    ['an unknown field', language({ shoe_size: 43 }), JSON_TYPE],
    ['a field called constructor', language({ constructor: 1 }), JSON_TYPE],
    ['a field called toString', language({ toString: 1 }), JSON_TYPE],
    ['a field called nothing', language({ '': 1 }), JSON_TYPE],
    ['a field with a null byte in its name', language({ 'a\0b': 1 }), JSON_TYPE],
    ['a field with a lone surrogate as name', '{"language":{"\\ud800":1}}', JSON_TYPE],
    ['an object where text belongs', language({ name: {} }), JSON_TYPE],
    ['an array where text belongs', language({ name: ['Irish'] }), JSON_TYPE],
    ['a blank where text is required', language({ name: '   ' }), JSON_TYPE],
    ['null where text is required', language({ name: null }), JSON_TYPE],
    ['a null byte in a text', language({ name: 'a\0b' }), JSON_TYPE],
    ['a lone surrogate in a text', '{"language":{"name":"\\ud800","identifier":"ga"}}', JSON_TYPE],
    ['two surrogates in the wrong order', '{"language":{"name":"\\udc00\\ud800","identifier":"ga"}}', JSON_TYPE],
    ['a text that is too long', language({ name: 'x'.repeat(256) }), JSON_TYPE],
    ['a text that is far too long', language({ name: 'x'.repeat(1_000_000) }), JSON_TYPE],
    ['an unknown field in a form', form({ 'language[name]': 'x', 'language[shoe_size]': '43' }), FORM_TYPE],
    ['a null byte in a form', 'language[name]=a%00b&language[identifier]=ga', FORM_TYPE],
    ['a hash where text belongs in a form', 'language[name][a]=b&language[identifier]=ga', FORM_TYPE],
    ['an unknown field in multipart', `${part('language[shoe_size]', '43')}--b--\r\n`, multipart('b')],
  ] as const) {
    it(`of ${what} is refused with 422`, refuses(422, body, headers))
  }

  it('of multipart with 2001 parts is refused as too large', async () => {
    const body = `${part('language[name]', 'x').repeat(2001)}--b--\r\n`
    assertRefusal(await world.director.post('/v2/languages', body, multipart('b')), 413)
  })

  it('of a file where text belongs is refused with 422', async () => {
    const body = new FormData()
    body.append('language[name]', new Blob(['Irish']), 'name.txt')
    body.append('language[identifier]', 'ga')
    const response = await world.director.post('/v2/languages', body)
    assertRefusal(response, 422)
    assert.deepEqual(response.json.errors, { name: ['is not text'] })
  })

  it('names an unknown field and shortens a very long one', async () => {
    const { json } = await world.director.post('/v2/languages', language({ [`x${'y'.repeat(5000)}`]: 1 }), JSON_TYPE)
    assert.deepEqual(json.errors, { [`x${'y'.repeat(79)}`]: ['is not accepted'] })
  })

  for (const [what, body, headers] of [
    ['JSON', '{"language":{"name":"Irish","identifier":"ga","__proto__":{"x":1}}}', JSON_TYPE],
    ['a form', 'language[name]=Irish&language[identifier]=ga&language[__proto__]=1', FORM_TYPE],
  ] as const) {
    it(`with a field called __proto__ in ${what} is refused with 422`, async () => {
      const { status, json } = await world.director.post('/v2/languages', body, headers)
      if (status === 201) await world.director.delete(`/v2/languages/${json.id}`)
      await world.database.rows("select setval(pg_get_serial_sequence('languages', 'id'), max(id)) from languages")
      assert.equal(status, 422)
    })
  }

  it('of 200 000 brackets is refused with 400 under an Idempotency-Key too', async () => {
    const body = `{"language":{"name":${'['.repeat(2e5)}${']'.repeat(2e5)}}}`
    const response = await world.director.post('/v2/languages', body, { ...JSON_TYPE, 'idempotency-key': 'deep' })
    assertRefusal(response, 400)
  })

  it('of an empty wrapper changes nothing in an update', async () => {
    const id = await world.build.language({ name: 'Manx' })
    const read = async () => (await world.visitor.get(`/v2/languages/${id}`)).json
    const name = (await read()).name
    assert.equal((await world.director.patch(`/v2/languages/${id}`, { language: {} })).status, 204)
    assert.equal((await read()).name, name)
    assert.equal((await world.director.delete(`/v2/languages/${id}`)).status, 204)
    untouched = await rows()
  })
})

describe('a value', () => {
  const refused = async (path: string, payload: object) => {
    const response = await world.director.post(path, payload)
    assertRefusal(response, 422)
    return Object.keys(response.json.errors)
  }
  const location = (values: object) => ({ location: { user_id: user, campus_id: campus, host: 'x', ...values } })

  for (const [what, value] of [
    ['2^31', 2_147_483_648],
    ['2^63', '9223372036854775808'],
    ['2^63 without quotes', 2 ** 63],
    ['-2^63', '-9223372036854775808'],
    ['a number of 400 digits', '9'.repeat(400)],
    ['0', 0],
    ['-1', -1],
    ['1.5', 1.5],
    ['a word', 'one'],
    ['a number with a word behind it', '1 campus'],
    ['true', true],
    ['a list', [1]],
    ['an object', { id: 1 }],
    ['the id of nothing', 2_147_483_647],
  ] as const) {
    it(`of ${what} is refused where an id belongs`, async () => {
      assert.deepEqual(await refused('/v2/locations', location({ campus_id: value })), ['campus_id'])
    })
  }

  it('of a number without end is refused where an id belongs', async () => {
    const body = `{"location":{"user_id":${user},"campus_id":1e999,"host":"x"}}`
    assertRefusal(await world.director.post('/v2/locations', body, JSON_TYPE), 422)
  })

  for (const value of ['perhaps', 2, -1, 'truee', [true], {}]) {
    it(`of ${JSON.stringify(value)} is refused where yes or no belongs`, async () => {
      assert.deepEqual(await refused('/v2/locations', location({ primary: value })), ['primary'])
    })
  }

  for (const value of [
    ...[
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-02-28T25:00:00Z',
      '2026-02-28T10:61:00Z',
      '2016-12-31T23:59:60Z',
    ],
    ...['2026-02-28T10:00:00+99:00', 'yesterday', '28/02/2026', '2026-2', '20260230', '10000-01-01', '-0001-01-01'],
    ...['0000-01-01', '2026-02-28 10:00:00 CET', '2026-02-28T10:00:00Z; x', 1_772_445_600, true, [], {}],
  ]) {
    it(`of ${JSON.stringify(value)} is refused where a time belongs`, async () => {
      assert.deepEqual(await refused('/v2/locations', location({ begin_at: value })), ['begin_at'])
    })
  }

  for (const value of ['much', 'NaN', 'Infinity', true, [], {}]) {
    it(`of ${JSON.stringify(value)} is refused where a number belongs`, async () => {
      const cursus_user = { user_id: user, cursus_id: 1, level: value }
      assert.deepEqual(await refused('/v2/cursus_users', { cursus_user }), ['level'])
    })
  }

  for (const value of ['wizard', 'Admin', 1, [], {}]) {
    it(`of ${JSON.stringify(value)} is refused where one of a few words belongs`, async () => {
      const person = { email: 'x@campus.test', first_name: 'X', last_name: 'Y', kind: value }
      assert.deepEqual(await refused('/v2/users', { user: person }), ['kind'])
    })
  }

  for (const value of ['Ada', '123', 'a'.repeat(32), 'a b', 'a/b', 'å', '.a', 'a..b', 'a.', 'me', 'a.json']) {
    it(`of ${JSON.stringify(value)} is refused where a login belongs`, async () => {
      const person = { email: 'x@campus.test', first_name: 'X', last_name: 'Y', kind: 'student', login: value }
      assert.deepEqual(await refused('/v2/users', { user: person }), ['login'])
    })
  }

  for (const value of ['ada', 'ada@', '@campus.test', 'ada@campus', 'a b@campus.test', 'a@b@campus.test']) {
    it(`of ${JSON.stringify(value)} is refused where an e-mail address belongs`, async () => {
      assert.deepEqual(
        await refused('/v2/users', { user: { email: value, first_name: 'X', last_name: 'Y', kind: 'student' } }),
        ['email'],
      )
    })
  }

  for (const [what, value] of [
    ['a text', 'one'],
    ['a number', 7],
    ['a list of texts', ['one']],
    ['1001 elements', Array(1001).fill({ cursus_id: 1 })],
    ['a list of lists', [[]]],
  ] as const) {
    it(`of ${what} is refused where nested records belong`, async () => {
      const person = {
        email: 'x@campus.test',
        first_name: 'X',
        last_name: 'Y',
        kind: 'student',
        cursus_users_attributes: value,
      }
      assert.deepEqual(await refused('/v2/users', { user: person }), ['cursus_users_attributes'])
    })
  }

  for (const [what, value] of [
    ['a word', 'one'],
    ['a fraction', [1.5]],
    ['2^63', ['9223372036854775808']],
    ['an object', {}],
    ['1001 ids', Array(1001).fill(1)],
  ] as const) {
    it(`of ${what} is refused where ids belong`, async () => {
      assert.deepEqual(await refused('/v2/cursus', { cursus: { name: 'X', skill_ids: value } }), ['skill_ids'])
    })
  }

  for (const [what, value] of [
    ['true', [true]],
    ['a list of one id', [[1]]],
    ['an id in hexadecimal', ['0x1']],
  ] as const) {
    it(`of ${what} is refused where ids belong`, async () => {
      await world.build.record('skills', { name: `Skill ${what}`, slug: `skill-${what.length}` })
      assert.deepEqual(await refused('/v2/cursus', { cursus: { name: `X ${what}`, skill_ids: value } }), ['skill_ids'])
    })
  }

  it('of an unknown time zone is refused where the zone of a campus belongs', async () => {
    const language_id = await world.build.language()
    const payload = { campus: { name: 'Phobos', time_zone: 'Mars/Phobos', language_id } }
    assert.deepEqual(await refused('/v2/campus', payload), ['time_zone'])
  })

  for (const slug of ['42', 'a/b', 'Ünï', 'graph', 'me', 'a.json', '-']) {
    it(`of ${JSON.stringify(slug)} is refused where a slug belongs`, async () => {
      assert.deepEqual(await refused('/v2/cursus', { cursus: { name: `Named ${slug}`, slug } }), ['slug'])
    })
  }

  for (const id of [0, -5]) {
    it(`of ${id} is refused where the id of a service belongs`, async () => {
      assert.deepEqual(await refused('/v2/endpoints', { endpoint: { url: 'https://x.test', id } }), ['id'])
    })
  }
})

describe('an Idempotency-Key', () => {
  for (const [what, key] of [
    ['nothing', ''],
    ['256 characters', 'x'.repeat(256)],
  ] as const) {
    it(`of ${what} is refused with 400`, async () => {
      const response = await world.director.post('/v2/languages', language({}), {
        ...JSON_TYPE,
        'idempotency-key': key,
      })
      assertRefusal(response, 400)
    })
  }
})

/** Random requests never get a 5xx, and each refusal has a message. */
describe('a request out of thin air', () => {
  const nasty = fc.constantFrom(
    ...['', ' ', '0', '-1', '1', '2147483648', '9223372036854775808', '1e999', 'NaN', 'null', 'true', '\0', '%', '%00'],
    ...['%ZZ', '\ud800', '../..', "' or 1=1 --", '2026-02-30', '2026-03-01', '1,2', ',,,', '-id', 'id', '__proto__'],
    ...['[]', '[a]', '{}', '<x>', '"', '\r\n', '🎓', 'ada', 'x'.repeat(300)],
  )
  const word = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 12 }), fc.integer().map(String))
  const names = fc.constantFrom(
    ...[
      'page',
      'page[number]',
      'page[size]',
      'per_page',
      'sort',
      'filter',
      'filter[id]',
      'filter[login]',
      'filter[x][y]',
    ],
    ...['filter[created_at]', 'filter[staff?]', 'filter[]', 'range[id]', 'range[created_at]', 'range', 'search'],
    ...['search[login]', 'time_zone', 'access_token', '__proto__', 'constructor[a]', 'a[][b]', 'filter[__proto__]'],
  )
  const encode = (text: string) => encodeURIComponent(text.toWellFormed())
  const pair = fc.oneof(
    fc.tuple(names, word).map(([name, value]) => `${name}=${encode(value)}`),
    fc.tuple(word, word).map(([name, value]) => `${encode(name)}=${encode(value)}`),
    fc.stringMatching(/^[\w%[\]&=,.+-]{0,20}$/),
  )
  const query = fc.array(pair, { maxLength: 4 }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`))
  const resources = fc.constantFrom(
    ...['users', 'campus', 'cursus', 'languages', 'locations', 'endpoints', 'campus_users', 'cursus_users', 'skills'],
    ...['languages_users', 'users/graph', 'locations/graph/on/begin_at/by/week', 'staff', 'me'],
    ...['users/ada/locations', 'campus/paris/users', 'cursus/piscine/users', 'cursus/piscine/cursus_users/graph'],
  )
  const id = fc.oneof(fc.constantFrom('1', 'ada', 'paris'), word.map(encode))

  async function isAnswered(call: Promise<Response>): Promise<void> {
    const { status, json, text } = await call
    assert.ok(status < 500, `${status} ${text.slice(0, 200)}`)
    if (status >= 400)
      assert.match(json?.message ?? json?.errors?.[0]?.detail ?? '', /\w/, `${status} ${text.slice(0, 200)}`)
  }

  const options = { seed: 42, numRuns: 250 }

  it('that reads is answered or refused in words', async () => {
    await fc.assert(
      fc.asyncProperty(resources, fc.option(id), query, (resource, record, parameters) =>
        isAnswered(world.staff.get(`/v2/${resource}${record === null ? '' : `/${record.slice(0, 400)}`}${parameters}`)),
      ),
      options,
    )
  })

  const SINGULAR = {
    languages: 'language',
    campus: 'campus',
    cursus: 'cursus',
    users: 'user',
    locations: 'location',
    campus_users: 'campus_user',
    cursus_users: 'cursus_user',
    endpoints: 'endpoint',
    skills: 'skill',
  }
  const fields = fc.constantFrom(
    ...['id', 'name', 'identifier', 'slug', 'time_zone', 'language_id', 'user_id', 'campus_id', 'cursus_id', 'host'],
    ...[
      'begin_at',
      'end_at',
      'primary',
      'level',
      'kind',
      'email',
      'login',
      'first_name',
      'last_name',
      'password',
      'url',
    ],
    ...['secret', 'skill_ids', 'cursus_users_attributes', 'created_at', 'active', '__proto__', 'constructor', 'x'],
  )
  const leaf = fc.oneof(word, fc.constant(1), fc.double(), fc.boolean(), fc.constant(null))
  const value = fc.oneof(
    { weight: 4, arbitrary: leaf },
    fc.array(leaf, { maxLength: 3 }),
    fc.array(fc.dictionary(fields, leaf, { maxKeys: 3 }), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fields, word), leaf, { maxKeys: 3 }),
  )
  const write = fc.record({
    resource: fc.constantFrom(...(Object.keys(SINGULAR) as (keyof typeof SINGULAR)[])),
    record: fc.option(id),
    method: fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE'),
    payload: fc.dictionary(fields, value, { maxKeys: 6 }),
    raw: fc.option(fc.string({ unit: 'binary', maxLength: 60 }), { freq: 6 }),
    type: fc.constantFrom(
      ...['application/json', 'application/json', 'application/json', 'application/x-www-form-urlencoded'],
      ...['multipart/form-data; boundary=b', 'multipart/form-data', 'text/plain', 'application/vnd.api+json', 'x'],
    ),
    parameters: query,
  })

  it('that writes is answered or refused in words', async () => {
    await fc.assert(
      fc.asyncProperty(write, ({ resource, record, method, payload, raw, type, parameters }) => {
        const path = `/v2/${resource}${record === null ? '' : `/${record.slice(0, 400)}`}${parameters}`
        const body = method === 'DELETE' ? undefined : (raw ?? JSON.stringify({ [SINGULAR[resource]]: payload }))
        const headers = { 'content-type': type }
        return isAnswered(world.director.request(method, path, { body, headers }))
      }),
      options,
    )
  })
})
