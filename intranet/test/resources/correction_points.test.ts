import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBalancesMatchEntries } from '@campus/test/support/balances'
import { campus as openCampus, type World } from '@campus/test/support/campus'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('staff', () => {
  let world: World

  before(async () => {
    world = await openCampus()
  })
  after(() => world.close())

  const add = (id: number | string, body: unknown, headers = {}) =>
    world.director.post(`/v2/users/${id}/correction_points/add`, body, headers)
  const remove = (id: number | string, options: { body?: unknown; headers?: Record<string, string> }, query = '') =>
    world.director.request('DELETE', `/v2/users/${id}/correction_points/remove${query}`, options)
  const last = async (id: number) =>
    (await world.visitor.get(`/v2/users/${id}/correction_point_historics?sort=-id&per_page=1`)).json[0]

  it('give points, one where no amount is said, and are told the user', async () => {
    const id = await world.build.user({ login: 'given' })
    for (const [body, held] of [
      [{ reason: 'Helped at the open day' }, 5],
      [{ reason: 'Twice', amount: 2 }, 7],
      [{ reason: 'As text', amount: '3' }, 10],
      [{ id: 1, reason: 'With an id', amount: null }, 11],
    ] as const) {
      const { status, json, text } = await add('given', body)
      assert.deepEqual([status, json?.id, json?.login, json?.correction_point], [200, id, 'given', held], text)
      const { reason, sum, total, scale_team_id } = await last(id)
      assert.deepEqual(
        [reason, sum, total, scale_team_id],
        [body.reason, Number('amount' in body && body.amount) || 1, held, null],
      )
    }
    assert.equal((await add(id, 'reason=Form&amount=4', FORM)).json.correction_point, 15)
    assert.equal(
      (await world.director.post(`/v2/users/${id}/correction_points/add?reason=Query`)).json.correction_point,
      16,
    )
    await assertBalancesMatchEntries(world.database)
  })

  it('take points, as the body of a DELETE, a form or a query, below nothing too', async () => {
    const id = await world.build.user({ login: 'taken' })
    const json = { 'content-type': 'application/json' }
    for (const [held, take] of [
      [3, () => remove(id, { body: { reason: 'JSON' } })],
      [1, () => remove('taken', { body: JSON.stringify({ id, reason: 'JSON', amount: '2' }), headers: json })],
      [0, () => remove(id, { body: 'reason=Form', headers: FORM })],
      [-5, () => remove(id, {}, '?reason=Query&amount=5')],
      [-6, () => remove(id, { body: {}, headers: json }, '?reason=Query')],
    ] as const) {
      const answer = await take()
      assert.deepEqual([answer.status, answer.json?.correction_point], [200, held], answer.text)
      assert.equal((await last(id)).total, held)
    }
    await assertBalancesMatchEntries(world.database)
  })

  it('say why, and how many from one to a million', async () => {
    const id = await world.build.user()
    const blank = ["can't be blank"]
    for (const [body, errors] of [
      [{}, { reason: blank }],
      [{ reason: ' ' }, { reason: blank }],
      [{ reason: 'x', amount: 0 }, { amount: ['must be from 1 to 1000000'] }],
      [{ reason: 'x', amount: -3 }, { amount: ['must be from 1 to 1000000'] }],
      [{ reason: 'x', amount: 1e7 }, { amount: ['must be from 1 to 1000000'] }],
      [{ reason: 'x', amount: 'many' }, { amount: ['is not an integer'] }],
      [{ reason: 'x'.repeat(256) }, { reason: ['is too long (maximum is 255 characters)'] }],
      [{ reason: 'x', points: 3 }, { points: ['is not accepted'] }],
    ] as const) {
      for (const { status, json } of [await add(id, body), await remove(id, { body })]) {
        assert.equal(status, 422)
        assert.deepEqual(Object.keys(json.errors), Object.keys(errors))
        if (!('amount' in body && body.amount === 'many')) assert.deepEqual(json.errors, errors)
      }
    }
    assert.equal((await world.visitor.get(`/v2/users/${id}`)).json.correction_point, 4)
    assert.equal((await add(2_000_000, { reason: 'x' })).status, 404)
  })

  it('never take somebody beyond what a number holds', async () => {
    const id = await world.build.user({ correction_point: 2_147_483_000 })
    assert.equal((await add(id, { reason: 'x', amount: 1_000_000 })).status, 422)
    await assertBalancesMatchEntries(world.database)
  })

  it('give once what they send twice under one Idempotency-Key', async () => {
    const id = await world.build.user()
    const headers = { 'idempotency-key': 'gift' }
    for (const _ of [1, 2]) assert.equal((await add(id, { reason: 'Gift' }, headers)).json.correction_point, 5)
    assert.equal((await world.visitor.get(`/v2/users/${id}`)).json.correction_point, 5)
  })

  it('give and take at once, and nothing is lost', async () => {
    const id = await world.build.user()
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        nth % 4 === 0 ? remove(id, { body: { reason: 'Race' } }) : add(id, { reason: 'Race' }),
      ),
    )
    assert.equal((await world.visitor.get(`/v2/users/${id}`)).json.correction_point, 4 + 15 - 5)
    await assertBalancesMatchEntries(world.database)
  })
})
