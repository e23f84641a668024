import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { temporaryFolder } from '@campus/test/support/folder'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { verbatim } from '../../base/languages/say.ts'
import { HttpError } from '../../errors.ts'
import { createServer } from '../../http/server.ts'
import { Staging } from '../../http/staging.ts'
import { loadTls } from '../../http/tls.ts'

const MULTIPART = 'multipart/form-data; boundary=b'
const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome text'
const CHUNK = Buffer.alloc(16_384, 'x')

/** Requests that are answered before their body is read. */
const CASES = [
  { what: 'a refusal before anything is read', path: '/refused', type: 'application/json', status: 401 },
  { what: 'a type that nobody reads', path: '/', type: 'text/x-nothing', status: 400 },
  { what: 'a body that is announced as too long', path: '/', type: 'application/json', status: 413 },
  { what: 'a multipart body that is announced as too long', path: '/', type: MULTIPART, status: 413 },
  { what: 'an answer that needs no body', path: '/unread', type: 'application/json', status: 200 },
  { what: 'a path that there is not', path: '/nothing', type: 'text/x-nothing', status: 404 },
  { what: 'a path that cannot be read', path: '/%', type: 'application/json', status: 400 },
] as const

const TOO_LONG = 100_000_000

/** Client ports of the open connections of the server. */
const connected = new Set<number>()
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let app: FastifyInstance
let port: number
before(async () => {
  folder = await temporaryFolder()
  const tls = await loadTls({ data: folder.path, tls: undefined })
  const staging = new Staging(`${folder.path}/incoming`)
  app = await createServer({ tls, logLevel: 'silent', staging, bodyMilliseconds: 100, lingerMilliseconds: 200 })
  const refuse = { onRequest: () => Promise.reject(new HttpError(401, verbatim('No.'))) }
  app.post('/', { config: { files: { maxBytes: { file: 1_000 }, maxBodyBytes: 2_000_000 } } }, async () => 'taken')
  app.post('/refused', refuse, async () => 'never')
  const answer = async (_request: unknown, reply: FastifyReply) => reply.send('unread')
  app.post('/unread', { onRequest: answer }, async () => 'never')
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
  app.server.on('secureConnection', (socket: TLSSocket) => {
    const client = Number(socket.remotePort)
    connected.add(client)
    socket.once('close', () => connected.delete(client))
  })
})
after(async () => {
  await app.close()
  await folder.remove()
})

type Asked = { readonly path: string; readonly type: string; readonly length?: number; readonly body?: string | Buffer }

const headOf = ({ path, type, length }: Asked) =>
  [
    ...[`POST ${path} HTTP/1.1`, 'Host: x', `Content-Type: ${type}`],
    ...[length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`, '', ''],
  ].join('\r\n')

function ask(asked: Asked): TLSSocket {
  const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }
  // Keeps the client's side open after the server has ended its own.
  const socket = connectTls({ ...options, allowHalfOpen: true } as ConnectionOptions)
  socket.on('error', () => {})
  socket.write(headOf(asked))
  if (asked.body) socket.write(asked.body)
  return socket
}

/** Reads until the server closes the connection. */
async function readAll(socket: TLSSocket): Promise<string> {
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
  while (connected.has(Number(socket.localPort ?? 0))) await wait(5)
  socket.destroy()
  return text
}

/** Keeps sending the body, whatever the server answers. */
function sendOn(socket: TLSSocket): void {
  const send = () => {
    while (!socket.destroyed && socket.write(CHUNK));
  }
  socket.on('drain', send)
  send()
}

describe('an HTTP/1.1 client that was answered before its body had come', () => {
  for (const { what, path, type, status } of CASES) {
    const asked = { path, type, length: TOO_LONG }

    it(`gets its answer and is let go when it sends no more: ${what}`, async () => {
      const text = await readAll(ask(asked))
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(text, /\r\nconnection: close\r\n/i)
    })

    it(`gets its answer and is let go when it sends without end: ${what}`, async () => {
      const socket = ask(asked)
      sendOn(socket)
      assert.match(await readAll(socket), new RegExp(`^HTTP/1\\.1 ${status} `))
    })
  }

  it('keeps its connection where the body is short and comes', async () => {
    const socket = ask({ path: '/refused', type: 'application/json', length: 4 })
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 401 /)
    assert.doesNotMatch(String(answer), /\r\nconnection: close/i)
    socket.write(`"ab"${headOf({ path: '/', type: 'application/json', length: 2 })}{}`)
    const [next] = await once(socket, 'data')
    assert.match(String(next), /^HTTP\/1\.1 200 /)
    socket.destroy()
  })

  it('may do so any number of times', async () => {
    const warnings: unknown[] = []
    const warn = (warning: unknown) => warnings.push(warning)
    process.on('warning', warn)
    const head = headOf({ path: '/refused', type: 'application/json', length: 4 })
    const socket = ask({ path: '/refused', type: 'application/json', length: 4 })
    for (let time = 0; time < 20; time += 1) {
      await once(socket, 'data')
      socket.write(`"ab"${head}`)
    }
    await once(socket, 'data')
    socket.destroy()
    process.off('warning', warn)
    assert.deepEqual(warnings, [])
  })

  it('loses it where the body is short and does not come', async () => {
    assert.match(await readAll(ask({ path: '/refused', type: 'application/json', length: 4 })), /^HTTP\/1\.1 401 /)
  })
})

describe('an upload that stops coming', () => {
  for (const length of [undefined, 10_000]) {
    it(`is 408, and its connection ends (${length === undefined ? 'in chunks' : 'of a length'})`, async () => {
      const sent = length === undefined ? `${PART.length.toString(16)}\r\n${PART}\r\n` : PART
      const uploads = Array.from({ length: 20 }, () =>
        readAll(ask({ path: '/', type: MULTIPART, ...(length ? { length } : {}), body: sent })),
      )
      for (const text of await Promise.all(uploads)) {
        assert.match(text, /^HTTP\/1\.1 408 .*"The body stopped coming\."/s)
      }
    })
  }
})

describe('an upload that takes long', () => {
  it('is taken as long as something of it comes', async () => {
    const pieces = [PART, ...Array.from({ length: 20 }, () => ' more'), '\r\n--b--\r\n']
    const length = pieces.join('').length
    const socket = ask({ path: '/', type: MULTIPART, length })
    const answer = once(socket, 'data')
    for (const piece of pieces) {
      socket.write(piece)
      await wait(15)
    }
    assert.match(String(await answer), /^HTTP\/1\.1 200 /)
    socket.destroy()
  })
})

describe('an HTTP/2 stream that was answered before its body had come', () => {
  let session: ClientHttp2Session
  before(() => {
    session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  })
  after(() => session.destroy())

  async function open({ path, type, body }: Asked): Promise<{ status: unknown; text: string; code: number }> {
    const headers = { ':method': 'POST', ':path': path, 'content-type': type }
    const stream = session.request({ ...headers, ...(body ? {} : { 'content-length': String(TOO_LONG) }) })
    stream.write(body ?? CHUNK)
    let text = ''
    stream.on('data', (data) => {
      text += data
    })
    const closed = once(stream, 'close')
    const [{ ':status': status }] = await once(stream, 'response')
    await closed
    return { status, text, code: stream.rstCode }
  }

  for (const asked of CASES) {
    it(`ends, and its session goes on: ${asked.what}`, async () => {
      const { status, text, code } = await open(asked)
      assert.deepEqual([status, code], [asked.status, 0])
      assert.ok(text.length > 0)
      assert.equal(session.closed, false)
    })
  }

  it('ends where an upload stops coming', async () => {
    const { status, code } = await open({ path: '/', type: MULTIPART, body: PART })
    assert.deepEqual([status, code], [408, 0])
  })
})

describe('what is no request that the server reads', () => {
  it('is answered, and the rest of it is read before the connection ends', async () => {
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }
    for (const start of [`GET /${'a'.repeat(20_000)}`, 'GET / HTTP/9.9\r\n\r\n', 'nonsense\r\n\r\n']) {
      const socket = connectTls({ ...options, allowHalfOpen: true } as ConnectionOptions)
      let text = ''
      socket.setEncoding('utf8').on('data', (data) => {
        // Sends the body after the refusal has come. A closed connection would reset it.
        if (text === '') for (let count = 0; count < 20; count += 1) socket.write(CHUNK)
        text += data
      })
      socket.write(start)
      await once(socket, 'end')
      await new Promise((resolve) => socket.write(CHUNK, resolve))
      const [head = '', body = ''] = text.split('\r\n\r\n')
      assert.match(head, /^HTTP\/1\.1 4\d\d /)
      assert.equal(typeof JSON.parse(body).message, 'string')
      const closed = once(socket, 'close')
      socket.end()
      assert.deepEqual(await closed, [false])
    }
  })
})
