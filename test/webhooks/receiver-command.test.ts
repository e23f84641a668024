import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:https'
import { after, before, beforeEach, describe, it } from 'node:test'
import { describeWebhook } from '../../src/commands/receiver/describe-webhook.ts'
import { type ReceivedWebhook, type RunningReceiver, startReceiver } from '../../src/commands/receiver/receiver.ts'
import { signerOf, webhookHeaders } from '../../src/webhooks/delivery-request.ts'
import { type Hooked, hooked, SECRET } from './application-webhooks.ts'

describe('campus receiver --webhooks', () => {
  let world: Hooked
  let running: RunningReceiver
  const shown: ReceivedWebhook[] = []
  before(async () => {
    world = await hooked()
    running = await startReceiver(
      {
        ...{ host: 'localhost', port: 0, tls: world.receiver.identity, secret: SECRET, status: undefined },
        ...{ retryAfterSeconds: undefined, delayMs: 0, hangs: false },
      },
      (webhook) => shown.push(webhook),
    )
  })
  after(async () => {
    await running?.close()
    await world?.close()
  })
  beforeEach(() => {
    shown.length = 0
  })

  const BODY = JSON.stringify({ id: 1, host: 'c1r1s1' })
  function headersOf(body = BODY, at = new Date(), id = crypto.randomUUID() as string): Record<string, string> {
    const about = { 'x-model': 'location', 'x-event': 'create', 'x-delivery': id, 'x-secret': SECRET }
    return { ...about, ...webhookHeaders({ id, at, body, signer: signerOf(SECRET) }) }
  }

  async function post(headers: Readonly<Record<string, string>>, body = BODY): Promise<number | undefined> {
    const call = request(running.url, { method: 'POST', headers, ca: world.receiver.ca })
    call.end(body)
    const [response] = await once(call, 'response')
    response.resume()
    return response.statusCode
  }

  it('takes what the service sends to an application', async () => {
    // An older signature is refused.
    world.set(new Date())
    await world.hook({ model: 'location', event: 'create' }, { url: `${running.url}/hook` })
    const user_id = await world.build.user()
    await world.build.location({ user_id, campus_id: await world.build.campus() })
    await world.settle()
    assert.deepEqual(
      shown.map(({ about, key, signature, status, isRepeat }) => [about, key, signature, status, isRepeat]),
      [['location create', 'right', 'right', 204, false]],
    )
    assert.equal((await world.rows()).at(-1).state, 'delivered')
    const [webhook] = shown
    assert.ok(webhook)
    const text = describeWebhook(webhook, new Date())
    assert.match(text, / {2}about {6}location create\n {2}secret {5}right\n {2}signature {2}right\n/)
    assert.ok(!text.includes(SECRET))
  })

  it('says what is not right, and refuses it', async () => {
    const right = headersOf()
    const { 'x-event': _, ...without } = headersOf()
    const { 'webhook-signature': __, ...unsigned } = headersOf()
    const long = new Date(Date.now() - 3_600_000)
    assert.equal(await post(right), 204)
    assert.equal(await post(right), 208, 'a repeat')
    assert.equal(await post({ ...headersOf(), 'x-secret': 'another' }), 401)
    assert.equal(await post(headersOf(), BODY.replace('c1r1s1', 'c1r1s2')), 401, 'another body')
    assert.equal(await post(headersOf(BODY, long)), 401, 'an old one')
    assert.equal(await post(unsigned), 401)
    assert.equal(await post(without), 400)
    assert.equal(await post(headersOf('{"id"'), '{"id"'), 400)
    assert.deepEqual(
      shown.map(({ key, signature, missing, isRepeat }) => [key, signature, missing.join(), isRepeat]),
      [
        ['right', 'right', '', false],
        ['right', 'right', '', true],
        ['wrong', 'right', '', false],
        ['right', 'wrong', '', false],
        ['right', 'wrong', '', false],
        ['right', 'missing', '', false],
        ['right', 'right', 'x-event', false],
        ['right', 'right', '', false],
      ],
    )
  })

  it('takes the calls to a campus, too', async () => {
    const body = JSON.stringify({ id: 1, login: 'ada', key: SECRET })
    assert.equal(await post(webhookHeaders({ id: 'one', at: new Date(), body, signer: signerOf(SECRET) }), body), 204)
    assert.equal(await post(webhookHeaders({ id: 'two', at: new Date(), body: '{}', signer: null }), '{}'), 401)
    assert.deepEqual(
      shown.map(({ about, key }) => [about, key]),
      [
        [undefined, 'right'],
        [undefined, 'missing'],
      ],
    )
  })
})
