import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertBalancesMatchEntries } from '@campus/test/support/balances'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { closedTeam, openProject, student } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'

const NOW = '2026-03-02T10:00:00.000Z'
const BEGINS = '2026-03-02T11:00:00.000Z'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('a pool', () => {
  let world: World

  before(async () => {
    world = await openCampus({ now: NOW })
  })
  afterEach(async () => {
    world.clock.set(NOW)
    await assertBalancesMatchEntries(world.database)
  })
  after(() => world.close())

  const make = async (values: object = {}) => {
    const [campus_id, cursus_id] = [await world.build.campus(), await world.build.cursus()]
    const pool = { campus_id, cursus_id, max_points: 20, ...values }
    const { status, json, text } = await world.director.post('/v2/pools', { pool })
    assert.equal(status, 201, text)
    return json as { id: number; campus_id: number; cursus_id: number }
  }
  const add = (id: number, body: unknown) => world.director.post(`/v2/pools/${id}/points/add`, body)
  const remove = (id: number, options: object, query = '') =>
    world.director.request('DELETE', `/v2/pools/${id}/points/remove${query}`, options)
  const show = async (id: number) => (await world.director.get(`/v2/pools/${id}`)).json

  it('is there once for a cursus at a campus, and shows what it holds', async () => {
    const pool = await make()
    const { id, campus_id, cursus_id } = pool
    assert.deepEqual(pool, { id, current_points: 0, max_points: 20, cursus_id, campus_id })
    const again = await world.director.post('/v2/pools', { pool: { campus_id, cursus_id, max_points: 5 } })
    assert.equal(again.status, 422)
    assert.deepEqual((await world.director.get(`/v2/pools?filter[campus_id]=${campus_id}`)).json, [pool])
    assert.equal((await world.director.get('/v2/pools?range[id]=1,2')).status, 400)
  })

  it('takes points, above its maximum too, and answers itself', async () => {
    const { id, ...rest } = await make()
    for (const [body, current_points] of [
      [{ points: 10 }, 10],
      [{ points: '15' }, 25],
      [{ points: -5, id: 3 }, 20],
      [{ points: 0 }, 20],
    ] as const) {
      const { status, json, text } = await add(id, body)
      assert.deepEqual([status, json], [200, { id, ...rest, current_points, max_points: 20 }], text)
    }
  })

  it('gives points, whatever their sign, and never more than it holds', async () => {
    const { id } = await make({ current_points: 10 })
    for (const [current_points, take] of [
      [9, () => remove(id, { body: { points: 1 } })],
      [7, () => remove(id, { body: { points: -2 } })],
      [4, () => remove(id, { body: 'points=3', headers: FORM })],
      [0, () => remove(id, {}, '?points=4')],
    ] as const) {
      const { status, json, text } = await take()
      assert.deepEqual([status, json?.current_points], [200, current_points], text)
    }
    for (const { status, json } of [await remove(id, { body: { points: 1 } }), await add(id, { points: -1 })]) {
      assert.deepEqual([status, json.errors], [422, { points: ['are more than the 0 that the pool holds'] }])
    }
    for (const body of [{}, { points: null }, { points: 'many' }, { points: 1e9 }]) {
      assert.equal((await add(id, body)).status, 422)
    }
    assert.equal((await show(id)).current_points, 0)
    assert.equal((await add(2_000_000, { points: 1 })).status, 404)
  })

  it('records the user of the token that gave the latest points', async () => {
    const { id } = await make()
    const user = await world.build.user({ kind: 'admin' })
    await world.database.rows('insert into administrators values ($1, now())', [user])
    const person = await world.caller({ roles: ['Advanced Tutor'], user })
    const giver = async () => (await world.database.rows('select given_by_id from pools where id = $1', [id]))[0]?.[0]
    const add = (client: Client, points: number) => client.post(`/v2/pools/${id}/points/add`, { points })
    const set = (client: Client, current_points: number) =>
      client.patch(`/v2/pools/${id}`, { pool: { current_points } })
    for (const [gift, expected] of [
      [() => add(person, 5), String(user)],
      [() => add(person, -1), String(user)],
      [() => add(world.director, -1), String(user)],
      [() => add(world.director, 2), null],
      [() => set(person, 20), String(user)],
      [() => set(world.director, 10), String(user)],
      [() => set(world.director, 30), null],
    ] as const) {
      const { status, text } = await gift()
      assert.ok(status < 300, text)
      assert.equal(await giver(), expected)
    }
  })

  it('is given and taken at once, and nothing is lost', async () => {
    const { id } = await make({ current_points: 5 })
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, nth) =>
        nth % 4 === 0 ? add(id, { points: 1 }) : remove(id, { body: { points: 1 } }),
      ),
    )
    const taken = answers.filter(({ status }, nth) => status === 200 && nth % 4 !== 0).length
    assert.equal((await show(id)).current_points, 5 + 4 - taken)
  })

  it('has sales, below it and by themselves', async () => {
    const { id } = await make()
    const sale = { begin_at: BEGINS }
    const { status, json } = await world.director.post(`/v2/pools/${id}/balances`, { balance: sale })
    assert.deepEqual([status, json], [201, { id: json.id, pool_id: id, begin_at: BEGINS, end_at: null }])
    for (const [path, body] of [
      [`/v2/balances/${json.id}`, { end_at: '2026-03-03T00:00:00Z' }],
      [`/v2/pools/${id}/balances/${json.id}`, { end_at: '2026-03-04T00:00:00Z' }],
    ] as const) {
      assert.equal((await world.director.patch(path, { balance: body })).status, 204)
      assert.equal((await world.director.put(path, { balance: body })).status, 204)
    }
    const { errors } = (await world.director.patch(`/v2/balances/${json.id}`, { balance: { end_at: NOW } })).json
    assert.deepEqual(errors, { end_at: ['must be after begin_at'] })
    const found = async (query: string) =>
      (await world.director.get(`/v2/pools/${id}/balances?${query}`)).json.map((one: { id: number }) => one.id)
    assert.deepEqual(await found('filter[future]=true&filter[end]=true'), [json.id])
    assert.deepEqual(await found('filter[future]=false'), [])
    const other = await make()
    assert.equal((await world.director.get(`/v2/pools/${other.id}/balances/${json.id}`)).status, 404)
  })

  describe('in a sale', () => {
    /** A booked evaluation of a team of so many, and a pool that holds so many points. */
    const opened = async (points: number, sale: object | undefined = { begin_at: NOW }) => {
      world.clock.set(NOW)
      const here = await openProject(world)
      const { id: pool } = await make({ campus_id: here.campus, cursus_id: here.cursus, current_points: points })
      if (sale) await world.director.post('/v2/balances', { balance: { pool_id: pool, ...sale } })
      const [leader, fellow] = [await student(world, here), await student(world, here)]
      const corrector = await student(world, here)
      const team = await closedTeam(leader.client, here.project)
      await world.build.record('teams_users', { team_id: team, user_id: fellow.id, validated: true })
      await offered(world, corrector.id, BEGINS)
      const scale_team = { team_id: team, user_id: corrector.id, begin_at: BEGINS }
      const { json } = await leader.client.post('/v2/scale_teams', { scale_team })
      world.clock.set(BEGINS)
      const filled = await corrector.client.patch(`/v2/scale_teams/${json.id}`, { scale_team: { final_mark: 90 } })
      assert.equal(filled.status, 204, filled.text)
      const held = async ({ id }: { id: number }) => (await world.visitor.get(`/v2/users/${id}`)).json.correction_point
      const last = async ({ id }: { id: number }) => {
        const path = `/v2/users/${id}/correction_point_historics?sort=-id&per_page=1`
        const [{ reason, sum, scale_team_id }] = (await world.director.get(path)).json
        assert.equal(scale_team_id, json.id)
        return [reason, sum]
      }
      return {
        holds: [await held(leader), await held(fellow), await held(corrector), (await show(pool)).current_points],
        entries: [await last(leader), await last(corrector)],
      }
    }

    it('gives those who paid their points back, and the corrector one more', async () => {
      const { holds, entries } = await opened(10)
      assert.deepEqual(holds, [4, 4, 6, 7])
      assert.deepEqual(entries, [
        ['Refund during sales', 1],
        ['Earning after defense', 2],
      ])
    })

    it('pays as far as it goes: the whole team or nobody of it, then the corrector', async () => {
      assert.deepEqual((await opened(2)).holds, [4, 4, 5, 0])
      assert.deepEqual((await opened(1)).holds, [3, 3, 6, 0])
      assert.deepEqual((await opened(0)).holds, [3, 3, 5, 0])
    })

    it('pays for evaluations that begin in it, and for no others', async () => {
      assert.deepEqual((await opened(10, { begin_at: NOW, end_at: '2026-03-02T11:00:01Z' })).holds, [4, 4, 6, 7])
      assert.deepEqual((await opened(10, { begin_at: NOW, end_at: BEGINS })).holds, [3, 3, 5, 10])
      assert.deepEqual((await opened(10, { begin_at: '2026-03-02T11:00:01Z' })).holds, [3, 3, 5, 10])
    })
  })
})
