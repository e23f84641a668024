import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent as HttpAgent } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { Agent as HttpsAgent } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { connect as connectTls, type SecureVersion, type TLSSocket } from 'node:tls'
import { createApplication } from '@campus/test/support/application'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { clientOf } from '@campus/test/support/client'
import * as openid from 'openid-client'
// @ts-expect-error It comes without types.
import { ClientCredentials } from 'simple-oauth2'
import { fetch } from 'undici'
import { linksOf } from './links.ts'

const USERS = 130
const LOCATIONS = 640

let world: World
let port: number
let application: { readonly uid: string; readonly secret: string }

before(async () => {
  world = await openCampus({ seeded: { users: USERS, locations: LOCATIONS } })
  port = Number(new URL(world.url).port)
  application = await world.database.transaction((tx) =>
    createApplication(tx, { name: 'Stock', scopes: ['public', 'projects'], rate_per_second: 1_000_000 }),
  )
})
after(() => world.close())

/** Reads the page of a URL. Returns its records and headers. */
type ReadPage = (url: string) => Promise<{ readonly records: { readonly id: number }[]; readonly headers: Headers }>

/** Follows rel="next" from the first page to the last. */
async function crawl(first: string, read: ReadPage) {
  const ids: number[] = []
  const totals = new Set<string | null>()
  let pages = 0
  for (let url: string | undefined = first; url !== undefined; ) {
    const { records, headers } = await read(url)
    ids.push(...records.map(({ id }) => id))
    totals.add(headers.get('x-total'))
    pages += 1
    url = linksOf({ headers }).next
  }
  return { ids, totals: [...totals], pages }
}

/** Asserts that a crawl returns each id once, and that records and pages match the X-Total of every page. */
async function assertWhole(path: string, size: number, read: ReadPage) {
  const table = path.slice('/v2/'.length).split('?', 1)[0]
  const stored = (await world.database.rows(`select id from ${table} order by id`)).map(([id]) => Number(id))
  const { ids, totals, pages } = await crawl(world.url + path, read)
  assert.deepEqual(
    ids.toSorted((a, b) => a - b),
    stored,
  )
  assert.deepEqual(totals, [String(stored.length)])
  assert.equal(pages, Math.ceil(stored.length / size))
}

describe('a world that is seeded', () => {
  it('has as many people and locations as a crawl needs to be worth it', async () => {
    const total = async (path: string) => Number((await world.visitor.get(path)).headers.get('x-total'))
    assert.equal(await total('/v2/users'), USERS)
    assert.equal(await total('/v2/locations'), LOCATIONS)
  })
})

const COLLECTIONS = [
  ['/v2/users', 30],
  ['/v2/users?page[size]=100', 100],
  ['/v2/users?sort=pool_year,-login&per_page=7', 7],
  ['/v2/locations', 30],
  ['/v2/locations?per_page=100', 100],
  ['/v2/locations?sort=host&page[number]=1&page[size]=50', 50],
] as const

describe('simple-oauth2, as it comes from the registry', () => {
  let https: HttpsAgent
  before(() => {
    https = new HttpsAgent({ ca: world.ca })
  })
  const newClient = (config: object = {}) =>
    new ClientCredentials({
      client: { id: application.uid, secret: application.secret },
      auth: { tokenHost: world.url },
      http: { agents: { https, http: new HttpAgent(), httpsAllowUnauthorized: https } },
      ...config,
    })

  for (const [what, options] of [
    ['with Basic credentials', { options: { authorizationMethod: 'header' } }],
    ['with credentials in a form', { options: { authorizationMethod: 'body' } }],
    ['with credentials in JSON', { options: { authorizationMethod: 'body', bodyFormat: 'json' } }],
  ] as const) {
    it(`gets a token ${what}`, async () => {
      const { token } = await newClient(options).getToken({ scope: ['public', 'projects'] })
      assert.equal(token.token_type, 'bearer')
      assert.equal(token.expires_in, 7200)
      assert.equal(token.scope, 'public projects')
      assert.equal((await clientOf(world, token.access_token).get('/v2/users')).status, 200)
    })
  }

  it('is told in its own words that a secret is wrong', async () => {
    const client = newClient({ client: { id: application.uid, secret: 'wrong' } })
    await assert.rejects(
      client.getToken({}),
      (error: { output: { statusCode: number }; data: { payload: unknown } }) => {
        assert.equal(error.output.statusCode, 401)
        assert.equal((error.data.payload as { error: string }).error, 'invalid_client')
        return true
      },
    )
  })

  it('revokes its token', async () => {
    const accessToken = await newClient().getToken({})
    const client = clientOf(world, accessToken.token.access_token)
    assert.equal((await client.get('/v2/users')).status, 200)
    await accessToken.revoke('access_token')
    assert.equal((await client.get('/v2/users')).status, 401)
  })

  for (const [path, size] of COLLECTIONS) {
    it(`walks the whole of ${path}`, async () => {
      const { token } = await newClient().getToken({})
      const headers = { authorization: `Bearer ${token.access_token}` }
      await assertWhole(path, size, async (url) => {
        const response = await fetch(url, { headers, dispatcher: world.agent })
        return { records: (await response.json()) as { id: number }[], headers: response.headers as unknown as Headers }
      })
    })
  }
})

describe('openid-client, as it comes from the registry', () => {
  const trusted = ((url: string, options: object) => fetch(url, { ...options, dispatcher: world.agent })) as never
  const discover = (authentication?: openid.ClientAuth) =>
    openid.discovery(new URL(world.url), application.uid, application.secret, authentication, {
      algorithm: 'oauth2',
      [openid.customFetch]: trusted,
    })

  it('finds the service by its metadata', async () => {
    const metadata = (await discover()).serverMetadata()
    assert.equal(metadata.issuer, world.url)
    assert.equal(metadata.token_endpoint, `${world.url}/oauth/token`)
    assert.equal(metadata.revocation_endpoint, `${world.url}/oauth/revoke`)
  })

  for (const [what, authentication] of [
    ['with Basic credentials', () => openid.ClientSecretBasic(application.secret)],
    ['with credentials in a form', () => openid.ClientSecretPost(application.secret)],
  ] as const) {
    it(`gets a token ${what}, and revokes it`, async () => {
      const config = await discover(authentication())
      const token = await openid.clientCredentialsGrant(config, { scope: 'public projects' })
      assert.deepEqual([token.token_type, token.expires_in, token.scope], ['bearer', 7200, 'public projects'])
      const read = () =>
        openid.fetchProtectedResource(config, token.access_token, new URL(`${world.url}/v2/users`), 'GET')
      assert.equal((await read()).status, 200)
      await openid.tokenRevocation(config, token.access_token)
      await assert.rejects(read(), (error: openid.WWWAuthenticateChallengeError) => {
        assert.equal(error.status, 401)
        assert.equal(error.cause[0]?.parameters.error_description, 'The access token was revoked')
        return true
      })
    })
  }

  it('is told in its own words that a secret is wrong', async () => {
    const config = await discover(openid.ClientSecretPost('wrong'))
    await assert.rejects(openid.clientCredentialsGrant(config), (error: openid.WWWAuthenticateChallengeError) => {
      assert.deepEqual([error.status, error.cause[0]?.parameters.error], [401, 'invalid_client'])
      return true
    })
  })

  for (const [path, size] of COLLECTIONS) {
    it(`walks the whole of ${path}`, async () => {
      const config = await discover()
      const { access_token: token } = await openid.clientCredentialsGrant(config)
      await assertWhole(path, size, async (url) => {
        const response = await openid.fetchProtectedResource(config, token, new URL(url), 'GET')
        return { records: (await response.json()) as { id: number }[], headers: response.headers }
      })
    })
  }
})

describe('HTTP/2', () => {
  let session: ClientHttp2Session
  before(async () => {
    session = connectHttp2(world.url, { ca: world.ca })
    await once(session, 'connect')
  })
  after(() => session.close())

  type Answer = { readonly headers: IncomingHttpHeaders & { ':status'?: number }; readonly text: string }

  async function send(headers: object, body?: string): Promise<Answer> {
    const stream = session.request({ authorization: `Bearer ${world.director.token}`, ...headers })
    stream.end(body)
    const answered = once(stream, 'response')
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    return { headers: (await answered)[0], text }
  }

  it('is agreed on by ALPN', () => assert.equal(session.alpnProtocol, 'h2'))

  it('answers what HTTP/1.1 answers', async () => {
    for (const path of ['/v2/users', '/v2/users?page=2', '/v2/users/graph', '/v2/nothing', '/v2/users?page=0']) {
      const { headers, text } = await send({ ':path': path })
      const plain = await world.director.get(path)
      assert.deepEqual([headers[':status'], text], [plain.status, plain.text])
      for (const name of ['x-total', 'link', 'etag', 'content-type', 'strict-transport-security', 'x-application-id']) {
        assert.equal(headers[name] ?? null, plain.headers.get(name), name)
      }
      assert.ok(!('connection' in headers) && !('keep-alive' in headers))
    }
  })

  it('creates, changes and removes', async () => {
    const json = { 'content-type': 'application/json' }
    const language = (name: string) => JSON.stringify({ language: { name, identifier: 'h2' } })
    const created = await send({ ':method': 'POST', ':path': '/v2/languages', ...json }, language('Irish'))
    assert.equal(created.headers[':status'], 201)
    const path = `/v2/languages/${JSON.parse(created.text).id}`
    const updated = await send({ ':method': 'PATCH', ':path': path, ...json }, language('Gaeilge'))
    assert.deepEqual([updated.headers[':status'], updated.text], [204, ''])
    assert.equal(JSON.parse((await send({ ':path': path })).text).name, 'Gaeilge')
    const removed = await send({ ':method': 'DELETE', ':path': path })
    assert.deepEqual([removed.headers[':status'], removed.text], [204, ''])
    assert.equal((await send({ ':path': path })).headers[':status'], 404)
  })

  it('carries a hundred requests at once on one connection', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => send({ ':path': `/v2/users?per_page=1&page=${index + 1}` })),
    )
    const logins = answers.map(({ text }) => JSON.parse(text)[0].login)
    assert.equal(new Set(logins).size, 100)
  })
})

describe('HTTP/1.1', () => {
  it('is agreed on by ALPN, and used without any agreement', async () => {
    for (const ALPNProtocols of [['http/1.1'], undefined]) {
      const socket = await connected({ ALPNProtocols })
      assert.equal(socket.alpnProtocol, ALPNProtocols ? 'http/1.1' : false)
      const lines = ['GET /v2/users HTTP/1.1', 'Host: localhost', 'Connection: close']
      socket.write(`${[...lines, `Authorization: Bearer ${world.visitor.token}`].join('\r\n')}\r\n\r\n`)
      let text = ''
      for await (const chunk of socket.setEncoding('utf8')) text += chunk
      assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
      assert.match(text, /\r\nx-total: 130\r\n/i)
    }
  })

  it('answers a client that says, with its request, that it has nothing more to send', async () => {
    const socket = await connected({ ALPNProtocols: ['http/1.1'] })
    const lines = ['GET /v2/locations HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${world.visitor.token}`]
    socket.end(`${lines.join('\r\n')}\r\n\r\n`)
    let text = ''
    for await (const chunk of socket.setEncoding('utf8')) text += chunk
    assert.match(text, /^HTTP\/1\.1 200 /)
  })

  it('yields to HTTP/2 where a client offers both', async () => {
    const socket = await connected({ ALPNProtocols: ['http/1.1', 'h2'] })
    assert.equal(socket.alpnProtocol, 'h2')
    socket.destroy()
  })
})

/** Opens a TLS connection that trusts the certificate of the test service. Rejects if the handshake fails. */
async function connected(options: object): Promise<TLSSocket> {
  const socket = connectTls({ port, host: 'localhost', servername: 'localhost', ca: world.ca, ...options })
  await once(socket, 'secureConnect')
  return socket
}

describe('TLS', () => {
  const only = (version: SecureVersion) => ({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' })

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`is spoken in version ${version.slice('TLSv'.length)}`, async () => {
      const socket = await connected(only(version))
      assert.deepEqual([socket.getProtocol(), socket.authorized], [version, true])
      socket.destroy()
    })
  }

  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    it(`is refused in version ${version.slice('TLSv'.length)}`, async () => {
      await assert.rejects(connected(only(version)), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
    })
  }

  for (const host of ['localhost', '127.0.0.1']) {
    it(`has a certificate that names ${host}`, async () => {
      const socket = await connected({ servername: host === 'localhost' ? host : '', host })
      assert.equal(socket.authorized, true)
      socket.destroy()
    })
  }
})

describe('a plain-HTTP request', () => {
  for (const request of [
    'GET /v2/users HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET / HTTP/1.0\r\n\r\n',
    'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'hello\r\n',
  ]) {
    it(`beginning with ${JSON.stringify(request.slice(0, 12))} is dropped without an answer`, async () => {
      const socket = connectTcp({ port, host: 'localhost' })
      await once(socket, 'connect')
      const received: Buffer[] = []
      socket.on('data', (chunk) => received.push(chunk))
      socket.on('error', () => {})
      socket.write(request)
      await once(socket, 'close')
      assert.equal(Buffer.concat(received).toString('latin1'), '')
    })
  }

  it('leaves the service as it was', async () => assert.equal((await world.visitor.get('/v2/users')).status, 200))
})
