import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, describe, it, mock } from 'node:test'
import tls from 'node:tls'
import { answer, type Receiver, receiver } from '@campus/test/support/receiver'
import { readAllowList } from '../../webhooks/connect-guard.ts'
import { reasonInEnglish } from '../../webhooks/stored-reasons.ts'
import { createTransport } from '../../webhooks/transport.ts'

type Address = { readonly address: string; readonly family: number }

/** A name server that gives these answers in turn, and the last one for ever. */
function names(...answers: readonly (readonly string[])[]) {
  let asked = 0
  const resolve = (_name: string, _options: object, done: (error: null, addresses: Address[]) => void) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    done(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { resolve: resolve as never, asked: () => asked }
}

describe('a private address', () => {
  let connects = 0
  let port = 0
  let service: Receiver
  const onConnect = (socket: Socket) => {
    connects += 1
    socket.destroy()
  }
  const listeners = [createServer(onConnect), createServer(onConnect)] as const
  before(async () => {
    const [four, six] = listeners
    await new Promise<void>((resolve) => four.listen(0, '127.0.0.1', resolve))
    port = (four.address() as { port: number }).port
    await new Promise<void>((resolve) => six.listen(port, '::1', resolve))
    service = await receiver()
  })
  after(async () => {
    await service.close()
    for (const listener of listeners) await new Promise((resolve) => listener.close(resolve))
  })

  const never = new AbortController().signal
  type Options = { readonly allow?: readonly string[]; readonly resolve?: never; readonly to?: number }

  async function call(host: string, { allow = [], resolve, to = port }: Options = {}) {
    const transport = createTransport({
      allowed: readAllowList(allow),
      tls: { ca: [service.ca] },
      connections: 1,
      ...(resolve ? { resolve } : {}),
      deadlines: { connectMs: 2000, wholeMs: 3000 },
    })
    const outcome = await transport.post(1, { url: new URL(`https://${host}:${to}/`), headers: {}, body: '{}' }, never)
    await transport.close()
    return outcome
  }

  const FORMS = [
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '0.0.0.0',
      '0',
    ],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]'],
    ...['[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]'],
    ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '192.0.2.1', '255.255.255.255'],
    ...['localhost', 'LOCALHOST', '①②⑦.0.0.1', '127。0。0。1'],
  ]
  for (const form of FORMS) {
    it(`written as ${form} is not called`, async () => {
      const outcome = await call(form)
      assert.equal(outcome.kind, 'failed')
      assert.match(
        reasonInEnglish((outcome as { error: string }).error) ?? '',
        /is not a public address.*CAMPUS_OUTGOING_ALLOW/,
      )
      assert.equal(connects, 0)
    })
  }

  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '169.254.169.254', 'fd00::1']) {
    it(`that a name stands for, ${address}, is not called`, async () => {
      const { resolve, asked } = names([address])
      const outcome = await call('campus.example', { resolve })
      assert.match(reasonInEnglish((outcome as { error: string }).error) ?? '', /is not a public address/)
      assert.deepEqual([asked(), connects], [1, 0])
    })
  }

  // An address of the loopback network that the operator allows stands in for a public one; nobody listens there.
  const PUBLIC = '127.9.9.9'

  it('that a name comes to stand for between the lookup and the connection is not connected to', async () => {
    const { resolve, asked } = names([PUBLIC], ['127.0.0.1'])
    const outcome = await call('rebinding.example', { allow: [PUBLIC], resolve })
    assert.match((outcome as { error: string }).error, /ECONNREFUSED 127\.9\.9\.9/, 'it goes to the address looked at')
    assert.deepEqual([asked(), connects], [1, 0])
  })

  it('among public ones is passed over', async () => {
    const { resolve } = names(['127.0.0.1', PUBLIC, '::1'])
    const outcome = await call('both.example', { allow: [PUBLIC], resolve })
    assert.match((outcome as { error: string }).error, /ECONNREFUSED 127\.9\.9\.9/)
    assert.equal(connects, 0)
  })

  for (const allow of [['localhost'], ['127.0.0.0/8', '::1'], ['127.0.0.1', '::1/128'], ['LocalHost.']]) {
    it(`is called where the operator allows ${allow.join(', ')}`, async () => {
      const outcome = await call('localhost', { allow, to: service.port })
      assert.deepEqual([outcome.kind, (outcome as { status?: number }).status], ['answered', 204])
    })
  }

  it('is not connected to because another one is allowed', async () => {
    for (const allow of [['campus.example'], ['10.0.0.0/8'], ['::1'], ['127.0.0.2']]) {
      assert.equal((await call('127.0.0.1', { allow })).kind, 'failed')
    }
    assert.equal(connects, 0)
  })

  it('is not connected to without TLS either', async () => {
    const transport = createTransport({ allowed: readAllowList(['127.0.0.1']), tls: {}, connections: 1 })
    const url = new URL(`http://127.0.0.1:${port}/`)
    const outcome = await transport.post(1, { url, headers: {}, body: '{}' }, never)
    assert.deepEqual([outcome.kind, connects], ['failed', 0])
    await transport.close()
  })

  it('an allow list that names nothing is refused', () => {
    for (const entry of ['10.0.0.0/33', 'a b', '1.2.3.4/x', '*.example.org']) {
      assert.throws(() => readAllowList([entry]), /is neither a host nor a network/)
    }
  })
})

describe('the certificate authorities of receivers', () => {
  it('are parsed once, not for each connection', async () => {
    const service = await receiver()
    const connections = new Set<Socket>()
    service.behave((response, call, socket) => {
      connections.add(socket)
      answer(204, { connection: 'close' })(response, call, socket)
    })
    const transport = createTransport({
      allowed: readAllowList(['localhost']),
      tls: { ca: [service.ca] },
      connections: 1,
    })
    const parsed = mock.method(tls, 'createSecureContext')
    try {
      for (let at = 0; at < 5; at += 1) {
        const request = { url: new URL(`${service.url}/`), headers: {}, body: '{}' }
        const { kind } = await transport.post(1, request, new AbortController().signal)
        assert.equal(kind, 'answered')
      }
      assert.equal(connections.size, 5)
      assert.ok(parsed.mock.callCount() <= 1, `${parsed.mock.callCount()} times`)
    } finally {
      parsed.mock.restore()
      await transport.close()
      await service.close()
    }
  })
})
