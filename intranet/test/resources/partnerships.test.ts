import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'

describe('partnerships', () => {
  let world: World
  let cursus_id: number

  before(async () => {
    world = await openCampus()
    cursus_id = await world.build.cursus()
  })
  after(() => world.close())

  const create = (values: object) =>
    world.director.post('/v2/partnerships', {
      partnership: { name: 'Robots', description: 'For gardens', difficulty: 3, cursus_id, ...values },
    })

  it('have a difficulty, which is what tier filters by', async () => {
    const { status, json, text } = await create({ name: 'Gardens' })
    assert.equal(status, 201, text)
    await create({ name: 'Rivers', difficulty: 5 })
    const names = async (query: string) =>
      (await world.visitor.get(`/v2/partnerships?${query}&sort=id`)).json.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names('filter[tier]=3'), ['Gardens'])
    await world.director.patch(`/v2/partnerships/${json.id}`, { partnership: { difficulty: 5 } })
    assert.deepEqual(await names('filter[tier]=5'), ['Gardens', 'Rivers'])
    assert.deepEqual(await names('filter[difficulty]=5'), ['Gardens', 'Rivers'])
  })

  it('have no tier beside it', async () => {
    const { status, json } = await create({ tier: 3 })
    assert.deepEqual([status, json.errors], [422, { tier: ['is not accepted'] }])
  })
})
