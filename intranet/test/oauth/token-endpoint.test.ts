import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { acceptBodies } from '@campus/engine/http/bodies'
import { describeEveryResponse } from '@campus/engine/http/context'
import { answerErrors } from '@campus/engine/http/errors'
import { parseParams } from '@campus/engine/http/params'
import { MemoryRates } from '@campus/engine/http/rates/memory-rates'
import { Staging } from '@campus/engine/http/staging'
import { testDatabase } from '@campus/test/support/database'
import Fastify, { LogController } from 'fastify'
import { sql } from 'kysely'
import { digestOf } from '../../oauth/digests.ts'
import { OpenId } from '../../oauth/openid/openid.ts'
import { mountOauth, OAUTH_ROUTES } from '../../oauth/routes.ts'
import { TokenLimits } from '../../oauth/token-limits.ts'
import { TokenMetrics } from '../../oauth/token-metrics.ts'
import { callerFinder, issueToken } from '../../oauth/tokens.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

/** A server with the OAuth endpoints and nothing else, applications with known secrets, a clock that stands until moved, its log. */
async function openWorld() {
  const database = await testDatabase()
  const { kysely } = database
  let time = new Date('2026-03-02T10:00:00.250Z')
  const clock = { now: () => time }
  const log: string[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      log.push(String(line))
      done()
    },
  })

  const app = Fastify({
    logger: { level: 'trace', stream },
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { querystringParser: (text) => ({ text }) },
  })
  describeEveryResponse(app)
  app.addHook('onRequest', async (request) => {
    request.query = parseParams((request.query as { text: string }).text)
  })
  answerErrors(app)
  await acceptBodies(app, new Staging('incoming'))
  const config = { baseUrl: 'https://api.campus.example', isRegistrationOpen: false }
  const findCaller = callerFinder({ database, clock })
  mountOauth(app, {
    config,
    documentation: undefined,
    database,
    clock,
    findCaller,
    limits: new TokenLimits(new MemoryRates(), undefined),
    metrics: new TokenMetrics(),
    openid: new OpenId({
      baseUrl: config.baseUrl,
      picturesUrl: config.baseUrl,
      sealer: new Sealer(randomBytes(32)),
    }),
  })
  await app.ready()

  async function application(values: { scopes?: string[]; confidential?: boolean } = {}) {
    const [uid, secret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    const row = { name: `App ${uid.slice(0, 6)}`, uid, secret_digest: digestOf(secret), ...values }
    const { id } = await kysely.insertInto('applications').values(row).returning('id').executeTakeFirstOrThrow()
    return { id, uid, secret, name: row.name }
  }

  return {
    app,
    database,
    clock,
    log,
    application,
    passSeconds(seconds: number) {
      time = new Date(time.getTime() + seconds * 1000)
    },
    async close() {
      await app.close()
      await database.close()
    },
  }
}

type Application = { id: number; uid: string; secret: string; name: string }
type Fields = Record<string, unknown>
type Call = { body?: Fields; query?: Fields; headers?: Record<string, string>; path?: string }

const INVALID_CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'
const INVALID_CLIENT_CHALLENGE = `Bearer realm="Campus Intranet API", error="invalid_client", error_description="${INVALID_CLIENT}"`

let world: Awaited<ReturnType<typeof openWorld>>
before(async () => {
  world = await openWorld()
})
after(() => world.close())

const credentials = ({ uid, secret }: Application) => ({ client_id: uid, client_secret: secret })
const clientCredentials = (application: Application) => ({
  grant_type: 'client_credentials',
  ...credentials(application),
})
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const encode = (fields: Fields) => new URLSearchParams(fields as Record<string, string>).toString()

/** Posts fields as a form. */
async function post({ body, query, headers = {}, path = '/oauth/token' }: Call) {
  const response = await world.app.inject({
    method: 'POST',
    url: query ? `${path}?${encode(query)}` : path,
    headers: { ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}), ...headers },
    ...(body ? { payload: encode(body) } : {}),
  })
  return { status: response.statusCode, headers: response.headers, json: response.json() }
}

async function postRaw(contentType: string, payload: string, path = '/oauth/token') {
  const response = await world.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': contentType },
    payload,
  })
  return { status: response.statusCode, headers: response.headers, json: response.json() }
}

async function tokenOf(application: Application, fields: Fields = {}): Promise<string> {
  const { status, json } = await post({ body: { ...clientCredentials(application), ...fields } })
  assert.equal(status, 200, JSON.stringify(json))
  return json.access_token
}

async function info(headers: Record<string, string>, url = '/oauth/token/info') {
  const response = await world.app.inject({ method: 'GET', url, headers })
  return { status: response.statusCode, headers: response.headers, json: response.json() }
}

const revoke = (application: Application, token: string) =>
  post({ path: '/oauth/revoke', body: { token, ...credentials(application) } })

const countTokens = async () => {
  const { kysely } = world.database
  const { count } = await kysely
    .selectFrom('access_tokens')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Every row of every table, as text. */
async function everythingStored(): Promise<string> {
  const { kysely } = world.database
  const tables = await kysely.introspection.getTables()
  const rows = await Promise.all(
    tables.map(({ name }) => sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(kysely)),
  )
  return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n')
}

describe('a token', () => {
  test('is answered with exactly the members that clients read', async () => {
    const { status, headers, json } = await post({ body: clientCredentials(await world.application()) })
    assert.equal(status, 200)
    assert.match(json.access_token, /^[0-9a-f]{64}$/)
    assert.deepEqual(json, {
      access_token: json.access_token,
      token_type: 'bearer',
      expires_in: 7200,
      scope: 'public',
      created_at: Math.floor(world.clock.now().getTime() / 1000),
      secret_valid_until: 253402300799,
    })
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers.pragma, 'no-cache')
    assert.match(String(headers['content-type']), /^application\/json/)
  })

  test('names the application in the headers', async () => {
    const application = await world.application()
    const { headers } = await post({ body: clientCredentials(application) })
    assert.equal(headers['x-application-id'], String(application.id))
    assert.equal(headers['x-application-name'], application.name)
    assert.equal(headers['x-application-roles'], 'None')
  })

  test('is given under /v2/oauth too', async () => {
    const { status } = await post({ path: '/v2/oauth/token', body: clientCredentials(await world.application()) })
    assert.equal(status, 200)
  })

  test('tells when the secret ends, if the previous one was used within its grace period', async () => {
    const { id, uid, secret } = await world.application()
    const graceEnd = new Date(world.clock.now().getTime() + 3_600_000)
    const newSecret = randomBytes(32).toString('hex')
    await world.database.kysely
      .updateTable('applications')
      .set({
        secret_digest: digestOf(newSecret),
        previous_secret_digest: digestOf(secret),
        previous_secret_valid_until: graceEnd,
      })
      .where('id', '=', id)
      .execute()
    const answerTo = (client_secret: string) =>
      post({ body: { grant_type: 'client_credentials', client_id: uid, client_secret } })
    assert.equal((await answerTo(newSecret)).json.secret_valid_until, 253402300799)
    assert.equal((await answerTo(secret)).json.secret_valid_until, Math.floor(graceEnd.getTime() / 1000))
    world.passSeconds(3600)
    assert.equal((await answerTo(newSecret)).status, 200)
    assert.equal((await answerTo(secret)).json.error, 'invalid_client')
  })

  test('leaves neither itself nor the secret in any table or log line', async () => {
    const application = await world.application()
    const token = await tokenOf(application)
    await post({ body: { ...clientCredentials(application), scope: 'nonsense' } })
    await post({ query: { ...clientCredentials(application), client_id: 'nobody' } })
    await info({ authorization: `Bearer ${token}` })
    await revoke(application, token)
    const stored = await everythingStored()
    assert.ok(stored.includes(application.uid))
    assert.ok(stored.includes(digestOf(token).toString('hex')))
    for (const text of [token, application.secret]) {
      assert.ok(!stored.includes(text))
      assert.ok(!stored.includes(Buffer.from(text).toString('hex')))
      assert.ok(!world.log.join('').includes(text))
    }
  })
})

describe('credentials may come', () => {
  test('in a form', async () => {
    assert.equal((await post({ body: clientCredentials(await world.application()) })).status, 200)
  })

  test('in JSON', async () => {
    const fields = clientCredentials(await world.application())
    assert.equal((await postRaw('application/json', JSON.stringify(fields))).status, 200)
  })

  test('in multipart', async () => {
    const parts = Object.entries(clientCredentials(await world.application())).map(
      ([name, value]) => `--limit\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const { status } = await postRaw('multipart/form-data; boundary=limit', `${parts.join('')}--limit--\r\n`)
    assert.equal(status, 200)
  })

  test('in the query string with an empty body', async () => {
    assert.equal((await post({ query: clientCredentials(await world.application()) })).status, 200)
  })

  test('in HTTP Basic, the scheme in any case', async () => {
    const { uid, secret } = await world.application()
    const { authorization } = basic(uid, secret)
    for (const header of [authorization, authorization.replace('Basic', 'bAsIc')]) {
      const call = { body: { grant_type: 'client_credentials' }, headers: { authorization: header } }
      assert.equal((await post(call)).status, 200)
    }
  })

  test('in HTTP Basic with percent-encoding', async () => {
    const { uid, secret } = await world.application()
    const percent = (text: string) => text.replace(/./g, (digit) => `%${digit.charCodeAt(0).toString(16)}`)
    const headers = basic(percent(uid), percent(secret))
    assert.equal((await post({ body: { grant_type: 'client_credentials' }, headers })).status, 200)
  })

  test('in HTTP Basic with an empty secret, from an application without a secret', async () => {
    const application = await world.application({ confidential: false })
    const fields = { grant_type: 'client_credentials' }
    const answers = [
      await post({ body: fields, headers: basic(application.uid, '') }),
      await post({ body: { ...fields, client_id: application.uid }, headers: basic(application.uid, '') }),
      await post({ body: { ...fields, client_id: application.uid } }),
    ]
    for (const { json } of answers) assert.equal(json.error, 'unauthorized_client')
    const headers = basic((await world.application()).uid, '')
    assert.equal((await post({ body: fields, headers })).json.error, 'invalid_client')
    const revoked = { path: '/oauth/revoke', body: { token: 'unknown' }, headers: basic(application.uid, '') }
    assert.equal((await post(revoked)).status, 200)
  })

  test('in HTTP Basic and again, the same, in the body', async () => {
    const application = await world.application()
    const headers = basic(application.uid, application.secret)
    assert.equal((await post({ body: clientCredentials(application), headers })).status, 200)
  })

  test('partly in the body and partly in the query string', async () => {
    const application = await world.application()
    const call = { body: { grant_type: 'client_credentials' }, query: credentials(application) }
    assert.equal((await post(call)).status, 200)
  })

  test('beside others in the query string, where the body counts', async () => {
    const query = { client_id: 'nobody', client_secret: 'nothing', grant_type: 'password' }
    assert.equal((await post({ body: clientCredentials(await world.application()), query })).status, 200)
  })

  test('beside a stray bearer token', async () => {
    const headers = { authorization: 'Bearer token_dummy' }
    const fields = clientCredentials(await world.application())
    assert.equal((await post({ body: fields, headers })).status, 200)
    assert.equal((await post({ query: fields, headers })).status, 200)
  })
})

describe('the scope', () => {
  test('limits the token to what was asked for, in that order and once', async () => {
    const application = await world.application({ scopes: ['public', 'projects', 'tig'] })
    for (const [asked, granted] of [
      ['projects public', 'projects public'],
      ['tig', 'tig'],
      ['public public', 'public'],
      [' public  tig ', 'public tig'],
    ]) {
      const { json } = await post({ body: { ...clientCredentials(application), scope: asked } })
      assert.equal(json.scope, granted)
      const { json: record } = await info({ authorization: `Bearer ${json.access_token}` })
      assert.deepEqual(record.scopes, granted?.split(' '))
    }
  })

  test('is public when left out or blank, whatever else the application has', async () => {
    const application = await world.application({ scopes: ['projects', 'public'] })
    for (const fields of [{}, { scope: '' }, { scope: '  ' }]) {
      const { json } = await post({ body: { ...clientCredentials(application), ...fields } })
      assert.equal(json.scope, 'public')
    }
  })

  test('is not read from a parameter called scopes', async () => {
    const application = await world.application({ scopes: ['public', 'projects'] })
    const { json } = await post({ body: { ...clientCredentials(application), scopes: 'public,projects' } })
    assert.equal(json.scope, 'public')
  })

  test('is invalid when unknown, not granted to the application, or malformed', async () => {
    const application = await world.application({ scopes: ['public', 'projects'] })
    const before = await countTokens()
    for (const scope of ['tig', 'public tig', 'nonsense', 'public,projects', 'PUBLIC', 'constructor', '"', 'é', '\0']) {
      const { status, headers, json } = await post({ body: { ...clientCredentials(application), scope } })
      assert.equal(status, 400, scope)
      assert.equal(json.error, 'invalid_scope')
      assert.match(
        json.error_description,
        /^The requested scope is invalid, unknown, or malformed\. .*public, projects\.$/,
      )
      assert.match(json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['x-application-id'], String(application.id))
    }
    assert.equal(await countTokens(), before)
  })
})

describe('a client that does not prove itself', () => {
  const isInvalidClient = ({ status, headers, json }: Awaited<ReturnType<typeof post>>, challenge: string) => {
    assert.equal(status, 401)
    assert.deepEqual(json, { error: 'invalid_client', error_description: INVALID_CLIENT })
    assert.equal(headers['www-authenticate'], challenge)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers.pragma, 'no-cache')
    assert.equal(headers['x-application-id'], 'None')
  }

  test('is refused in the same words whether unknown, wrong or silent, and gets no token', async () => {
    const { uid, secret } = await world.application()
    const before = await countTokens()
    for (const fields of [
      { client_id: uid, client_secret: 'wrong' },
      { client_id: uid, client_secret: secret.toUpperCase() },
      { client_id: uid, client_secret: '' },
      { client_id: uid, client_secret: digestOf(secret).toString('hex') },
      { client_id: 'nobody', client_secret: secret },
      { client_id: '\0', client_secret: '\0' },
      { client_id: 'é'.repeat(5000), client_secret: 'é' },
      { client_id: uid },
      { client_secret: secret },
      {},
    ]) {
      isInvalidClient(await post({ body: { grant_type: 'client_credentials', ...fields } }), INVALID_CLIENT_CHALLENGE)
    }
    assert.equal(await countTokens(), before)
  })

  test('is offered Basic too when it tried Basic', async () => {
    const { uid, secret } = await world.application()
    const challenge = `${INVALID_CLIENT_CHALLENGE}, Basic realm="Campus Intranet API"`
    for (const headers of [
      basic(uid, 'wrong'),
      basic('nobody', secret),
      basic('%', secret),
      basic('', ''),
      { authorization: 'Basic' },
      { authorization: 'Basic ????' },
      { authorization: `Basic ${Buffer.from(uid).toString('base64')}` },
    ]) {
      isInvalidClient(await post({ body: { grant_type: 'client_credentials' }, headers }), challenge)
    }
  })

  test('is refused when a previous secret is set without an end', async () => {
    const { id, uid, secret } = await world.application()
    const change = { secret_digest: digestOf('another'), previous_secret_digest: digestOf(secret) }
    await world.database.kysely.updateTable('applications').set(change).where('id', '=', id).execute()
    const fields = { grant_type: 'client_credentials', client_id: uid, client_secret: secret }
    isInvalidClient(await post({ body: fields }), INVALID_CLIENT_CHALLENGE)
  })
})

describe('a token request that cannot be understood', () => {
  async function isInvalidRequest(
    response: Promise<{ status: number; json: Record<string, unknown>; headers: Record<string, unknown> }>,
    description: string | RegExp,
  ) {
    const { status, json, headers } = await response
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(json), ['error', 'error_description'])
    assert.equal(json.error, 'invalid_request')
    if (typeof description === 'string') assert.equal(json.error_description, description)
    else assert.match(String(json.error_description), description)
    assert.equal(headers['cache-control'], 'no-store')
  }

  test('is refused without a grant type', async () => {
    const application = await world.application()
    const description = 'Missing required parameter: grant_type.'
    await isInvalidRequest(post({ body: credentials(application) }), description)
    await isInvalidRequest(post({ body: { ...credentials(application), grant_type: '' } }), description)
    await isInvalidRequest(post({}), description)
    await isInvalidRequest(postRaw('application/json', 'null'), description)
  })

  test('is refused when a parameter is not a single string', async () => {
    const fields = clientCredentials(await world.application())
    const description = 'The parameter client_id must be a single string.'
    for (const client_id of [5, true, ['a'], { a: 'b' }]) {
      await isInvalidRequest(postRaw('application/json', JSON.stringify({ ...fields, client_id })), description)
    }
    for (const name of ['client_id[]', 'client_id[a]']) {
      const { client_id, ...others } = fields
      await isInvalidRequest(post({ body: { ...others, [name]: client_id } }), description)
      await isInvalidRequest(post({ query: { ...others, [name]: client_id } }), description)
    }
    await isInvalidRequest(
      postRaw('application/json', JSON.stringify({ ...fields, scope: ['public'] })),
      'The parameter scope must be a single string.',
    )
  })

  test('is refused when a parameter is repeated', async () => {
    const fields = encode(clientCredentials(await world.application()))
    const form = 'application/x-www-form-urlencoded'
    const description = 'No parameter may be sent more than once.'
    await isInvalidRequest(postRaw(form, `${fields}&grant_type=client_credentials`), description)
    await isInvalidRequest(postRaw(form, `${fields}&client%5Fid=x`), description)
    await isInvalidRequest(postRaw(form, '', `/oauth/token?${fields}&scope=public&scope=public`), description)
  })

  test('is refused when the header and the body name different clients', async () => {
    const [one, other] = [await world.application(), await world.application()]
    const description = 'The Authorization header and the parameters name different client credentials.'
    const headers = basic(one.uid, one.secret)
    await isInvalidRequest(post({ body: clientCredentials(other), headers }), description)
    const body = { grant_type: 'client_credentials', client_secret: other.secret }
    await isInvalidRequest(post({ body, headers }), description)
  })

  test('is refused when its body is broken or of an unknown kind', async () => {
    await isInvalidRequest(postRaw('application/json', '{"grant_type":'), /JSON/)
    await isInvalidRequest(postRaw('application/json', '["client_credentials"]'), /object/)
    await isInvalidRequest(postRaw('application/x-www-form-urlencoded', 'grant_type=%'), /percent-encoding/)
    await isInvalidRequest(postRaw('text/plain', 'grant_type=client_credentials'), /Media Type|content type/i)
    await isInvalidRequest(postRaw('multipart/form-data; boundary=limit', '--limit\r\nbroken'), /multipart/)
    await isInvalidRequest(post({ path: '/oauth/token?a=%', body: {} }), /percent-encoding/)
  })

  test('is refused when its body is too large', async () => {
    const { status, json } = await postRaw('application/x-www-form-urlencoded', `a=${'x'.repeat(2_000_000)}`)
    assert.equal(status, 413)
    assert.equal(json.error, 'invalid_request')
  })

  test('never makes the server fail', async () => {
    const { uid, secret } = await world.application()
    for (const value of ['\0', '\ud800', '__proto__', '9'.repeat(40), ','.repeat(10_000), '%00', "';--"]) {
      for (const name of ['grant_type', 'client_id', 'client_secret', 'scope', 'token', '__proto__', 'constructor']) {
        const fields = { grant_type: 'client_credentials', client_id: uid, client_secret: secret, [name]: value }
        for (const path of ['/oauth/token', '/oauth/revoke']) {
          assert.ok((await post({ path, body: fields })).status < 500, `${path} ${name}`)
          assert.ok((await postRaw('application/json', JSON.stringify(fields), path)).status < 500, `${path} ${name}`)
        }
      }
    }
  })
})

describe('a grant type that nobody offers', () => {
  test('is not supported', async () => {
    const application = await world.application()
    const before = await countTokens()
    for (const grant_type of ['password', 'implicit', 'toString', 'é']) {
      const { status, json } = await post({
        body: {
          ...credentials(application),
          grant_type,
          username: 'ada',
          password: 'x',
          code: 'x',
          refresh_token: 'x',
        },
      })
      assert.equal(status, 400)
      assert.deepEqual(json, {
        error: 'unsupported_grant_type',
        error_description: 'The authorization grant type is not supported by the authorization server.',
      })
    }
    assert.equal(await countTokens(), before)
  })
})

describe('token info', () => {
  test('tells exactly what the token stands for', async () => {
    const application = await world.application({ scopes: ['public', 'projects'] })
    const created_at = Math.floor(world.clock.now().getTime() / 1000)
    const token = await tokenOf(application, { scope: 'public projects' })
    world.passSeconds(200)
    const { status, headers, json } = await info({ authorization: `Bearer ${token}` })
    assert.equal(status, 200)
    assert.deepEqual(json, {
      resource_owner_id: null,
      scopes: ['public', 'projects'],
      expires_in_seconds: 7000,
      application: { uid: application.uid },
      created_at,
    })
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-application-id'], String(application.id))
  })

  test('names the resource owner of a token that has one', async () => {
    const person = { login: 'ada', email: 'ada@campus.example', first_name: 'Ada', last_name: 'Byron' }
    const { database, clock } = world
    const { id } = await database.kysely.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow()
    const application = await world.application()
    const grant = { applicationId: application.id, resourceOwnerId: id, scopes: ['public'] }
    const { token } = await issueToken(database, clock, grant)
    assert.equal((await info({ authorization: `Bearer ${token}` })).json.resource_owner_id, id)
  })

  test('takes the token in any case of Bearer, as a parameter, and under /v2', async () => {
    const token = await tokenOf(await world.application())
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      assert.equal((await info({ authorization: `${scheme} ${token}` })).status, 200)
    }
    assert.equal((await info({}, `/oauth/token/info?access_token=${token}`)).status, 200)
    assert.equal((await info({ authorization: `Bearer ${token}` }, '/v2/oauth/token/info')).status, 200)
  })

  test('challenges without an error when there is no token', async () => {
    const { status, headers, json } = await info({})
    assert.equal(status, 401)
    assert.equal(headers['www-authenticate'], 'Bearer realm="Campus Intranet API"')
    assert.equal(json.error, 'Unauthorized')
    assert.equal(typeof json.message, 'string')
    assert.equal(headers['x-application-id'], 'None')
  })

  test('says of a bad token whether it is invalid, revoked or expired', async () => {
    const application = await world.application()
    const [revoked, expired] = [await tokenOf(application), await tokenOf(application)]
    await revoke(application, revoked)
    world.passSeconds(7200)
    for (const [token, description] of [
      ['0'.repeat(64), 'The access token is invalid'],
      [revoked, 'The access token was revoked'],
      [expired, 'The access token expired'],
    ]) {
      const { status, headers, json } = await info({ authorization: `Bearer ${token}` })
      assert.equal(status, 401)
      assert.equal(
        headers['www-authenticate'],
        `Bearer realm="Campus Intranet API", error="invalid_token", error_description="${description}"`,
      )
      assert.deepEqual(json, { error: 'Unauthorized', message: description })
    }
  })
})

describe('revoking', () => {
  test('ends a token at once, and again changes nothing', async () => {
    const application = await world.application()
    const token = await tokenOf(application)
    assert.equal((await info({ authorization: `Bearer ${token}` })).status, 200)
    for (const _time of ['first', 'second']) {
      const { status, headers, json } = await revoke(application, token)
      assert.equal(status, 200)
      assert.deepEqual(json, {})
      assert.equal(headers['x-application-id'], String(application.id))
      assert.equal((await info({ authorization: `Bearer ${token}` })).status, 401)
    }
  })

  test('ends that token only', async () => {
    const application = await world.application()
    const [ended, retained] = [await tokenOf(application), await tokenOf(application)]
    await revoke(application, ended)
    assert.equal((await info({ authorization: `Bearer ${retained}` })).status, 200)
  })

  test('takes every form of request, and ignores a hint', async () => {
    const application = await world.application()
    const path = '/v2/oauth/revoke'
    const calls = [
      (token: string) => post({ path, query: { token, ...credentials(application) } }),
      (token: string) => post({ path, body: { token }, headers: basic(application.uid, application.secret) }),
      (token: string) => post({ path, body: { token, token_type_hint: 'refresh_token', ...credentials(application) } }),
      (token: string) =>
        postRaw('application/json', JSON.stringify({ token, ...credentials(application) }), '/oauth/revoke'),
    ]
    for (const call of calls) {
      const token = await tokenOf(application)
      assert.equal((await call(token)).status, 200)
      assert.equal((await info({ authorization: `Bearer ${token}` })).status, 401)
    }
  })

  test('an unknown token is as good as done', async () => {
    const { status, json } = await revoke(await world.application(), 'nobody issued this')
    assert.equal(status, 200)
    assert.deepEqual(json, {})
  })

  test("another client's token is refused and leaves it alive", async () => {
    const [holder, other] = [await world.application(), await world.application()]
    const token = await tokenOf(holder)
    const { status, json } = await revoke(other, token)
    assert.equal(status, 403)
    assert.deepEqual(json, {
      error: 'unauthorized_client',
      error_description: 'You are not authorized to revoke this token',
    })
    assert.equal((await info({ authorization: `Bearer ${token}` })).status, 200)
  })

  test('without a token is a bad request', async () => {
    const { status, json } = await post({ path: '/oauth/revoke', body: credentials(await world.application()) })
    assert.equal(status, 400)
    assert.deepEqual(json, { error: 'invalid_request', error_description: 'Missing required parameter: token.' })
  })

  test('without good credentials is refused and leaves the token alive', async () => {
    const application = await world.application()
    const token = await tokenOf(application)
    for (const fields of [{}, { client_id: application.uid, client_secret: 'wrong' }, { client_id: application.uid }]) {
      const { status, headers, json } = await post({ path: '/oauth/revoke', body: { token, ...fields } })
      assert.equal(status, 401)
      assert.equal(json.error, 'invalid_client')
      assert.equal(headers['www-authenticate'], INVALID_CLIENT_CHALLENGE)
    }
    assert.equal((await info({ authorization: `Bearer ${token}` })).status, 200)
  })
})

describe('the metadata', () => {
  test('says where the endpoints are and what they take', async () => {
    const response = await world.app.inject('/.well-known/oauth-authorization-server')
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), {
      issuer: 'https://api.campus.example',
      authorization_endpoint: 'https://api.campus.example/oauth/authorize',
      token_endpoint: 'https://api.campus.example/oauth/token',
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint: 'https://api.campus.example/oauth/revoke',
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: false,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      scopes_supported: [
        'public',
        'projects',
        'profile',
        'elearning',
        'tig',
        'forum',
        'openid',
        'email',
        'groups',
        'act',
      ],
      client_id_metadata_document_supported: true,
    })
  })
})

describe('the list of routes', () => {
  test('names every route that is mounted', () => {
    for (const { method, path } of OAUTH_ROUTES) {
      assert.ok(world.app.hasRoute({ method: method as 'GET' | 'POST', url: path }), `${method} ${path}`)
    }
    assert.equal(OAUTH_ROUTES.length, 16)
  })
})

describe('a database that fails', () => {
  test('is not blamed on the client, and nothing of it is told', async () => {
    const fields = clientCredentials(await world.application())
    await sql`alter table access_tokens rename to elsewhere`.execute(world.database.kysely)
    try {
      const { status, json } = await post({ body: fields })
      assert.equal(status, 500)
      assert.deepEqual(Object.keys(json), ['error', 'message'])
      assert.doesNotMatch(JSON.stringify(json), /access_tokens/)
    } finally {
      await sql`alter table elsewhere rename to access_tokens`.execute(world.database.kysely)
    }
    assert.doesNotMatch(world.log.join(''), new RegExp(fields.client_secret))
  })

  test('is told to be away when it is', async () => {
    const { kysely } = world.database
    await sql`create function shut_down() returns trigger language plpgsql as $$
      begin raise exception 'terminating connection' using errcode = '57P01'; end $$`.execute(kysely)
    await sql`create trigger away before insert on access_tokens execute function shut_down()`.execute(kysely)
    try {
      const { status, headers } = await post({ body: clientCredentials(await world.application()) })
      assert.equal(status, 503)
      assert.equal(headers['retry-after'], '1')
    } finally {
      await sql`drop trigger away on access_tokens`.execute(kysely)
    }
  })
})
