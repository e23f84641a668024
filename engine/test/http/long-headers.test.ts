import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
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
before(async () => {
  folder = await temporaryFolder()
  const tls = await loadTls({ data: folder.path, tls: undefined })
  app = await createServer({ tls, logLevel: 'silent', staging: new Staging('incoming') })
  app.get('/*', async () => 'read')
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
after(async () => {
  await app.close()
  await folder.remove()
})

describe('a request whose headers are long', () => {
  let session: ClientHttp2Session
  before(() => {
    session = connectHttp2(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      maxSendHeaderBlockLength: 1_000_000,
    })
  })
  after(() => session.destroy())

  const overHttp2 = async (headers: Record<string, string>) => {
    const stream = session.request(headers)
    const [answered] = await once(stream, 'response')
    let text = ''
    for await (const chunk of stream) text += chunk
    return { status: Number(answered[':status']), text }
  }
  const overHttp1 = async ({ ':path': path, ...headers }: Record<string, string>) => {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    let text = ''
    for await (const chunk of socket) text += chunk
    return { status: Number(text.slice(9, 12)), text: text.slice(text.indexOf('\r\n\r\n') + 4) }
  }

  it('gets the same answer over HTTP/2 and HTTP/1.1: as many cookies as a browser keeps for a domain', async () => {
    const cookies = Array.from({ length: 180 }, (_, index) => `cookie_${index}=${index}`)
    const stream = session.request({ ':path': '/', cookie: cookies })
    const [answered] = await once(stream, 'response')
    stream.resume()
    assert.equal(answered[':status'], 200)
    assert.equal((await overHttp1({ ':path': '/', cookie: cookies.join('; ') })).status, 200)
  })

  for (const length of [10_000, 15_000, 17_000, 40_000, 100_000]) {
    it(`gets the same answer over HTTP/2 and HTTP/1.1: ${length} characters`, async () => {
      const requests: Record<string, string>[] = [
        { ':path': `/${'a'.repeat(length)}` },
        { ':path': `/?filter[login]=${'a'.repeat(length)}` },
        { ':path': '/', cookie: 'a'.repeat(length) },
      ]
      for (const headers of requests) {
        const answers = [await overHttp2(headers), await overHttp1(headers)]
        const status = length > 16_384 ? 431 : 200
        assert.deepEqual(
          answers.map((answer) => answer.status),
          [status, status],
        )
        assert.equal(answers[0]?.text, answers[1]?.text)
      }
      assert.equal(session.closed, false)
    })
  }
})
