/** Checks that connections of a proxy that ends TLS, by TCP or a Unix socket, behave as connections over TLS. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { Connections } from '../../http/connections.ts'
import { createServer } from '../../http/server.ts'
import { Staging } from '../../http/staging.ts'

const HOUR_MILLISECONDS = 3_600_000
const LONG = 'x'.repeat(5_000_000)
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

type Place = { readonly host: string; readonly port: number } | { readonly path: string }

async function listen(place: Place) {
  const isOnUnixSocket = 'path' in place
  const options = { tls: undefined, logLevel: 'silent', staging: new Staging('incoming'), isOnUnixSocket }
  const app = await createServer({ ...options, trustedProxies: ['127.0.0.1'] })
  let asked = () => {}
  let answer: (text: string) => void = () => {}
  const slowIsAsked = new Promise<void>((resolve) => (asked = resolve))
  app.get('/address', async ({ ip }) => String(ip))
  app.get('/slow', () => {
    asked()
    return new Promise((resolve) => (answer = resolve))
  })
  app.post('/refused', async (_request, reply) => reply.code(422).send('no'))
  await app.listen(place)
  const address = app.server.address()
  const to: NetConnectOpts = typeof address === 'string' ? { path: address } : { port: address?.port ?? 0 }
  const connections = new Connections([app.server as Server])
  return { app, connections, to, slowIsAsked, answer: (text: string) => answer(text) }
}

async function textFrom(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

const request = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: library', ...headers, '', ''].join('\r\n')

let sockets = 0
const PLACES: Readonly<Record<string, () => Place>> = {
  'a loopback address': () => ({ host: '127.0.0.1', port: 0 }),
  'a Unix socket': () => ({ path: join(folder.path, `${++sockets}.sock`) }),
}

for (const [name, place] of Object.entries(PLACES)) {
  describe(`on ${name}`, () => {
    test('clients that say nothing, or no more, do not hold up the end', async () => {
      const { app, connections, to } = await listen(place())
      const silent = connect(to)
      await once(silent, 'connect')
      const retained = connect(to)
      retained.write(request('GET /address'))
      await once(retained, 'data')
      const closing = app.close()
      connections.end()
      await closing
      for (const socket of [silent, retained]) socket.destroy()
    })

    test('a running request gets its whole answer before the end', async () => {
      const { app, connections, to, slowIsAsked, answer } = await listen(place())
      const socket = connect(to)
      socket.write(request('GET /slow'))
      await slowIsAsked
      const closing = app.close()
      connections.end()
      answer(LONG)
      assert.equal((await textFrom(socket)).split('\r\n\r\n')[1]?.length, LONG.length)
      await closing
    })

    test('a client that is dismissed is answered once more, and told to come by another connection', async () => {
      const { app, connections, to } = await listen(place())
      const socket = connect(to)
      await once(socket, 'connect')
      const other = connect(to)
      other.write(request('GET /address'))
      await once(other, 'data')
      const dismissed = connections.dismiss(HOUR_MILLISECONDS)
      socket.write(request('GET /address'))
      assert.match(await textFrom(socket), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
      other.write(request('GET /address'))
      await textFrom(other)
      await dismissed
      await app.close()
    })

    test('a client that has nothing more to send is answered', async () => {
      const { app, to } = await listen(place())
      const socket = connect({ ...to, allowHalfOpen: true })
      socket.end(request('GET /address'))
      assert.match(await textFrom(socket), /^HTTP\/1\.1 200 /)
      await app.close()
    })

    test('what is no HTTP gets an answer that says so, and a client that is refused gets to read it', async () => {
      const { app, to } = await listen(place())
      const socket = connect(to)
      socket.write('\x16\x03\x01 is how TLS begins\r\n\r\n')
      assert.match(await textFrom(socket), /^HTTP\/1\.1 400 /)
      const sender = connect(to)
      sender.write(request('POST /refused', 'Content-Type: text/plain', 'Content-Length: 9000000'))
      assert.match(await textFrom(sender), /^HTTP\/1\.1 400 .*The content type is not one of/s)
      await app.close()
    })

    test('its proxy says whose request it is, and the client itself says nothing by it', async () => {
      const { app, to } = await listen(place())
      const said = async (...headers: string[]) => {
        const socket = connect(to)
        socket.write(request('GET /address', 'Connection: close', ...headers))
        return (await textFrom(socket)).split('\r\n\r\n')[1]
      }
      assert.equal(await said('X-Forwarded-For: 203.0.113.9, unix:, 127.0.0.1, 198.51.100.4'), '198.51.100.4')
      assert.equal(await said('X-Forwarded-For: 203.0.113.9', 'X-Forwarded-For: 198.51.100.4'), '198.51.100.4')
      assert.equal(await said('Forwarded: for=203.0.113.9'), 'path' in to ? 'unix:' : '127.0.0.1')
      await app.close()
    })
  })
}
