import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertBalancesMatchEntries } from '@campus/test/support/balances'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

describe('a wallet', () => {
  let world: World
  let manager: Client

  before(async () => {
    world = await openCampus()
    manager = await world.caller({ roles: ['Transactions manager'] })
  })
  afterEach(() => assertBalancesMatchEntries(world.database))
  after(() => world.close())

  const given = { value: 30, transactable_type: 'Achievement', transactable_id: 7, reason: 'Won a prize' }
  const enter = (user_id: number, values: object = {}) =>
    manager.post('/v2/transactions', { transaction: { ...given, user_id, ...values } })
  const held = async (id: number) => (await world.visitor.get(`/v2/users/${id}`)).json.wallet
  const reasons = async (id: number) =>
    (await manager.get(`/v2/users/${id}/transactions?sort=id`)).json.map(
      ({ reason, value }: { reason: string; value: number }) => [reason, value],
    )

  it('gets what a transaction is worth, and owes where that is below nothing', async () => {
    const id = await world.build.user({ login: 'rich' })
    const { status, json, text } = await enter(id)
    assert.equal(status, 201, text)
    const user = { id, login: 'rich', url: `${world.url}/v2/users/rich` }
    assert.deepEqual(json, {
      id: json.id,
      value: 30,
      user_id: id,
      transactable_id: 7,
      transactable_type: 'Achievement',
      reason: 'Won a prize',
      user,
      options: null,
    })
    assert.equal(await held(id), 30)
    assert.equal((await enter(id, { value: -50, transactable_type: 'Tuteur api', transactable_id: null })).status, 201)
    assert.equal(await held(id), -20)
    assert.deepEqual((await manager.get(`/v2/transactions/${json.id}`)).json, json)
  })

  it('loses what it got where the transaction is deleted, once', async () => {
    const id = await world.build.user()
    const { json } = await enter(id)
    const answers = await Promise.all([1, 2, 3].map(() => manager.delete(`/v2/transactions/${json.id}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404])
    assert.deepEqual([await held(id), await reasons(id)], [0, []])
  })

  it('gets the same thing once', async () => {
    const id = await world.build.user()
    const answers = await Promise.all([1, 2, 3].map(() => enter(id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
    assert.equal(await held(id), 30)
    for (const _ of [1, 2]) assert.equal((await enter(id, { transactable_id: null })).status, 201)
    assert.equal(await held(id), 90)
  })

  it('is what it is said to be at the creation of an account and by staff, by a transaction', async () => {
    const user = { email: 'new@campus.test', first_name: 'N', last_name: 'Ew', kind: 'student', wallet: 12 }
    const { id } = (await world.director.post('/v2/users', { user })).json
    for (const wallet of [50, 50, -3]) {
      assert.equal((await world.director.patch(`/v2/users/${id}`, { user: { wallet } })).status, 204)
      assert.equal(await held(id), wallet)
    }
    assert.deepEqual(await reasons(id), [
      ['Creation', 12],
      ['Set by staff', 38],
      ['Set by staff', -53],
    ])
    const none = { ...user, email: 'none@campus.test', wallet: 0 }
    assert.deepEqual(await reasons((await world.director.post('/v2/users', { user: none })).json.id), [])
  })

  it('takes many transactions at once, and nothing is lost', async () => {
    const id = await world.build.user()
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        nth % 5 === 0
          ? world.director.patch(`/v2/users/${id}`, { user: { wallet: nth } })
          : enter(id, { transactable_id: nth }),
      ),
    )
    await assertBalancesMatchEntries(world.database)
  })

  it('says why, and is found by that', async () => {
    const id = await world.build.user()
    await enter(id, { reason: "Surveillance d'Exam" })
    const reason = encodeURIComponent("Surveillance d'Exam")
    assert.equal((await manager.get(`/v2/transactions?filter[reason]=${reason}`)).headers.get('x-total'), '1')
    assert.equal((await manager.get('/v2/transactions?range[id]=1,2')).status, 400)
    for (const name of ['value', 'user_id', 'transactable_type', 'reason']) {
      const { status, json } = await enter(id, { [name]: null })
      assert.deepEqual([status, Object.keys(json.errors)], [422, [name]])
    }
    assert.equal((await enter(id, { value: 1_000_001 })).status, 422)
    assert.equal((await enter(2_000_000)).status, 422)
    assert.equal((await manager.patch('/v2/transactions/1', { transaction: { value: 1 } })).status, 405)
    assert.equal(await held(id), 30)
  })
})
