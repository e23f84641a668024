import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { read } from '@campus/test/support/json-api'

let world: World
let user: number
before(async () => {
  world = await campus()
  user = await world.build.user({ login: 'ada' })
})
after(() => world.close())

describe('a parameter that nobody knows', () => {
  const unknownIn = async (path: string) => {
    const { status, headers, text } = await world.visitor.get(path)
    assert.equal(status, 200, text)
    return headers.get('x-unknown-parameters')
  }

  for (const [query, expected] of [
    ['per_pag=2', 'per_pag;nearest=per_page'],
    ['sorted=id&shoe_size=43&filte[id]=1', 'sorted;nearest=sort, shoe_size, filte;nearest=filter'],
    ['page[siz]=5&page[number]=1', 'page[siz];nearest=page[size]'],
    ['a%0d%0aset-cookie:x=1', 'a%0D%0Aset-cookie%3Ax'],
    ['%F0%9F%8E%93;,"=1', '%F0%9F%8E%93%3B%2C%22'],
    ['__proto__=1', '__proto__'],
    ['time_zone=UTC', 'time_zone'],
    ['page=1&per_page=2&sort=id&filter[id]=1&range[id]=1,2&search=a', null],
    ['page=1&page[size]=2', null],
  ] as const) {
    it(`is answered normally and named: ${query}`, async () => {
      assert.equal(await unknownIn(`/v2/users?${query}`), expected)
    })
  }

  it('is named on records and graphs too, each by what it knows', async () => {
    assert.equal(await unknownIn(`/v2/users/${user}?page=1`), 'page')
    assert.equal(await unknownIn('/v2/users/graph?time_zon=UTC&time_zone=UTC'), 'time_zon;nearest=time_zone')
    assert.equal(await unknownIn(`/v2/users/${user}?access_token=${world.visitor.token}`), null)
  })

  it('is named where something is written, the payload in the query not', async () => {
    const query = 'language[name]=Irish&language[identifier]=ga&languag[name]=x'
    const { status, headers } = await world.director.post(`/v2/languages?${query}`)
    assert.deepEqual([status, headers.get('x-unknown-parameters')], [201, 'languag;nearest=language'])
  })

  it('is named by ten names at most, none of them long, and to pages of other origins', async () => {
    const query = Array.from({ length: 1_000 }, (_, at) => `${'x'.repeat(8)}${at}=1`).join('&')
    assert.equal((await unknownIn(`/v2/users?${query}`))?.split(', ').length, 10)
    assert.equal(await unknownIn(`/v2/users?${'y'.repeat(5_000)}=1`), 'y'.repeat(40))
    const { headers } = await world.visitor.get('/v2/users?x=1', { origin: 'https://dashboard.test' })
    assert.match(headers.get('access-control-expose-headers') ?? '', /X-Unknown-Parameters/)
  })

  it('is no fault of a record, whatever lists take it for', async () => {
    for (const query of [
      'filter[cursus_id]=21',
      'range[updated_at]=2026-01-01,2026-12-31',
      'sort=-nothing',
      'search=x',
    ]) {
      const [name = ''] = query.split(/[[=]/)
      assert.equal(await unknownIn(`/v2/users/${user}?${query}`), name)
    }
  })

  it('is 400 in JSON:API, as that asks', async () => {
    assert.equal((await read(world.visitor, '/v2/users?per_pag=2')).status, 400)
  })
})

describe('/v2', () => {
  it('lists the resources, with a token or without', async () => {
    const { status, json } = await world.anonymous.get('/v2')
    assert.equal(status, 200)
    assert.equal(json.resources.users, `${world.url}/v2/users`)
    assert.ok(!Object.hasOwn(json.resources, 'uploads'), 'a resource without routes')
    for (const address of Object.values<string>(json.resources)) {
      const answer = await world.director.get(address.slice(world.url.length))
      assert.ok([200, 403].includes(answer.status), `${address} ${answer.status}`)
    }
    assert.deepEqual((await world.visitor.get('/v2/')).json, json)
  })
})

describe('a refusal names what is wrong:', () => {
  for (const [path, message] of [
    ['/v2/users?sort=id,', /^sort has a place without a field\. You can only sort on: \[id, /],
    ['/v2/users?sort=-', /^sort has a place without a field\./],
    ['/v2/users?sort=-shoe', /^The shoe field is not sortable\./],
    ['/v2/languages?search=French', /^Nothing here takes a search$/],
    ['/v2/languages?search[name]=French', /^Attributes name doesn't exists\. Nothing here takes a search$/],
  ] as const) {
    it(path, async () => {
      const { status, json } = await world.visitor.get(path)
      assert.equal(status, 400)
      assert.match(json.message, message)
    })
  }
})

describe('404 and 405 do not contradict each other:', () => {
  const ask = async (method: string, path: string) => {
    const { status, headers } = await world.director.request(method, path)
    return { status, allow: headers.get('allow') }
  }

  it('a word that stands beside ids is no record', async () => {
    assert.deepEqual(await ask('PATCH', '/v2/locations/graph'), { status: 405, allow: 'GET, HEAD' })
    assert.deepEqual(await ask('GET', '/v2/scale_teams/multiple_create'), { status: 405, allow: 'POST' })
    assert.equal((await ask('GET', `/v2/users/${user}/closes/graph`)).status, 404)
    assert.equal((await ask('PATCH', `/v2/users/${user}/patronages/graph`)).status, 404)
  })

  it('locations of a user have a graph, as those of a campus', async () => {
    assert.equal((await ask('GET', `/v2/users/${user}/locations/graph/on/begin_at/by/day`)).status, 200)
  })

  it('what a 405 allows is answered with something else, wherever there are routes', async () => {
    for (const [template, methods] of Object.entries(world.document.paths)) {
      if (!template.startsWith('/v2/')) continue
      const known = Object.keys(methods).map((name) => name.toUpperCase())
      const path = template.replace(/\{\w+\}/g, '2147483646')
      for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
        const { status, allow } = await ask(method, path)
        const isKnown = known.includes(method)
        assert.equal(status === 405, !isKnown, `${method} ${path}: ${status}`)
        if (!isKnown)
          assert.deepEqual(new Set(allow?.split(', ').filter((name) => name !== 'HEAD')), new Set(known), path)
      }
    }
  })
})
