import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { Agent, get } from 'node:https'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { connect as connectTls, type Server } from 'node:tls'
import { temporaryFolder } from '@campus/test/support/folder'
import type { FastifyInstance } from 'fastify'
import { Connections } from '../../http/connections.ts'
import { createServer } from '../../http/server.ts'
import { Staging } from '../../http/staging.ts'
import { loadTls, type Tls } from '../../http/tls.ts'

const LONG = 'x'.repeat(5_000_000)

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let tls: Tls
before(async () => {
  folder = await temporaryFolder()
  tls = await loadTls({ data: folder.path, tls: undefined })
})
after(() => folder.remove())

let app: FastifyInstance
let connections: Connections
let port: number
let answerSlow: () => void
beforeEach(async () => {
  app = await createServer({ tls, logLevel: 'silent', staging: new Staging('incoming') })
  app.get('/quick', async () => 'quick')
  app.get('/slow', () => new Promise((resolve) => (answerSlow = () => resolve(LONG))))
  await app.listen({ host: '127.0.0.1', port: 0 })
  connections = new Connections([app.server as unknown as Server])
  port = (app.server.address() as AddressInfo).port
})
afterEach(() => app.close())

async function close(): Promise<void> {
  const closing = app.close()
  connections.end()
  await closing
}

async function isClosedWithin(milliseconds: number, closing = close()): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, milliseconds, false))
  return Promise.race([closing.then(() => true), late])
}

const options = () => ({ host: '127.0.0.1', port, rejectUnauthorized: false })

/** The body of an answer over HTTP/1.1 on a connection that the client keeps. */
function fetchOnConnection(path: string): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  return new Promise((resolve, reject) => {
    const request = get({ ...options(), path, agent }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(text)
    })
    request.on('error', reject)
  })
}

async function isAsked(): Promise<void> {
  answerSlow = () => {}
  const initial = answerSlow
  while (answerSlow === initial) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a client that has connected and says nothing does not hold up the end', async () => {
  const socket = connectTcp({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  socket.on('error', () => {})
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(await isClosedWithin(1000), true)
})

test('neither does one that has shaken hands and asks nothing', async () => {
  const socket = connectTls({ ...options(), ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  socket.on('error', () => {})
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(await isClosedWithin(1000), true)
})

test('neither does one that keeps its connection after an answer', async () => {
  assert.equal(await fetchOnConnection('/quick'), 'quick')
  assert.equal(await isClosedWithin(1000), true)
})

test('neither does an HTTP/2 session without a stream', async () => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  await once(session, 'connect')
  assert.equal(await isClosedWithin(1000), true)
})

test('a running request gets its whole answer, and the end comes right after it', async () => {
  const asked = isAsked()
  const answer = fetchOnConnection('/slow')
  await asked
  const closing = close()
  assert.equal(await isClosedWithin(100, closing), false)
  answerSlow()
  assert.equal((await answer).length, LONG.length)
  assert.equal(await isClosedWithin(1000, closing), true)
})

test('an answer that is on its way when the end begins comes whole', async () => {
  const asked = isAsked()
  const answer = fetchOnConnection('/slow')
  await asked
  const closing = close()
  answerSlow()
  assert.equal((await answer).length, LONG.length)
  await closing
})

test('so does a running request of an HTTP/2 session', async () => {
  const asked = isAsked()
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const stream = session.request({ ':path': '/slow' })
  await asked
  const closing = close()
  assert.equal(await isClosedWithin(100, closing), false)
  answerSlow()
  let length = 0
  for await (const chunk of stream) length += chunk.length
  assert.equal(length, LONG.length)
  assert.equal(await isClosedWithin(1000, closing), true)
})

test('several requests sent ahead on one connection all get their answers', async () => {
  const asked = isAsked()
  const socket = connectTls({ ...options(), ALPNProtocols: ['http/1.1'] })
  socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\nGET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await asked
  const closing = close()
  setTimeout(() => answerSlow(), 50)
  let text = ''
  for await (const chunk of socket) text += chunk
  assert.match(text, /quick/)
  assert.ok(text.length > LONG.length)
  assert.equal(await isClosedWithin(1000, closing), true)
})

const HOUR_MILLISECONDS = 3_600_000

test('a client that is dismissed is answered once more, and told to take its next request elsewhere', async () => {
  const socket = connectTls({ ...options(), ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  const dismissed = connections.dismiss(HOUR_MILLISECONDS)
  // It is idle, and yet it is not ended: its request may be on its way.
  socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += chunk
  assert.match(text, /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*quick$/is)
  await dismissed
})

test('an HTTP/2 session that is dismissed ends when its streams have, those opened meanwhile included', async () => {
  const asked = isAsked()
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const slow = session.request({ ':path': '/slow' })
  await asked
  const dismissed = connections.dismiss(HOUR_MILLISECONDS)
  const quick = session.request({ ':path': '/quick' })
  let text = ''
  for await (const chunk of quick) text += chunk
  assert.equal(text, 'quick')
  answerSlow()
  let length = 0
  for await (const chunk of slow) length += chunk.length
  assert.equal(length, LONG.length)
  await dismissed
})

test('nobody who stays idle holds up those who dismiss for longer than they said', async () => {
  const socket = connectTls({ ...options(), ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  socket.on('error', () => {})
  await connections.dismiss(1)
  assert.equal(await isClosedWithin(1000), true)
})
