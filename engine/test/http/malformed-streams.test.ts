import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { temporaryFolder } from '@campus/test/support/folder'
import type { FastifyInstance } from 'fastify'
import { createServer } from '../../http/server.ts'
import { Staging } from '../../http/staging.ts'
import { loadTls } from '../../http/tls.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let app: FastifyInstance
let port: number
/** Waits for a PING to be acknowledged for a short time only. */
let impatient: FastifyInstance
/** Bodies that routes received. */
const bodies: unknown[] = []
before(async () => {
  folder = await temporaryFolder()
  const tls = await loadTls({ data: folder.path, tls: undefined })
  const options = { tls, logLevel: 'silent', staging: new Staging('incoming') } as const
  app = await createServer(options)
  app.post('/', async ({ body }) => {
    bodies.push(body)
    return 'taken'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = portOf(app)
  impatient = await createServer({ ...options, pingMilliseconds: 100 })
  await impatient.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => {
  await app.close()
  await impatient.close()
  await folder.remove()
})

const portOf = ({ server }: FastifyInstance) => (server.address() as AddressInfo).port

const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7 }
const PROTOCOL_ERROR = 1

function frame(type: number, stream: number, payload: Buffer = Buffer.alloc(0), flags = 0): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A header block of literals without Huffman codes (RFC 7541 §6.2.2), which may hold what no client would encode. */
const block = (headers: readonly (readonly [string, string])[]) =>
  Buffer.concat(
    headers.flatMap((pair) => [
      Buffer.from([0]),
      ...pair.flatMap((text) => [Buffer.from([text.length]), Buffer.from(text)]),
    ]),
  )

const request = (stream: number, headers: readonly (readonly [string, string])[], body: readonly string[]) => [
  frame(
    FRAME.headers,
    stream,
    block([
      [':method', 'POST'],
      [':scheme', 'https'],
      [':path', '/'],
      [':authority', 'localhost'],
      ['content-type', 'application/json'],
      ...headers,
    ]),
    body.length === 0 ? 5 : 4,
  ),
  ...body.map((text, at) => frame(FRAME.data, stream, Buffer.from(text), at === body.length - 1 ? 1 : 0)),
]

/** Sends frames after the preface and returns the received frames until `isLast` holds or the connection ends. */
async function exchange(
  frames: readonly Buffer[],
  isLast: (received: { type: number; stream: number }) => boolean,
  to = port,
): Promise<{ type: number; stream: number; payload: Buffer }[]> {
  const socket = connectTls({ host: '127.0.0.1', port: to, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(FRAME.settings, 0), ...frames]))
  const received: { type: number; stream: number; payload: Buffer }[] = []
  let rest = Buffer.alloc(0)
  for await (const bytes of socket) {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const end = 9 + rest.readUIntBE(0, 3)
      const found = { type: rest.readUInt8(3), stream: rest.readUInt32BE(5), payload: rest.subarray(9, end) }
      const isAcknowledged = (rest.readUInt8(4) & 1) === 1
      rest = rest.subarray(end)
      received.push(found)
      if (found.type === FRAME.ping && !isAcknowledged) socket.write(frame(FRAME.ping, 0, found.payload, 1))
      if (isLast(found)) socket.destroy()
    }
    if (socket.destroyed) break
  }
  return received
}

describe('a malformed HTTP/2 request', () => {
  for (const [what, headers, body] of [
    ['a body longer than its content-length', [['content-length', '2']], ['[1]']],
    ['a body that grows longer than its content-length', [['content-length', '2']], ['[1', ',2', ']']],
    ['a body shorter than its content-length', [['content-length', '9']], ['[1]']],
    ['a content-length without a body', [['content-length', '9']], []],
    [
      'two content-lengths',
      [
        ['content-length', '3'],
        ['content-length', '3'],
      ],
      ['[1]'],
    ],
    ['a content-length that is no number', [['content-length', 'three']], ['[1]']],
    ['a negative content-length', [['content-length', '-3']], ['[1]']],
    ['a content-length beyond 64 bits', [['content-length', '9'.repeat(30)]], ['[1]']],
    ['a header in capitals', [['X-Header', 'x']], ['[1]']],
    ['a header of HTTP/1.1', [['connection', 'close']], ['[1]']],
    ['an unknown pseudo-header', [[':shape', 'round']], ['[1]']],
  ] as const) {
    it(`ends with its stream alone: ${what}`, async () => {
      bodies.length = 0
      const received = await exchange(
        [...request(1, headers, body), ...request(3, [['content-length', '3']], ['[3]'])],
        ({ type, stream }) => type === FRAME.data && stream === 3,
      )
      const resets = received.filter(({ type }) => type === FRAME.reset)
      assert.deepEqual(
        resets.map(({ stream, payload }) => [stream, payload.readUInt32BE(0)]),
        [[1, PROTOCOL_ERROR]],
      )
      assert.deepEqual(
        received.filter(({ type }) => type === FRAME.goaway),
        [],
      )
      assert.deepEqual(bodies, [[3]])
    })
  }

  it('leaves nothing on its connection, however many there are', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    try {
      const accepted = once(app.server, 'session')
      await once(session, 'connect')
      const [served] = await accepted
      const atFirst = served.listenerCount('close')
      for (let sent = 0; sent < 20; sent += 1) {
        const stream = session.request({ ':method': 'POST', ':path': '/', 'content-length': '2' })
        stream.on('error', () => {})
        stream.end('[1]')
        await new Promise((resolve) => stream.on('close', resolve))
        // The server has read the acknowledgement of its own PING before it answers this one.
        await new Promise((resolve) => session.ping(resolve))
      }
      assert.equal(served.listenerCount('close'), atFirst)
      assert.deepEqual(warnings, [])
    } finally {
      session.destroy()
      process.off('warning', note)
    }
  })

  it('ends the connection if the connection itself is malformed', async () => {
    const received = await exchange([frame(FRAME.data, 0, Buffer.from('x'))], () => false, portOf(impatient))
    assert.deepEqual(received.at(-1)?.type, FRAME.goaway)
  })
})
