import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'

const NAMES = ['Rush, day 1', 'Rush, day 2', 'Rush', 'day 2']

describe('a filter that is sent as a list', () => {
  let world: World

  before(async () => {
    world = await campus()
    for (const name of NAMES) assert.equal((await world.director.post('/v2/titles', { title: { name } })).status, 201)
  })
  after(() => world.close())

  const names = async (path: string) => {
    const { status, json, headers, text } = await world.visitor.get(path)
    assert.equal(status, 200, text)
    assert.equal(headers.get('x-unknown-parameters'), null)
    return json.map(({ name }: { name: string }) => name)
  }

  it('matches each element as a whole, whereas a single text is split at its commas', async () => {
    const found = (query: string) => names(`/v2/titles?sort=id&${query}`)
    assert.deepEqual(await found('filter[name][]=Rush,%20day%202'), ['Rush, day 2'])
    assert.deepEqual(await found('filter[name][]=Rush%2C+day+2&filter[name][]=Rush'), ['Rush, day 2', 'Rush'])
    assert.deepEqual(await found('filter[name]=Rush,%20day%202'), ['Rush', 'day 2'])
    assert.deepEqual(await found('range[name][]=Rush,%20day&range[name][]=Rush,%20day%209'), NAMES.slice(0, 2))
  })

  it('is part of the links to other pages', async () => {
    const first = '/v2/titles?sort=id&per_page=1&filter[name][]=Rush,%20day%201&filter[name][]=Rush,%20day%202'
    const { headers } = await world.visitor.get(first)
    assert.equal(headers.get('x-total'), '2')
    const [, next] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    assert.ok(next)
    assert.deepEqual(await names(next.slice(next.indexOf('/v2/'))), ['Rush, day 2'])
  })

  it('returns 400 for an element that the field cannot have, and for a range without exactly two elements', async () => {
    for (const query of [
      'filter[id][]=1,2',
      'filter[id][][a]=1',
      'range[id][]=1',
      'range[id][]=1&range[id][]=2&range[id][]=3',
    ])
      assert.equal((await world.visitor.get(`/v2/titles?${query}`)).status, 400, query)
  })
})
