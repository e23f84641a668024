/** Why an account was closed is for those who may see closes, wherever it stands. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const REASON = 'Canary: "took" the server room'

let world: World
/** Has the scope tig and is no staff; is staff without the scope; is a person with the scope; has both. */
let reader: Client
let clerk: Client
let person: Client
let staff: Client
let closeId: number
let serviceId: number
let deliveryId: number
before(async () => {
  world = await campus()
  const userId = await world.build.user()
  reader = await world.caller({ scopes: ['public', 'tig'] })
  clerk = await world.caller({ roles: ['Basic Staff'] })
  person = await world.caller({ user: await world.build.user(), scopes: ['public', 'tig'] })
  staff = await world.caller({ roles: ['Basic Staff'], scopes: ['public', 'tig'] })
  const close = { user_id: userId, kind: 'other', reason: REASON }
  closeId = (await staff.post('/v2/closes', { close })).json.id
  const service = { community_service: { close_id: closeId, duration: 7200, schedule_at: '2026-03-05' } }
  serviceId = (await staff.post('/v2/community_services', service)).json.id
  const { rows } = world.database
  const [[endpoint] = []] = await rows("insert into endpoints (url) values ('https://store.test') returning id")
  const record = { id: closeId, user_id: userId, closer_id: null, reason: REASON, state: 'close' }
  const answer = `I cannot: ${JSON.stringify({ said: REASON })} and ${encodeURIComponent(REASON)}`
  const [[delivery] = []] = await rows(
    `insert into deliveries (endpoint_id, user_id, login, event, record, state, answer, secrets, created_at, updated_at)
     values ($1, $2, 'ada', 'closed', $3, 'rejected', $4, 'none', now(), now()) returning id`,
    [endpoint, userId, JSON.stringify(record), answer],
  )
  deliveryId = Number(delivery)
})
after(() => world.close())

const JSON_API = { accept: 'application/vnd.api+json' }

/** Whether anything that the caller gets at this path shows the reason. */
async function showsReason(client: Client, path: string, headers = {}): Promise<boolean> {
  const { status, text } = await client.get(path, headers)
  assert.equal(status, 200, text)
  return text.includes('Canary')
}

test('it is told to those who may see closes', async () => {
  for (const path of [
    `/v2/closes/${closeId}`,
    `/v2/community_services/${serviceId}`,
    '/v2/community_services',
    `/v2/deliveries/${deliveryId}`,
  ]) {
    assert.equal(await showsReason(staff, path), true, path)
  }
  for (const path of [
    `/v2/closes/${closeId}`,
    '/v2/community_services?include=close',
    `/v2/deliveries/${deliveryId}`,
  ]) {
    assert.equal(await showsReason(staff, path, JSON_API), true, path)
  }
  const delivery = (await staff.get(`/v2/deliveries/${deliveryId}`)).json
  assert.equal(delivery.record.reason, REASON)
  assert.ok(delivery.answer.includes('Canary'))
})

test('a community service is shown without it, in every form and list', async () => {
  const whole = (await staff.get(`/v2/community_services/${serviceId}`)).json
  const path = `/v2/community_services/${serviceId}`
  for (const client of [reader, person]) {
    const { json } = await client.get(path)
    assert.deepEqual(json, { ...whole, close: { ...whole.close, reason: null } })
    for (const [address, headers] of [
      ['/v2/community_services', {}],
      [`/v2/closes/${closeId}/community_services`, {}],
      [path, JSON_API],
      [`${path}?include=close`, JSON_API],
      ['/v2/community_services?include=close', JSON_API],
      ['/v2/community_services?include=close&fields[closes]=reason', JSON_API],
    ] as const) {
      assert.equal(await showsReason(client, address, headers), false, address)
    }
    for (const [address, status] of [
      ['/v2/community_services?filter[reason]=x', 400],
      ['/v2/community_services?sort=reason', 400],
      ['/v2/closes?filter[reason]=x', 403],
      [`/v2/closes/${closeId}`, 403],
    ] as const) {
      assert.equal((await client.get(address)).status, status, address)
    }
    const further = await client.get(`${path}?include=close.user`, JSON_API)
    assert.ok(!further.text.includes('Canary'))
  }
})

test('a delivery is shown without it, and so is what the campus answered', async () => {
  const whole = (await staff.get(`/v2/deliveries/${deliveryId}`)).json
  const { json } = await clerk.get(`/v2/deliveries/${deliveryId}`)
  const { answer, ...rest } = json
  const { answer: _, ...others } = whole
  assert.deepEqual(rest, { ...others, record: { ...whole.record, reason: null } })
  assert.match(answer, /^I cannot: \{"said":"\[redacted\]"\} and \[redacted\]$/)
  for (const [path, headers] of [
    ['/v2/deliveries', {}],
    [`/v2/endpoints/${whole.endpoint_id}/deliveries/${deliveryId}`, {}],
    [`/v2/deliveries/${deliveryId}`, JSON_API],
    ['/v2/deliveries?include=endpoint', JSON_API],
  ] as const) {
    assert.equal(await showsReason(clerk, path, headers), false, path)
  }
})

test('what other calls tell is shown as it is', async () => {
  const [[copy] = []] = await world.database.rows(
    `insert into deliveries (endpoint_id, user_id, login, event, record, state, answer, secrets, created_at, updated_at)
     select endpoint_id, user_id, login, 'updated', '{"login":"ada","first_name":null}', state, 'fine', secrets, now(), now()
     from deliveries where id = $1 returning id`,
    [deliveryId],
  )
  const [seen, known] = await Promise.all([clerk, staff].map((client) => client.get(`/v2/deliveries/${copy}`)))
  assert.deepEqual(seen?.json, known?.json)
  assert.deepEqual(seen?.json.record, { login: 'ada', first_name: null })
})
