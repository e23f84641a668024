import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'

let world: World
let user: number

before(async () => {
  world = await openCampus()
  user = await world.build.user()
})
after(() => world.close())

describe('the pool of a user', () => {
  const change = (values: object) => world.director.patch(`/v2/users/${user}`, { user: values })
  const shown = async () => {
    const { pool_month, pool_year } = (await world.visitor.get(`/v2/users/${user}`)).json
    return [pool_month, pool_year]
  }

  it('is an English month in small letters and a year of four digits, however they are written', async () => {
    for (const [month, year] of [
      ['july', '2016'],
      ['July', 2016],
      [' JULY ', ' 2016 '],
      [7, '2016'],
      ['07', '2016'],
    ]) {
      assert.equal((await change({ pool_month: null, pool_year: null })).status, 204)
      assert.equal((await change({ pool_month: month, pool_year: year })).status, 204)
      assert.deepEqual(await shown(), ['july', '2016'])
    }
  })

  it('is found in any case', async () => {
    await change({ pool_month: 'July', pool_year: 2016 })
    const found = await world.visitor.get('/v2/users?filter[pool_month]=JULY,May&range[pool_month]=July,July')
    assert.deepEqual(
      found.json.map(({ id }: { id: number }) => id),
      [user],
    )
  })

  it('is refused where it is neither', async () => {
    await change({ pool_month: 'july', pool_year: '2016' })
    for (const pool_month of ['juillet', 'jul', '13', 0, 'july 2016']) {
      const { status, json } = await change({ pool_month })
      assert.deepEqual([status, Object.keys(json.errors)], [422, ['pool_month']], String(pool_month))
    }
    for (const pool_year of ['16', 'MMXVI', '20160', '0999', -2016]) {
      const { status, json } = await change({ pool_year })
      const text = 'must be a year of four digits, such as 2016'
      assert.deepEqual([status, json.errors], [422, { pool_year: [text] }], String(pool_year))
    }
    assert.deepEqual(await shown(), ['july', '2016'])
    const born = { email: 'a@campus.test', first_name: 'A', last_name: 'B', kind: 'student' }
    const { status, json } = await world.director.post('/v2/users', {
      user: { ...born, pool_month: 'juillet', pool_year: 'x' },
    })
    assert.deepEqual([status, Object.keys(json.errors).sort()], [422, ['pool_month', 'pool_year']])
  })
})

describe('a user', () => {
  it('is found by /v2/user too, with all that hangs on the user', async () => {
    for (const path of ['', '/locations', '/scale_teams/as_corrector', '/locations/graph']) {
      const [one, other] = [`/v2/users/${user}${path}`, `/v2/user/${user}${path}`]
      const [expected, { status, json }] = [await world.visitor.get(one), await world.visitor.get(other)]
      assert.deepEqual([status, json], [200, expected.json], other)
    }
    assert.equal((await world.anonymous.get(`/v2/user/${user}`)).status, 401)
    assert.equal((await world.visitor.patch(`/v2/user/${user}`, { user: {} })).status, 403)
    assert.equal((await world.director.delete(`/v2/user/${user}`)).status, 405)
    assert.equal((await world.visitor.get('/v2/user')).status, 404)
  })
})
