import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { errorsOf, JSON_API } from '@campus/test/support/json-api'

let world: World
/** An application with the role 42network. */
let network: Client
before(async () => {
  world = await campus({ seeded: true })
  network = await world.caller({ roles: ['42network'] })
})
after(() => world.close())

const idsOf = ({ status, json, text }: Response): number[] => {
  assert.equal(status, 200, text)
  return json.map(({ id }: { id: number }) => id)
}
const totalsOf = ({ headers }: Response) => ['x-page', 'x-per-page', 'x-total'].map((name) => headers.get(name))

/** Searches, and queries of the list with the same result. */
const QUESTIONS: readonly (readonly [path: string, body: Readonly<Record<string, unknown>>, query: string])[] = [
  ['users', {}, ''],
  ['users', { filter: { kind: 'student' }, sort: 'login' }, 'filter[kind]=student&sort=login'],
  ['users', { filter: { id: [1, 2, 3] }, sort: '-id' }, 'filter[id]=1,2,3&sort=-id'],
  ['users', { filter: { id: 7 } }, 'filter[id]=7'],
  ['users', { filter: { 'staff?': true } }, 'filter[staff?]=true'],
  ['users', { filter: { 'alumni?': false } }, 'filter[alumni?]=false'],
  [
    'users',
    { filter: { primary_campus_id: 1, pool_year: '2024,2025' } },
    'filter[primary_campus_id]=1&filter[pool_year]=2024,2025',
  ],
  ['users', { filter: { pool_year: null } }, 'filter[pool_year]='],
  ['users', { range: { id: '10,20' }, page: { number: 2, size: 4 } }, 'range[id]=10,20&page[number]=2&page[size]=4'],
  ['users', { page: 2, per_page: 5 }, 'page=2&per_page=5'],
  ['users', { page: { number: 9999 } }, 'page=9999'],
  ['users', { query: 'a e' }, 'search=a e'],
  ['users', { search: 'in:last_name a' }, 'search[last_name]=a'],
  ['users', { search: { first_name: 'a', last_name: 'o' } }, 'search[first_name]=a&search[last_name]=o'],
  ['projects', { filter: { exam: true } }, 'filter[exam]=true'],
  [
    'projects',
    { filter: { has_mark: true, parent_id: null }, sort: '-name,id' },
    'filter[has_mark]=true&filter[parent_id]=&sort=-name,id',
  ],
  ['projects', { range: { difficulty: '1,5000' } }, 'range[difficulty]=1,5000'],
  ['projects', { range: { position: '2,', description: 'a,z' } }, 'range[position]=2,&range[description]=a,z'],
]

describe('a search', () => {
  for (const [name, body, query] of QUESTIONS) {
    it(`of ${name} for ${JSON.stringify(body)} answers the page that the list answers to ?${query}`, async () => {
      const [found, listed] = [
        await network.post(`/v2/search/${name}`, body),
        await network.get(`/v2/${name}?${query}`),
      ]
      assert.deepEqual(idsOf(found), idsOf(listed))
      assert.deepEqual(totalsOf(found), totalsOf(listed))
      assert.equal(found.headers.get('x-unknown-parameters'), null)
    })
  }

  it('shows of each record the least that tells what it is', async () => {
    const keysOf = async (name: string) => Object.keys((await network.post(`/v2/search/${name}`)).json[0])
    assert.deepEqual(await keysOf('users'), ['id', 'login'])
    assert.deepEqual(await keysOf('projects'), ['id', 'name', 'slug'])
  })

  it('by a query finds the records that hold each word in any field, whatever its capitals and accents', async () => {
    const id = await world.build.user({
      login: 'qzoe',
      first_name: 'Xyloë',
      last_name: 'Quist',
      usual_first_name: 'Zed',
    })
    for (const query of ['xyloe', 'ZED quist', 'Quist qzo']) {
      assert.deepEqual(idsOf(await network.post('/v2/search/users', { query })), [id], query)
    }
    assert.deepEqual(idsOf(await network.post('/v2/search/users', { query: 'xyloe nobody' })), [])
    const project = await world.build.record('projects', { name: 'Größe', slug: 'how-large' })
    for (const query of ['GROSSE', 'große', 'how-lar', 'how größ']) {
      const found = idsOf(await network.post('/v2/search/projects', { query }))
      assert.deepEqual(found, query === 'GROSSE' ? [] : [project], query)
    }
  })

  it('takes a query beside a search of one field, and both must hold', async () => {
    const id = await world.build.user({ login: 'vgrace', first_name: 'Vigrid', last_name: 'Hopper' })
    const find = async (body: object) => idsOf(await network.post('/v2/search/users', body))
    assert.deepEqual(await find({ query: 'hopper', search: 'in:first_name vigr' }), [id])
    assert.deepEqual(await find({ query: 'hopper', search: 'vgra' }), [id])
    assert.deepEqual(await find({ query: 'vigrid', search: { last_name: 'vigrid' } }), [])
  })

  it('for an empty list of values finds nothing, whatever the filter', async () => {
    for (const [name, filter] of [
      ['users', { id: [] }],
      ['users', { login: [], kind: 'student' }],
      ['users', { primary_campus_id: [] }],
      ['users', { 'staff?': [] }],
      ['projects', { difficulty: [] }],
    ] as const) {
      const found = await network.post(`/v2/search/${name}`, { filter })
      assert.deepEqual([idsOf(found), found.headers.get('x-total')], [[], '0'], JSON.stringify(filter))
    }
    assert.equal((await network.post('/v2/search/users', { filter: { shoe_size: [] } })).status, 400)
  })

  it('may come as a form, and in the address', async () => {
    const form = 'filter[kind]=student&range[id]=1,40&sort=login&page[size]=7'
    const listed = idsOf(await network.get(`/v2/users?${form}`))
    const typed = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.deepEqual(idsOf(await network.post('/v2/search/users', form, typed)), listed)
    assert.deepEqual(idsOf(await network.post(`/v2/search/users?${form}`)), listed)
    assert.deepEqual(idsOf(await network.post('/v2/search/users?page=2', { sort: 'id', per_page: 3 })).length, 3)
  })

  it('leads on by its links where the same body is sent again', async () => {
    const body = { filter: { kind: 'student' }, sort: 'id', page: { number: 1, size: 7 } }
    const seen: number[] = []
    let path: string | undefined = '/v2/search/users'
    while (path) {
      const answer: Response = await network.post(path, body)
      seen.push(...idsOf(answer))
      path = /<[^>]*(\/v2\/[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(seen, idsOf(await network.get('/v2/users?filter[kind]=student&sort=id&per_page=100')))
  })

  it('refuses what the list refuses, in its words', async () => {
    for (const [body, query] of [
      [{ filter: { shoe_size: 43 } }, 'filter[shoe_size]=43'],
      [{ range: { first_name: 'a,b' } }, 'range[first_name]=a,b'],
      [{ range: { id: 5 } }, 'range[id]=5'],
      [{ sort: 'shoe_size' }, 'sort=shoe_size'],
      [{ search: { status: 'x' } }, 'search[status]=x'],
      [{ search: 'in:status x' }, 'search=in:status x'],
      [{ filter: { id: 'x' } }, 'filter[id]=x'],
      [{ filter: { 'staff?': 7 } }, 'filter[staff?]=7'],
      [{ page: { number: 0 } }, 'page=0'],
      [{ page: { size: 'many' } }, 'per_page=many'],
    ] as const) {
      const [found, listed] = [await network.post('/v2/search/users', body), await network.get(`/v2/users?${query}`)]
      assert.deepEqual([found.status, found.json], [400, listed.json], query)
    }
  })

  it('refuses a body of another shape with 400', async () => {
    const many = Array.from({ length: 15 }, () => Array(700).fill(1).join(','))
    for (const body of [
      [],
      '"ada"',
      { query: ['a'] },
      { query: { login: 'a' } },
      { filter: 'login' },
      { filter: ['login'] },
      { filter: { id: { min: 1 } } },
      { filter: { id: [[1]] } },
      { filter: { id: many } },
      { range: { id: [1, 2, 3] } },
      { range: { id: { min: 1 } } },
      { sort: ['id'] },
      { search: { login: ['a'] } },
      { query: 'a'.repeat(256) },
      { query: 'a b c d e f g h i j k' },
    ]) {
      const { status, text } = await network.post('/v2/search/users', body, { 'content-type': 'application/json' })
      assert.equal(status, 400, `${JSON.stringify(body).slice(0, 80)}: ${text.slice(0, 200)}`)
    }
  })

  it('names the members of its body that nobody knows', async () => {
    const { headers } = await network.post('/v2/search/users', { filters: { id: 1 }, page: { numbr: 2 } })
    assert.equal(headers.get('x-unknown-parameters'), 'filters;nearest=filter, page[numbr];nearest=page[number]')
  })

  it('is asked by POST alone', async () => {
    const { status, headers } = await network.get('/v2/search/users')
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
  })

  it('is a document of JSON:API for those who ask for one', async () => {
    const body = { sort: 'id', page: { size: 2 } }
    const { json, status } = await network.post('/v2/search/users', body, { accept: JSON_API })
    assert.equal(status, 200)
    assert.deepEqual(errorsOf(json), [])
    assert.deepEqual(Object.keys(json.data[0].attributes), ['login'])
    assert.equal(json.meta.per_page, 2)
    assert.match(json.links.next, /\/v2\/search\/users\?/)
  })
})
