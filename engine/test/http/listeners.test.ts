import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freePort } from '@campus/test/support/free-port'
import { until } from '@campus/test/support/until'
import Fastify from 'fastify'
import { Challenges } from '../../http/acme/challenges.ts'
import { listenAt, listenersOf, NotListening } from '../../http/listeners.ts'
import { answerDuring } from '../../http/starting-server.ts'

const LOOPBACK = ['127.0.0.1', '::1']

/** Another program with a free port of one address. Returns the port. */
async function otherProgram(t: TestContext, address: string): Promise<number> {
  const other = createServer().listen(0, address)
  await once(other, 'listening')
  t.after(() => other.close())
  return (other.address() as AddressInfo).port
}

async function isFree(address: string, port: number): Promise<boolean> {
  const probe = createServer().listen(port, address)
  const isBound = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  probe.close()
  return isBound
}

async function statusAt(host: string, port: number): Promise<number | undefined> {
  const [response] = await once(get({ host, port, path: '/', agent: false }), 'response')
  response.resume()
  return response.statusCode
}

test('an app listens on both addresses of localhost, whatever the hosts file says', async (t) => {
  const app = Fastify()
  app.get('/', async () => 'here')
  t.after(() => app.close())
  await listenAt(app, { host: 'localhost', port: 0 })
  const listening = listenersOf(app).map((server) => server.address() as AddressInfo)
  assert.deepEqual(
    listening.map(({ address }) => address),
    LOOPBACK,
  )
  const port = listening[0]?.port as number
  for (const { address, port: its } of listening) {
    assert.equal(its, port)
    assert.equal(await statusAt(address, port), 200)
  }
})

for (const taken of LOOPBACK) {
  const free = LOOPBACK.find((address) => address !== taken) as string

  test(`an app does not listen on ${free} alone while another program has ${taken}`, async (t) => {
    const port = await otherProgram(t, taken)
    const app = Fastify()
    await assert.rejects(
      listenAt(app, { host: 'localhost', port }),
      (error) => error instanceof NotListening && error.address === taken,
    )
    await app.close()
    assert.equal(await isFree(free, port), true)
  })

  test(`the port of certificate authorities is not opened on ${free} alone`, async (t) => {
    const port = await otherProgram(t, taken)
    await assert.rejects(new Challenges('https://localhost').listen('localhost', port), NotListening)
    assert.equal(await isFree(free, port), true)
  })

  test(`a start that takes long is not answered on ${free} alone`, async (t) => {
    const port = await otherProgram(t, taken)
    await answerDuring({ host: 'localhost', port, socket: undefined }, undefined, async () => {
      await new Promise((resolve) => setTimeout(resolve, 900))
      assert.equal(await isFree(free, port), true)
    })
  })
}

test('a start that takes long is answered on both addresses, and leaves them free', async () => {
  const port = await freePort()
  await answerDuring({ host: 'localhost', port, socket: undefined }, undefined, async () => {
    for (const address of LOOPBACK) {
      const answers = () => statusAt(address, port).catch(() => undefined)
      await until(async () => (await answers()) === 503)
    }
  })
  for (const address of LOOPBACK) assert.equal(await isFree(address, port), true)
})

test('an address that this machine does not have is skipped, and none at all is refused', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  await assert.rejects(listenAt(app, { host: '192.0.2.1', port: 0 }), NotListening)
})

test('an app that closes lets the request end that arrived at a further address', async () => {
  const app = Fastify()
  const release = Promise.withResolvers<void>()
  let isAsked = false
  app.get('/', async () => {
    isAsked = true
    await release.promise
    return 'here'
  })
  let isReleased = false
  app.addHook('onClose', async () => assert.equal(isReleased, true))
  await listenAt(app, { host: 'localhost', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const status = statusAt('::1', port)
  await until(async () => isAsked)
  const closing = app.close()
  await until(async () => isFree('::1', port))
  isReleased = true
  release.resolve()
  assert.equal(await status, 200)
  await closing
  const late = connect({ host: '::1', port })
  await assert.rejects(once(late, 'connect'), { code: 'ECONNREFUSED' })
})
