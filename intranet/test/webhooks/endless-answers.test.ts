import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { certificate } from '@campus/test/support/receiver'
import { readAllowList } from '../../webhooks/connect-guard.ts'
import { reasonInEnglish } from '../../webhooks/stored-reasons.ts'
import { createTransport, type PostResult, type Transport } from '../../webhooks/transport.ts'

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const MUCH = 50_000

/** Endless answers that the HTTP client does not limit: their beginning, and the part that is repeated. */
const ENDLESS: Readonly<Record<string, readonly [begin: string, repeated: string]>> = {
  'interim answers': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)],
  'interim answers with headers': ['', `HTTP/1.1 102 Processing\r\n${'a: b\r\n'.repeat(500)}\r\n`],
  'the fields of 100 Continue': ['HTTP/1.1 100 Continue\r\n', 'a: b\r\n'.repeat(500)],
  'many of 100 Continue': ['', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)],
  'empty lines': ['', '\r\n'.repeat(MUCH)],
  'a reason phrase': ['HTTP/1.1 200 ', 'x'.repeat(MUCH)],
  'an extension of a chunk': [`${CHUNKED}1;`, 'x'.repeat(MUCH)],
  'long extensions of small chunks': [CHUNKED, `1;${'x'.repeat(MUCH)}\r\nX\r\n`],
}

let transport: Transport
let url: URL
/** Answers the requests of a connection. */
let behave: (socket: TLSSocket) => void
const sockets = new Set<TLSSocket>()
const server = createServer()
before(async () => {
  const identity = await certificate()
  server.setSecureContext(identity)
  server.on('secureConnection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => behave(socket))
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

const post = (): Promise<PostResult> =>
  transport.post(1, { url, headers: {}, body: '{}' }, new AbortController().signal)

describe('the size limit of an answer', () => {
  for (const [what, [begin, repeated]] of Object.entries(ENDLESS))
    it(`ends an attempt whose receiver sends ${what} without end`, async () => {
      behave = (socket) => {
        const fill = () => {
          while (socket.writable && socket.write(repeated));
        }
        socket.write(begin)
        socket.on('drain', fill)
        fill()
      }
      const result = await post()
      assert.ok(result.kind === 'failed')
      assert.equal(reasonInEnglish(result.error), 'the answer has more than 1048576 bytes')
    })

  it('applies to each answer of a connection separately', async () => {
    const connections = sockets.size
    behave = (socket) => {
      socket.write(`HTTP/1.1 103 Early Hints\r\n${'a: b\r\n'.repeat(2_000)}\r\n`.repeat(10))
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    }
    for (let count = 0; count < 20; count += 1) {
      const result = await post()
      assert.ok(result.kind === 'answered')
      assert.equal(String(result.answer), 'ok')
    }
    assert.equal(sockets.size - connections, 1)
  })

  it('keeps the status of an answer whose body exceeds the stored part', async () => {
    behave = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 8000000\r\n\r\n${'x'.repeat(8_000_000)}`)
    }
    const result = await post()
    assert.ok(result.kind === 'answered')
    assert.deepEqual([result.status, result.isCut], [200, true])
  })
})
