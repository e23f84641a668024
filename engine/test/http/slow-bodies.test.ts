import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { temporaryFolder } from '@campus/test/support/folder'
import type { FastifyInstance } from 'fastify'
import { createServer } from '../../http/server.ts'
import { Staging } from '../../http/staging.ts'
import { loadTls } from '../../http/tls.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let app: FastifyInstance
let port: number
before(async () => {
  folder = await temporaryFolder()
  const tls = await loadTls({ data: folder.path, tls: undefined })
  app = await createServer({ tls, logLevel: 'silent', staging: new Staging('incoming'), bodyMilliseconds: 100 })
  app.post('/', async (request) => request.body)
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
after(async () => {
  await app.close()
  await folder.remove()
})

/** Sends a JSON body slowly, byte by byte, until the server responds. Returns the response. */
async function trickle(): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  socket.on('error', () => {})
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n')
  const timer = setInterval(() => socket.write(' '), 10)
  let text = ''
  for await (const chunk of socket) text += chunk
  clearInterval(timer)
  return text
}

test('a body that trickles is refused, and its connection ends', async () => {
  assert.match(await trickle(), /^HTTP\/1\.1 408 .*"The body did not arrive in time\."/s)
})

test('so is one of an HTTP/2 stream, whose session goes on', async () => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const send = (text: string) => {
    const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })
    stream.write(text)
    return stream
  }
  const slow = send('[')
  assert.equal((await once(slow, 'response'))[0][':status'], 408)
  slow.close()
  const quick = send('[1]')
  quick.end()
  assert.equal((await once(quick, 'response'))[0][':status'], 200)
  session.destroy()
})

test('a body that comes is taken, and its connection stays longer than those of proxies', async () => {
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n[1]')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 /)
  assert.match(String(answer), /keep-alive: timeout=72/i)
  socket.destroy()
})
