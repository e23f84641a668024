import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { linksOf } from './links.ts'

const ORIGIN = 'https://app.campus.test'

let world: World
let limited: Client
let campus: number

before(async () => {
  world = await openCampus()
  campus = await world.build.campus({ slug: 'paris' })
  for (let number = 0; number < 5; number += 1) await world.build.cursus({ kind: 'piscine' })
  limited = await world.caller({ ratePerHour: 1 })
  await limited.get('/v2/languages')
})
after(() => world.close())

let languages = 0
const anotherLanguage = () => {
  languages += 1
  return language(`x${languages}`)
}
const language = (identifier: string) => ({ language: { name: `Language ${identifier}`, identifier } })
const bearer = { authorization: 'Bearer nonsense' }

type Situation = readonly [status: number, call: () => Promise<Response>]

/** One answer of each kind. */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  'a list': [200, () => world.visitor.get('/v2/users')],
  'a page beyond the last': [200, () => world.visitor.get('/v2/users?page=99')],
  'a record': [200, () => world.visitor.get('/v2/campus/paris')],
  'a graph': [200, () => world.visitor.get('/v2/users/graph')],
  'a head': [200, () => world.visitor.request('HEAD', '/v2/users')],
  'a record that is known already': [304, () => world.visitor.get('/v2/users', { 'if-none-match': '*' })],
  'a creation': [201, () => world.director.post('/v2/languages', anotherLanguage())],
  'an update': [204, () => world.director.patch(`/v2/campus/${campus}`, { campus: { city: 'Paris' } })],
  'a malformed request': [400, () => world.visitor.get('/v2/users?page=0')],
  'a query that cannot be read': [400, () => world.visitor.get('/v2/users?filter[login]=%ZZ')],
  'a body that cannot be read': [400, () => world.director.post('/v2/languages', '{', json)],
  'a missing token': [401, () => world.anonymous.get('/v2/users')],
  'an invalid token': [401, () => world.anonymous.get('/v2/users', bearer)],
  'a missing role': [403, () => world.visitor.get('/v2/endpoints')],
  'a missing record': [404, () => world.visitor.get('/v2/users/2147483647')],
  'an unknown path': [404, () => world.visitor.get('/v2/nothing')],
  'another method': [405, () => world.visitor.delete('/v2/users')],
  'a body that is too large': [413, () => world.director.post('/v2/languages', ' '.repeat(1_100_000), json)],
  'a broken rule': [422, () => world.director.post('/v2/languages', { language: {} })],
  'a rate that is used up': [429, () => limited.get('/v2/users')],
  'a preflight': [204, () => preflight('/v2/users')],
  'a token request that is refused': [401, () => world.anonymous.post('/v2/oauth/token', credentials)],
  'a token information': [200, () => world.visitor.get('/v2/oauth/token/info')],
}

const json = { 'content-type': 'application/json' }
const credentials = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }

const preflight = (path: string, headers: Record<string, string> = {}) =>
  world.anonymous.request('OPTIONS', path, {
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST', ...headers },
  })

/** Returns responses whose header is missing or differs. */
async function exceptions(name: string, pattern: RegExp): Promise<string[]> {
  const found: string[] = []
  for (const [situation, [status, call]] of Object.entries(SITUATIONS)) {
    const response = await call()
    const value = response.headers.get(name)
    if (response.status !== status) found.push(`${situation}: ${response.status}`)
    if (value === null || !pattern.test(value)) found.push(`${situation}: ${name}: ${value}`)
  }
  return found
}

describe('every response, errors included', () => {
  for (const [name, pattern] of [
    ['X-Application-Id', /^(\d+|None)$/],
    ['X-Application-Name', /^(Test.*|None)$/],
    ['X-Application-Roles', /^(None|\w+ \w+(, \w+ \w+)*)$/],
    ['X-Request-Id', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
    ['X-Runtime', /^\d+\.\d{6}$/],
    ['X-Content-Type-Options', /^nosniff$/],
    ['X-Frame-Options', /^SAMEORIGIN$/],
    ['Cache-Control', /^(max-age=0, private, must-revalidate|no-store)$/],
    ['X-Hourly-RateLimit-Limit', /^(1200|1000000|1)$/],
    ['X-Hourly-RateLimit-Remaining', /^\d+$/],
    ['X-Secondly-RateLimit-Limit', /^(2|1000000)$/],
    ['X-Secondly-RateLimit-Remaining', /^\d+$/],
  ] as const) {
    it(`carries ${name}`, async () => assert.deepEqual(await exceptions(name, pattern), []))
  }

  it('carries Date', async () => assert.deepEqual(await exceptions('Date', / GMT$/), []))
})

describe('an answer that the server gives before it looks for a route', () => {
  const carriesAll = async (path: string) => {
    const { headers } = await world.visitor.get(path)
    const names = ['x-application-id', 'x-application-name', 'x-application-roles', 'x-request-id', 'x-runtime']
    const missing = names.filter((name) => !headers.has(name))
    assert.deepEqual(missing, [])
  }

  it('carries what every response carries, where the path is bad percent-encoding', () => carriesAll('/v2/users/%ZZ'))

  it('carries what every response carries, where a name in the path is very long', () =>
    carriesAll(`/v2/users/${'a'.repeat(600)}`))

  it('carries what every response carries, where the head is too long to be read', () =>
    carriesAll(`/v2/users?q=${'a'.repeat(20_000)}`))
})

describe('the headers of old clients', () => {
  for (const name of ['X-XSS-Protection', 'X-Meta-Request-Version', 'X-Fast']) {
    it(`include ${name}`, async () => {
      assert.ok((await world.visitor.get('/v2/users')).headers.has(name))
    })
  }
})

describe('X-Application-Id, -Name and -Roles', () => {
  const saidTo = async (client: Client, path = '/v2/languages') => {
    const { headers } = await client.get(path)
    return ['id', 'name', 'roles'].map((name) => headers.get(`x-application-${name}`))
  }
  const idOf = async (client: Client) => {
    const { json } = await client.get('/oauth/token/info')
    const [row] = await world.database.rows('select id from applications where uid = $1', [json.application.uid])
    return row?.[0]
  }

  it('name the calling application, with None where it has no roles', async () => {
    assert.deepEqual(await saidTo(world.visitor), [await idOf(world.visitor), 'Test caller', 'None'])
  })

  it('list the roles with commas between', async () => {
    assert.deepEqual(await saidTo(world.director), [
      await idOf(world.director),
      'Test caller Advanced Staff Advanced Tutor',
      'Advanced Tutor, Advanced Staff',
    ])
  })

  it('say None three times where no application is known', async () => {
    assert.deepEqual(await saidTo(world.anonymous), ['None', 'None', 'None'])
  })

  it('name the application on refusals too', async () => {
    assert.deepEqual((await saidTo(world.visitor, '/v2/endpoints'))[1], 'Test caller')
    assert.deepEqual((await saidTo(world.visitor, '/v2/users/2147483647'))[1], 'Test caller')
  })

  it('keep a name that no header can hold in percent-encoding', async () => {
    await world.database.rows("update applications set name = 'Ünï' || chr(10) || 'x' where id = $1", [
      await idOf(world.visitor),
    ])
    assert.equal((await saidTo(world.visitor))[1], '%C3%9Cn%C3%AF%0Ax')
    await world.database.rows("update applications set name = 'Test caller' where id = $1", [await idOf(world.visitor)])
  })
})

describe('X-Request-Id', () => {
  const idFor = async (sent?: string) => {
    const { headers } = await world.visitor.get('/v2/languages', sent === undefined ? {} : { 'x-request-id': sent })
    return headers.get('x-request-id')
  }

  it('is another one for each request', async () => assert.notEqual(await idFor(), await idFor()))

  it('is the client’s own where that is one word', async () => {
    assert.equal(await idFor('client-request-0001'), 'client-request-0001')
  })

  it('is a new one where the client’s is no sane word', async () => {
    for (const odd of ['short', 'a b c d e f', 'x'.repeat(129), 'semi;colon;']) {
      assert.match(String(await idFor(odd)), /^[\da-f-]{36}$/)
    }
  })
})

describe('X-Page, X-Per-Page and X-Total', () => {
  const paging = async (query: string, path = '/v2/cursus') => {
    const { headers } = await world.visitor.get(`${path}${query}`)
    return ['x-page', 'x-per-page', 'x-total'].map((name) => headers.get(name))
  }

  it('say the page, its size and the number of items', async () => {
    assert.deepEqual(await paging(''), ['1', '30', '5'])
    assert.deepEqual(await paging('?page=2&per_page=2'), ['2', '2', '5'])
    assert.deepEqual(await paging('?page=9&per_page=2'), ['9', '2', '5'])
  })

  it('say a size that was clamped', async () => assert.deepEqual(await paging('?per_page=500'), ['1', '100', '5']))

  it('are on lists only', async () => {
    assert.deepEqual(await paging('', '/v2/campus/paris'), [null, null, null])
  })

  it('stay exact while records come and go, in every list that has them', async () => {
    const user = await world.build.user({ login: 'guest' })
    const lists = [
      ...['/v2/locations', '/v2/locations?filter[active]=true', '/v2/locations?range[id]=1,2000000000'],
      ...['/v2/campus/paris/locations', '/v2/users/guest/locations', '/v2/locations?filter[host]=seat0,seat1,seat2'],
    ]
    const totals = async () => Promise.all(lists.map(async (list) => (await paging('?', list))[2]))
    const expect = async (total: number) => {
      const actual = await Promise.all(
        lists.map(async (list) => (await world.visitor.get(list)).headers.get('x-total')),
      )
      assert.deepEqual(actual, Array(lists.length).fill(String(total)))
    }
    await totals()
    await expect(0)
    const made: number[] = []
    for (let number = 0; number < 3; number += 1) {
      const location = { user_id: user, campus_id: campus, host: `seat${number}` }
      made.push((await world.staff.post('/v2/locations', { location })).json.id)
      await expect(made.length)
    }
    await world.staff.delete(`/v2/locations/${made.pop()}`)
    await expect(2)
    for (const id of made) await world.staff.delete(`/v2/locations/${id}`)
    await expect(0)
  })

  it('stay exact when records go along with the one that they hang under', async () => {
    const project_id = await world.build.record('projects', { name: 'Short-lived', slug: 'short-lived' })
    const total = async () => (await paging('', '/v2/project_sessions'))[2]
    const before = await total()
    for (const campus_id of [null, await world.build.campus()])
      await world.build.record('project_sessions', { project_id, campus_id })
    assert.equal(await total(), String(Number(before) + 2))
    assert.equal((await world.director.delete(`/v2/projects/${project_id}`)).status, 204)
    assert.equal(await total(), before)
  })

  it('do not count what a refused write would have made', async () => {
    const [, , total] = await paging('', '/v2/languages')
    assert.equal((await world.director.post('/v2/languages', { language: { name: 'x' } })).status, 422)
    assert.equal((await paging('', '/v2/languages'))[2], total)
  })
})

describe('Link', () => {
  let base: string
  before(() => {
    base = `${world.url}/v2/cursus`
  })
  const links = async (query: string, client = world.visitor) => linksOf(await client.get(`/v2/cursus${query}`))
  const withQuery = (page: number, retained: string) => `${base}?${retained}page=${page}`

  it('has next and last only on the first page', async () => {
    const retained = 'per_page=2&'
    assert.deepEqual(await links('?per_page=2'), { next: withQuery(2, retained), last: withQuery(3, retained) })
  })

  it('has all four in the middle', async () => {
    assert.deepEqual(await links('?page=2&per_page=2'), {
      first: withQuery(1, 'per_page=2&'),
      prev: withQuery(1, 'per_page=2&'),
      next: withQuery(3, 'per_page=2&'),
      last: withQuery(3, 'per_page=2&'),
    })
  })

  it('has first and prev only on the last page', async () => {
    const retained = 'per_page=2&'
    assert.deepEqual(await links('?page=3&per_page=2'), { first: withQuery(1, retained), prev: withQuery(2, retained) })
  })

  it('leads back to the last page from beyond it', async () => {
    const retained = 'per_page=2&'
    assert.deepEqual(await links('?page=50&per_page=2'), {
      first: withQuery(1, retained),
      prev: withQuery(3, retained),
    })
  })

  it('is missing where there is one page', async () => assert.deepEqual(await links(''), {}))

  it('is just ?page=n where the request had no query', async () => {
    for (let number = 0; number < 30; number += 1)
      await world.build.record('skills', { name: `S${number}`, slug: `s${number}` })
    await world.build.record('skills', { name: 'S30', slug: 's30' })
    const { headers } = await world.visitor.get('/v2/skills')
    const skills = `${world.url}/v2/skills`
    assert.equal(headers.get('link'), `<${skills}?page=2>; rel="next", <${skills}?page=2>; rel="last"`)
  })

  it('keeps filter, range, sort and per_page', async () => {
    const retained = 'filter%5Bkind%5D=piscine&range%5Bid%5D=1%2C2147483647&sort=-name%2Cid&'
    assert.deepEqual(await links('?filter[kind]=piscine&range[id]=1,2147483647&sort=-name,id&per_page=2'), {
      next: withQuery(2, `${retained}per_page=2&`),
      last: withQuery(3, `${retained}per_page=2&`),
    })
  })

  it('leaves out what a client could not read, and keeps next the longest', async () => {
    const relationsWith = async (length: number, page: number) => {
      const response = await world.visitor.get(`/v2/cursus?per_page=2&page=${page}&x=${'x'.repeat(length)}`)
      return [...(response.headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation)
    }
    assert.deepEqual(await relationsWith(1900, 2), ['first', 'prev', 'next', 'last'])
    assert.deepEqual(await relationsWith(2500, 2), ['first', 'prev', 'next'])
    assert.deepEqual(await relationsWith(3900, 2), ['prev', 'next'])
    assert.deepEqual(await relationsWith(6000, 2), ['next'])
    assert.deepEqual(await relationsWith(9000, 2), ['next'])
    assert.deepEqual(await relationsWith(12_000, 2), ['next'])
  })

  it('has next on every page but the last, unless the query is so long that the list returns 431', async () => {
    for (const length of [1000, 2000, 4000, 6000, 8000, 10_000, 12_000, 13_000, 15_000]) {
      const commas = `filter[kind]=${'piscine,'.repeat(length / 8)}piscine`
      for (const query of [commas, `x=${'x'.repeat(length)}`]) {
        const response = await world.visitor.get(`/v2/cursus?per_page=2&${query}`)
        if (response.status === 431) assert.match(response.json.message, /too long/)
        else {
          const next = linksOf(response).next ?? assert.fail(`${length} characters`)
          assert.ok(JSON.stringify([...response.headers]).length < 15_360)
          if (length <= 6000) assert.equal((await world.visitor.get(next.slice(world.url.length))).status, 200)
        }
        assert.equal(response.status, query.length < 8000 ? 200 : response.status)
      }
    }
    const last = await world.visitor.get(`/v2/cursus?per_page=100&x=${'x'.repeat(14_000)}`)
    assert.equal(last.status, 200)
  })

  it('keeps what was sent in percent-encoding as it was sent', async () => {
    const retained = 'filter%5Bkind%5D=piscine%2Cmain&'
    assert.equal((await links(`?${retained}per_page=2`)).next, withQuery(2, `${retained}per_page=2&`))
  })

  for (const [form, query] of [
    ['page[number] and page[size]', '?page[number]=1&page[size]=2'],
    ['the same in percent-encoding', '?page%5Bnumber%5D=1&page%5Bsize%5D=2'],
    ['page and page[size]', '?page[size]=2&page=1'],
    ['page and per_page', '?page=1&per_page=2'],
  ] as const) {
    it(`turns ${form} into page and per_page`, async () => {
      assert.equal((await links(query)).next, withQuery(2, 'per_page=2&'))
    })
  }

  it('says the size that is served where a larger one was asked for', async () => {
    assert.equal((await links('?per_page=500&page=2')).prev, withQuery(1, 'per_page=100&'))
  })

  it('never holds the access token', async () => {
    const query = `?access_token=${world.visitor.token}&per_page=2`
    assert.equal((await links(query, world.anonymous)).next, withQuery(2, 'per_page=2&'))
  })

  it('never holds the access token, however its name was written', async () => {
    const query = `?access%5Ftoken=${world.visitor.token}&per_page=2`
    assert.equal((await links(query, world.anonymous)).next, withQuery(2, 'per_page=2&'))
  })

  it('cannot be broken out of', async () => {
    const { headers } = await world.visitor.get('/v2/cursus?per_page=2&q=%3E;%22,<x>"')
    assert.equal((headers.get('link') ?? '').split(', ').length, 2)
    assert.ok(!(headers.get('link') ?? '').includes('<x>'))
  })

  it('of a nested list stays below its parent', async () => {
    for (let number = 0; number < 3; number += 1)
      await world.build.record('campus_users', {
        user_id: await world.build.user(),
        campus_id: campus,
      })
    const { next } = linksOf(await world.visitor.get('/v2/campus/paris/users?per_page=2'))
    assert.equal(next, `${world.url}/v2/campus/paris/users?per_page=2&page=2`)
  })

  it('gives the next page', async () => {
    const first = await world.visitor.get('/v2/cursus?per_page=2&sort=id')
    const next = await world.visitor.get((linksOf(first).next ?? '').slice(world.url.length))
    const both = await world.visitor.get('/v2/cursus?per_page=4&sort=id')
    assert.deepEqual([...first.json, ...next.json], both.json)
  })
})

describe('ETag', () => {
  const etag = async (path: string) => (await world.visitor.get(path)).headers.get('etag') ?? ''

  it('is weak, on records, lists and graphs', async () => {
    for (const path of ['/v2/campus/paris', '/v2/users', '/v2/users/graph']) assert.match(await etag(path), /^W\/".+"$/)
  })

  it('changes with the record and not otherwise', async () => {
    const id = await world.build.campus()
    const tag = await etag(`/v2/campus/${id}`)
    assert.equal(await etag(`/v2/campus/${id}`), tag)
    await world.director.patch(`/v2/campus/${id}`, { campus: { city: 'Lyon' } })
    assert.notEqual(await etag(`/v2/campus/${id}`), tag)
  })

  it('sent back is answered 304 without a body, with the same headers otherwise', async () => {
    const full = await world.visitor.get('/v2/users')
    const tag = full.headers.get('etag') ?? ''
    const strong = tag.slice('W/'.length)
    for (const sent of [tag, strong, `"other", ${tag}`, '*']) {
      const { status, text, headers } = await world.visitor.get('/v2/users', { 'if-none-match': sent })
      assert.deepEqual([status, text, headers.get('etag')], [304, '', tag])
      assert.equal(headers.get('x-total'), full.headers.get('x-total'))
      assert.equal(headers.get('content-type'), null)
    }
  })

  it('of another state is answered in full', async () => {
    const { status, json } = await world.visitor.get('/v2/users', { 'if-none-match': 'W/"other"' })
    assert.equal(status, 200)
    assert.equal(json.length, Number((await world.visitor.get('/v2/users')).headers.get('x-total')))
  })
})

describe('Cache-Control', () => {
  const cacheOf = async (call: Promise<Response>) => (await call).headers.get('cache-control')

  it('lets a private cache ask again', async () => {
    assert.equal(await cacheOf(world.visitor.get('/v2/users')), 'max-age=0, private, must-revalidate')
  })

  it('is no-store on errors', async () => {
    assert.equal(await cacheOf(world.visitor.get('/v2/endpoints')), 'no-store')
  })

  it('is no-store beside Pragma: no-cache on everything of the OAuth endpoints', async () => {
    for (const path of ['/oauth/token/info', '/v2/oauth/token/info']) {
      const { headers } = await world.visitor.get(path)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('pragma'), 'no-cache')
    }
  })
})

describe('HEAD', () => {
  it('answers the headers of GET and no body', async () => {
    const own = /^(x-request-id|x-runtime|date|connection|keep-alive|x-(hourly|secondly)-ratelimit-remaining)$/
    const comparable = ({ headers }: Response) => [...headers].filter(([name]) => !own.test(name))
    for (const path of [
      '/v2/users?per_page=2',
      '/v2/campus/paris',
      '/v2/users/graph',
      '/v2/nothing',
      '/v2/endpoints',
    ]) {
      const [head, full] = [await world.visitor.request('HEAD', path), await world.visitor.get(path)]
      assert.deepEqual([head.status, head.text], [full.status, ''])
      assert.deepEqual(comparable(head), comparable(full))
    }
  })
})

describe('Content-Type', () => {
  it('is JSON in UTF-8 on every body', async () => {
    const found: string[] = []
    for (const [situation, [, call]] of Object.entries(SITUATIONS)) {
      const { text, headers } = await call()
      const type = headers.get('content-type')
      if (text !== '' && type !== 'application/json; charset=utf-8') found.push(`${situation}: ${type}`)
    }
    assert.deepEqual(found, [])
  })
})

describe('the headers of a write', () => {
  const create = (identifier: string, headers = {}) =>
    world.director.post('/v2/languages', language(identifier), headers)

  it('are Location on a creation, which leads to the record', async () => {
    const { status, headers, json } = await create('b1')
    assert.equal(status, 201)
    assert.equal(headers.get('location'), `${world.url}/v2/languages/${json.id}`)
    assert.deepEqual((await world.visitor.get(`/v2/languages/${json.id}`)).json, json)
  })

  it('are Location at the top level where the creation was below a parent', async () => {
    const user = await world.build.user()
    const { headers, json } = await world.staff.post(`/v2/users/${user}/locations`, {
      location: { campus_id: campus, host: 'below' },
    })
    assert.equal(headers.get('location'), `${world.url}/v2/locations/${json.id}`)
  })

  it('are Preference-Applied where an update answers the record because the client prefers it', async () => {
    const { json } = await create('b2')
    for (const prefer of ['return=representation', 'respond-async, return=representation']) {
      const { status, headers } = await world.director.patch(
        `/v2/languages/${json.id}`,
        { language: { name: 'B' } },
        { prefer },
      )
      assert.deepEqual([status, headers.get('preference-applied')], [200, 'return=representation'])
    }
  })

  it('have no Preference-Applied without the preference, nor with another one', async () => {
    const { json } = await create('b3')
    for (const prefer of [undefined, 'return=minimal']) {
      const headers = prefer === undefined ? undefined : { prefer }
      const answer = await world.director.patch(`/v2/languages/${json.id}`, { language: { name: 'B' } }, headers)
      assert.deepEqual([answer.status, answer.headers.get('preference-applied'), answer.text], [204, null, ''])
    }
  })

  it('are Idempotent-Replayed on an answer that is given again, and only there', async () => {
    const key = { 'idempotency-key': 'headers-1' }
    assert.equal((await create('b4', key)).headers.get('idempotent-replayed'), null)
    assert.equal((await create('b4', key)).headers.get('idempotent-replayed'), 'true')
  })
})

describe('Allow', () => {
  const allowOf = async (method: string, path: string) => {
    const { status, headers } = await world.director.request(method, path)
    return [status, (headers.get('allow') ?? '').split(', ').sort()]
  }

  it('names the methods of a known path where another one is used', async () => {
    assert.deepEqual(await allowOf('DELETE', '/v2/users'), [405, ['GET', 'HEAD', 'POST']])
    assert.deepEqual(await allowOf('DELETE', '/v2/users/1'), [405, ['GET', 'HEAD', 'PATCH', 'PUT']])
    assert.deepEqual(await allowOf('POST', '/v2/languages/1'), [405, ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT']])
    assert.deepEqual(await allowOf('POST', '/v2/campus/1/users'), [405, ['GET', 'HEAD']])
    assert.deepEqual(await allowOf('GET', '/oauth/token'), [405, ['POST']])
    assert.deepEqual(await allowOf('PUT', '/oauth/revoke'), [405, ['POST']])
  })
})

describe('Strict-Transport-Security', () => {
  const said = async (host: string) => {
    const { headers } = await world.app.inject({ url: '/v2/nothing', headers: { host } })
    return headers['strict-transport-security']
  }

  it('is said of a name that people know the service by', async () => {
    for (const host of [
      'api.campus.example',
      'api.campus.example:8443',
      'localhost.example',
      '203.0.113.7',
      '[2001:db8::1]:443',
    ]) {
      assert.equal(await said(host), 'max-age=31536000', host)
    }
  })

  it('has the configured age, and includes subdomains only if configured', async () => {
    const header = async (env: Record<string, string>) => {
      const configured = await openCampus({ env })
      try {
        const { headers } = await configured.app.inject({ url: '/health', headers: { host: 'api.campus.example' } })
        return headers['strict-transport-security']
      } finally {
        await configured.close()
      }
    }
    assert.equal(await header({ CAMPUS_HSTS_SECONDS: '0' }), 'max-age=0')
    const env = { CAMPUS_HSTS_SECONDS: '300', CAMPUS_HSTS_SUBDOMAINS: 'on' }
    assert.equal(await header(env), 'max-age=300; includeSubDomains')
  })

  it('is not said of this engine, where others serve on other ports', async () => {
    for (const host of [
      'localhost',
      'LOCALHOST:8443',
      'api.localhost:8443',
      '127.0.0.1',
      '127.1.2.3:8443',
      '[::1]:8443',
    ]) {
      assert.equal(await said(host), undefined, host)
    }
    for (const path of ['/v2/users', '/', '/health', '/nowhere', '/oauth/token']) {
      const { headers } = await world.app.inject({ url: path, headers: { host: 'localhost:8443' } })
      assert.equal(headers['strict-transport-security'], undefined, path)
    }
  })
})

describe('CORS', () => {
  const corsOf = ({ headers }: Response) => ({
    origin: headers.get('access-control-allow-origin'),
    credentials: headers.get('access-control-allow-credentials'),
  })
  const allowed = { origin: ORIGIN, credentials: 'true' }
  const fromOrigin = { origin: ORIGIN }

  it('answers a preflight for any origin, with every method, for twenty days', async () => {
    const response = await preflight('/v2/users', { 'access-control-request-headers': 'authorization, content-type' })
    assert.equal(response.status, 204)
    assert.deepEqual(corsOf(response), allowed)
    const methods = (response.headers.get('access-control-allow-methods') ?? '').split(', ').sort()
    assert.deepEqual(methods, ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT'])
    assert.equal(response.headers.get('access-control-allow-headers'), 'authorization, content-type')
    assert.equal(response.headers.get('access-control-max-age'), '1728000')
    assert.equal(response.text, '')
  })

  it('needs no token for a preflight, nor does it spend a rate', async () => {
    const response = await preflight('/v2/endpoints')
    assert.equal(response.status, 204)
    assert.equal(response.headers.get('x-hourly-ratelimit-remaining'), '1200')
  })

  it('reflects the origin on answers', async () => {
    assert.deepEqual(corsOf(await world.visitor.get('/v2/users', fromOrigin)), allowed)
    assert.match((await world.visitor.get('/v2/users', fromOrigin)).headers.get('vary') ?? '', /\bOrigin\b/)
  })

  it('reflects the origin on refusals, so that a page can read them', async () => {
    for (const [path, status] of [
      ['/v2/users?page=0', 400],
      ['/v2/endpoints', 403],
      ['/v2/users/2147483647', 404],
      ['/v2/nothing', 404],
    ] as const) {
      const response = await world.visitor.get(path, fromOrigin)
      assert.deepEqual([response.status, corsOf(response)], [status, allowed], path)
    }
    assert.deepEqual(corsOf(await world.anonymous.get('/v2/users', fromOrigin)), allowed)
  })

  it('reflects the origin where the query cannot be read', async () => {
    const response = await world.visitor.get('/v2/users?filter[login]=%ZZ', fromOrigin)
    assert.deepEqual([response.status, corsOf(response)], [400, allowed])
  })

  it('reflects the origin where the path cannot be read', async () => {
    const response = await world.visitor.get('/v2/users/%ZZ', fromOrigin)
    assert.deepEqual([response.status, corsOf(response)], [400, allowed])
  })

  it('lets a page read the headers of this API', async () => {
    const { headers } = await world.visitor.get('/v2/users', fromOrigin)
    const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
    const ours = [
      ...['link', 'x-page', 'x-per-page', 'x-total', 'etag', 'location', 'retry-after', 'preference-applied'],
      ...['x-application-id', 'x-application-name', 'x-application-roles', 'x-request-id', 'x-runtime'],
      ...['x-hourly-ratelimit-limit', 'x-hourly-ratelimit-remaining'],
      ...['x-secondly-ratelimit-limit', 'x-secondly-ratelimit-remaining'],
    ]
    assert.deepEqual(
      ours.filter((name) => !exposed.includes(name)),
      [],
    )
  })

  for (const name of ['WWW-Authenticate', 'Idempotent-Replayed', 'Allow']) {
    it(`lets a page read ${name}`, async () => {
      const { headers } = await world.visitor.get('/v2/users', fromOrigin)
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
      assert.ok(exposed.includes(name.toLowerCase()))
    })
  }

  it('is for the API, the OAuth endpoints and the metadata alone: not for pages, metrics and what reads cookies', async () => {
    for (const path of [
      '/v2',
      '/oauth/token',
      '/oauth/token/info',
      '/oauth/revoke',
      '/oauth/jwks',
      '/oauth/userinfo',
      '/.well-known/openid-configuration',
      '/v2/oauth/token',
      '/v2/openapi.json',
    ]) {
      assert.deepEqual(corsOf(await world.anonymous.get(path, fromOrigin)), allowed, path)
      assert.deepEqual(corsOf(await preflight(path)), allowed, path)
    }
    assert.deepEqual(corsOf(await world.anonymous.get('/.well-known/oauth-authorization-server', fromOrigin)), allowed)
    for (const path of [
      ...['/metrics', '/health', '/', '/sign-in', '/security', '/applications', '/staff/users', '/apidoc', '/nowhere'],
      ...['/oauth/authorize', '/v2/oauth/authorize', '/v2/oauth/authorize?x=1', '/v2users', '/oauth/token-of-mine'],
      ...['/reset-password?token=x', '/assets/icon.svg', '/x%zz'],
    ]) {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' }
        const answer = await world.app.inject({ method, url: path, headers })
        const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
        assert.deepEqual(names, [], `${method} ${path}`)
        if (method === 'OPTIONS') assert.equal(answer.statusCode, 204)
      }
    }
  })

  it('has no allowed origin where none asks', async () => {
    assert.equal((await world.visitor.get('/v2/users')).headers.get('access-control-allow-origin'), null)
  })
})

describe('OPTIONS', () => {
  it('without an origin is answered like any other request, in JSON or without a body', async () => {
    const { text, headers } = await world.visitor.request('OPTIONS', '/v2/users')
    if (text !== '') assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  })
})
