import assert from 'node:assert/strict'
import type { AddressInfo, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createServer, type TLSSocket } from 'node:tls'
import { certificate } from '@campus/test/support/receiver'
import { readAllowList } from '../../webhooks/connect-guard.ts'
import { skipContinue } from '../../webhooks/skip-continue.ts'
import { createTransport, type Transport } from '../../webhooks/transport.ts'

const FINAL = 'HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok'

/** Answers with interim ones that the request did not ask for. */
const ANSWERS: Readonly<Record<string, string>> = {
  '100 Continue': `HTTP/1.1 100 Continue\r\n\r\n${FINAL}`,
  '100 without a phrase': `HTTP/1.1 100\r\n\r\n${FINAL}`,
  '100 Continue with a field': `HTTP/1.1 100 Continue\r\nDate: Mon, 02 Mar 2026 10:00:00 GMT\r\n\r\n${FINAL}`,
  'two of 100 Continue': `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2)}${FINAL}`,
  '102 Processing': `HTTP/1.1 102 Processing\r\n\r\n${FINAL}`,
  '103 Early Hints': `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${FINAL}`,
  '100 Continue and 103 Early Hints': `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${FINAL}`,
  'no interim one': FINAL,
}

describe('a receiver that answers unasked', () => {
  let transport: Transport
  let url: URL
  let answer: readonly string[] = []
  const sockets = new Set<TLSSocket>()
  const server = createServer()
  before(async () => {
    const identity = await certificate()
    server.setSecureContext(identity)
    server.on('secureConnection', (socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.setNoDelay(true)
      socket.on('data', async () => {
        for (const part of answer) {
          socket.write(part)
          await nextTurn()
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = new URL(`https://localhost:${(server.address() as AddressInfo).port}/`)
    transport = createTransport({ allowed: readAllowList(['localhost']), tls: { ca: [identity.cert] }, connections: 1 })
  })
  after(async () => {
    await transport.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  for (const [name, text] of Object.entries(ANSWERS))
    for (const [how, parts] of [
      ['at once', [text]],
      ['byte by byte', [...text]],
    ] as const)
      it(`with ${name}, sent ${how}, is read up to its 201, twice on one connection`, async () => {
        answer = parts
        const connections = sockets.size
        for (const _ of [1, 2]) {
          const result = await transport.post(1, { url, headers: {}, body: '{}' }, new AbortController().signal)
          assert.deepEqual(result.kind === 'answered' ? [result.status, result.answer.toString()] : result, [201, 'ok'])
        }
        assert.ok(sockets.size <= connections + 1)
      })
})

describe('an interim answer that arrives in many parts', () => {
  it('is skipped without copying the former parts for each part', async (t) => {
    let copied = 0
    const { concat } = Buffer
    t.mock.method(Buffer, 'concat', (list: readonly Uint8Array[], length?: number) => {
      const whole = concat(list, length)
      copied += whole.length
      return whole
    })
    const parts = [...`HTTP/1.1 100 ${'x'.repeat(10_000)}\r\n\r\n${FINAL}`].map((part) => Buffer.from(part))
    const arriving = Object.assign(new Duplex(), { read: () => parts.shift() ?? null })
    const socket = await new Promise<Duplex>((resolve, reject) =>
      skipContinue((_target, done) => done(null, arriving as unknown as Socket))(
        { hostname: 'localhost', protocol: 'https:', port: '443' },
        (error, connected) => (error ? reject(error) : resolve(connected)),
      ),
    )
    let answer = ''
    while (parts.length > 0) answer += socket.read() ?? ''
    assert.equal(answer, FINAL)
    assert.ok(copied <= FINAL.length, `${copied} bytes were copied`)
  })
})
