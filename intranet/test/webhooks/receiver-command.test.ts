import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:https'
import { after, before, beforeEach, describe, it } from 'node:test'
import { describeWebhook } from '@campus/receiver/describe-webhook'
import { type ReceivedWebhook, type RunningReceiver, startReceiver } from '@campus/receiver/receiver'
import { signerOf, webhookHeaders } from '../../webhooks/delivery-request.ts'
import { type Hooked, hooked, SECRET } from './application-webhooks.ts'

type Headers = Readonly<Record<string, string>>

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

  async function post(headers: Headers, body = BODY, path = '/hook'): Promise<number | undefined> {
    const call = request(running.url + path, { method: 'POST', headers, ca: world.receiver.ca })
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

  const without = (name: string) => {
    const { [name]: _, ...others } = headersOf()
    return others
  }
  const at = (seconds: number) => headersOf(BODY, new Date(Date.now() + seconds * 1000))
  const right = { status: 204, key: 'right', signature: 'right', faults: [] as readonly string[] }
  type Case = readonly [name: string, headers: () => Headers, expected: Partial<typeof right>, body?: string]
  const cases: readonly Case[] = [
    ['another secret', () => ({ ...headersOf(), 'x-secret': 'another' }), { status: 401, key: 'wrong' }],
    ['another body', headersOf, { status: 401, signature: 'wrong' }, BODY.replace('c1r1s1', 'c1r1s2')],
    ['an old time', () => at(-3600), { status: 401, signature: 'too old' }],
    ['a time to come', () => at(3600), { status: 401, signature: 'in the future' }],
    ['a time that is none', () => ({ ...headersOf(), 'webhook-timestamp': 'x' }), { status: 401, signature: 'wrong' }],
    ['no time', () => without('webhook-timestamp'), { status: 401, signature: 'wrong' }],
    ['no signature', () => without('webhook-signature'), { status: 401, signature: 'missing' }],
    ['no X-Event', () => without('x-event'), { status: 400, faults: ['no X-Event'] }],
    ['no X-Secret', () => without('x-secret'), { status: 400, key: 'missing', faults: ['no X-Secret'] }],
    [
      'two ids',
      () => ({ ...headersOf(), 'x-delivery': 'a' }),
      { status: 400, faults: ['X-Delivery and webhook-id differ'] },
    ],
    ['half a body', () => headersOf('{"id"'), { status: 400, faults: ['the body is not JSON'] }, '{"id"'],
    ['a list', () => headersOf('[1]'), { status: 400, faults: ['the body is not a record'] }, '[1]'],
  ]
  for (const [name, headers, expected, body] of cases) {
    it(`refuses ${name}, and takes the same delivery as it should be`, async () => {
      const wrong = headers()
      const status = await post(wrong, body)
      const [{ key, signature, faults } = assert.fail()] = shown
      assert.deepEqual({ status, key, signature, faults }, { ...right, ...expected })
      const again = headersOf(BODY, new Date(), wrong['x-delivery'])
      assert.deepEqual([await post(again), await post(again)], [204, 208], 'its id was not used up')
      assert.deepEqual(
        shown.map(({ isRepeat }) => isRepeat),
        [false, false, true],
      )
    })
  }

  it('refuses what has no header of a webhook, where no campus is called', async () => {
    const id = 'none'
    assert.equal(await post(webhookHeaders({ id, at: new Date(), body: BODY, signer: signerOf(SECRET) })), 400)
    assert.deepEqual(shown[0]?.faults, ['no X-Model', 'no X-Event', 'no X-Delivery', 'no X-Secret'])
  })

  it('takes the calls to a campus, too, and shows neither key nor password', async () => {
    const body = JSON.stringify({ id: 1, login: 'ada', key: SECRET, password: 'tïger' })
    const signed = (id: string) => webhookHeaders({ id, at: new Date(), body, signer: signerOf(SECRET) })
    assert.equal(await post(signed('one'), body, '/below/users/new'), 204)
    assert.equal(await post(signed('two'), body, '/users/ada/update'), 204)
    const unsigned = webhookHeaders({ id: 'three', at: new Date(), body: '{}', signer: null })
    assert.equal(await post(unsigned, '{}', '/users/ada/close'), 401)
    assert.deepEqual(
      shown.map(({ about, key }) => [about, key]),
      [
        [undefined, 'right'],
        [undefined, 'right'],
        [undefined, 'missing'],
      ],
    )
    assert.deepEqual(shown[0]?.body, {
      id: 1,
      login: 'ada',
      key: '(the key)',
      password: '(a password of 5 characters)',
    })
  })
})
