import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { RateLimits } from '@campus/engine/http/rate-limit'
import { MemoryRates } from '@campus/engine/http/rates/memory-rates'
import { createServer } from '@campus/engine/http/server'
import { Staging } from '@campus/engine/http/staging'
import { loadTls } from '@campus/engine/http/tls'
import { type Access, all } from '@campus/engine/rest/declare/access'
import { createEngine } from '@campus/engine/rest/engine'
import { ListStreams } from '@campus/engine/rest/export/list-streams'
import { routeTable } from '@campus/engine/rest/route-table'
import { mountRoutes } from '@campus/engine/rest/routes'
import { createApplication, deleteApplication } from '@campus/test/support/application'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { type Client, clientOf, type Response } from '@campus/test/support/client'
import type { FastifyInstance } from 'fastify'
import { callerFinder } from '../../oauth/tokens.ts'
import { COMMON_ACCESS, role, scope } from '../../school/resources/access.ts'
import { storageOfResources } from '../../school/resources/declared.ts'
import { languages } from '../../school/resources/languages.ts'

const REALM = 'Campus Intranet API'

let world: World

before(async () => {
  world = await openCampus()
  await world.build.user({ login: 'ada' })
  await world.build.cursus({ slug: 'c-piscine' })
})
after(() => world.close())

/** The body of a refusal: `error` and `message`, and for 422 `errors`; nothing else. */
function refusalOf({ status, json, text }: Pick<Response, 'status' | 'json' | 'text'>, expected: number) {
  assert.equal(status, expected, text)
  const keys = expected === 422 ? ['error', 'errors', 'message'] : ['error', 'message']
  assert.deepEqual(Object.keys(json).sort(), keys)
  assert.equal(typeof json.message, 'string')
  assert.notEqual(json.message, '')
  return json as { error: string; message: string; errors: Record<string, string[]> }
}

const challengeOf = ({ headers }: Response) => headers.get('www-authenticate')

describe('200 OK', () => {
  it('answers a list, a record, a graph and an update of which the record is wanted', async () => {
    for (const path of ['/v2/users', '/v2/users/ada', '/v2/users/graph', '/oauth/token/info']) {
      assert.equal((await world.visitor.get(path)).status, 200)
    }
    const prefer = { prefer: 'return=representation' }
    assert.equal((await world.director.patch('/v2/users/ada', { user: { wallet: 5 } }, prefer)).status, 200)
  })
})

describe('201 Created', () => {
  it('answers a creation with the full record', async () => {
    const { status, json } = await world.director.post('/v2/languages', {
      language: { name: 'Irish', identifier: 'ga' },
    })
    assert.equal(status, 201)
    assert.deepEqual(json, (await world.visitor.get(`/v2/languages/${json.id}`)).json)
  })
})

describe('204 No Content', () => {
  it('answers an update and a removal, with nothing in it', async () => {
    const { json } = await world.director.post('/v2/languages', { language: { name: 'Scots', identifier: 'sco' } })
    const path = `/v2/languages/${json.id}`
    for (const call of [
      () => world.director.patch(path, { language: { name: 'Lallans' } }),
      () => world.director.put(path, { language: { name: 'Scots' } }),
      () => world.director.delete(path),
    ]) {
      const { status, text, headers } = await call()
      assert.deepEqual([status, text, headers.get('content-type')], [204, '', null])
    }
  })
})

describe('400 Bad Request', () => {
  const refused = async (query: string, path = '/v2/users') =>
    refusalOf(await world.visitor.get(`${path}?${query}`), 400)

  it('names the fields that can be filtered on', async () => {
    assert.deepEqual(await refused('filter[shoe_size]=43', '/v2/languages'), {
      error: 'Filter Error',
      message:
        "Attributes shoe_size doesn't exists. You can only filter on: [id, name, identifier, created_at, updated_at]",
    })
  })

  it('names the filters that are more than a column too', async () => {
    const { error, message } = await refused('filter[end_at?]=1', '/v2/locations')
    assert.equal(error, 'Filter Error')
    assert.equal(
      message,
      "Attributes end_at? doesn't exists. You can only filter on: " +
        '[id, begin_at, end_at, primary, host, campus_id, user_id, active, inactive, future, end]. Did you mean "end_at"?',
    )
  })

  it('names the fields that can be ranged on', async () => {
    assert.deepEqual(await refused('range[shoe_size]=1,2', '/v2/languages'), {
      error: 'Range Error',
      message:
        "Attributes shoe_size doesn't exists. You can only range on: [id, name, identifier, created_at, updated_at]",
    })
  })

  it('names the field that cannot be sorted by, and those that can', async () => {
    const { error, message } = await refused('sort=-shoe_size', '/v2/languages')
    assert.equal(error, 'Sort Error')
    assert.equal(
      message,
      'The shoe_size field is not sortable. You can only sort on: [id, name, identifier, created_at, updated_at]',
    )
  })

  it('names the fields that can be searched', async () => {
    const { error, message } = await refused('search[wallet]=1')
    assert.equal(error, 'Search Error')
    assert.equal(
      message,
      "Attributes wallet doesn't exists. You can only search on: [login, name, first_name, last_name]",
    )
  })

  it('says what is wrong with a value', async () => {
    assert.deepEqual(await refused('filter[id]=many'), {
      error: 'Bad Request',
      message: 'filter[id] is not a whole number.',
    })
    assert.deepEqual(await refused('filter[end_at]=nil', '/v2/locations'), {
      error: 'Bad Request',
      message: 'filter[end_at] is not an ISO 8601 time such as 2017-11-25T13:43:10Z.',
    })
  })

  it('says what a page must be', async () => {
    assert.deepEqual(await refused('page=zero'), {
      error: 'Bad Request',
      message: 'page must be a whole number of at least 1.',
    })
  })

  it('says where the payload belongs', async () => {
    const { error, message } = refusalOf(await world.director.post('/v2/languages', { name: 'Irish' }), 400)
    assert.equal(error, 'Bad Request')
    assert.match(message, /"language"/)
  })
})

describe('400 Bad Request for a path', () => {
  for (const [what, path] of [
    ['bad percent-encoding', '/v2/users/%ZZ'],
    ['percent-encoding of half a letter', '/v2/users/%C3'],
    ['percent-encoding of a lone surrogate', '/v2/campus/%ED%A0%80/users'],
  ] as const) {
    it(`answers ${what}, in words`, async () => {
      assert.equal(refusalOf(await world.visitor.get(path), 400).error, 'Bad Request')
    })
  }
})

describe('401 Unauthorized', () => {
  const refused = (response: Response) => ({ ...refusalOf(response, 401), challenge: challengeOf(response) })
  const withProblem = (text: string) => ({
    error: 'Unauthorized',
    message: text,
    challenge: `Bearer realm="${REALM}", error="invalid_token", error_description="${text}"`,
  })

  it('challenges without an error where no token was sent', async () => {
    const { error, message, challenge } = refused(await world.anonymous.get('/v2/users'))
    assert.equal(error, 'Unauthorized')
    assert.match(message, /access token/)
    assert.equal(challenge, `Bearer realm="${REALM}"`)
  })

  it('says that an unknown token is invalid', async () => {
    const stranger = clientOf(world, 'f'.repeat(64))
    assert.deepEqual(refused(await stranger.get('/v2/users')), withProblem('The access token is invalid'))
  })

  it('says the same of a token that is no text for a database', async () => {
    for (const token of ['%00', '%EF%BF%BD', 'x'.repeat(8000), '%5B%5D']) {
      const response = await world.anonymous.get(`/v2/users?access_token=${token}`)
      assert.deepEqual(refused(response), withProblem('The access token is invalid'))
    }
  })

  it('says that a token expired, from the very second on', async () => {
    const caller = await world.caller({})
    world.clock.advance(7199)
    assert.equal((await caller.get('/v2/users')).status, 200)
    world.clock.advance(1)
    assert.deepEqual(refused(await caller.get('/v2/users')), withProblem('The access token expired'))
    assert.deepEqual(refused(await caller.get('/oauth/token/info')), withProblem('The access token expired'))
    world.clock.advance(-7200)
  })

  it('says that a token was revoked', async () => {
    const application = await world.database.transaction((tx) => createApplication(tx, { name: 'Revoker' }))
    const credentials = { client_id: application.uid, client_secret: application.secret }
    const granted = await world.anonymous.post('/oauth/token', { grant_type: 'client_credentials', ...credentials })
    const caller = clientOf(world, granted.json.access_token)
    assert.equal((await caller.get('/v2/users')).status, 200)
    const revoked = await world.anonymous.post('/oauth/revoke', { token: caller.token, ...credentials })
    assert.deepEqual([revoked.status, revoked.json], [200, {}])
    assert.deepEqual(refused(await caller.get('/v2/users')), withProblem('The access token was revoked'))
  })

  it('says that a token was revoked while the account of its owner is closed', async () => {
    const user = await world.build.user()
    const caller = await world.caller({ user })
    assert.equal((await caller.get('/v2/me')).status, 200)
    await world.database.rows('update users set closed_at = now() where id = $1', [user])
    assert.deepEqual(refused(await caller.get('/v2/me')), withProblem('The access token was revoked'))
    await world.database.rows('update users set closed_at = null where id = $1', [user])
    assert.equal((await caller.get('/v2/me')).status, 200)
  })

  it('says that the token of a removed application is invalid', async () => {
    const caller = await world.caller({})
    const { json } = await caller.get('/oauth/token/info')
    await deleteApplication(world.database, json.application.uid)
    assert.deepEqual(refused(await caller.get('/v2/users')), withProblem('The access token is invalid'))
  })

  it('comes before everything else that is wrong', async () => {
    for (const path of ['/v2/users?page=0', '/v2/endpoints', '/v2/users/2147483648', '/v2/campus/nowhere/users']) {
      assert.equal((await world.anonymous.get(path)).status, 401, path)
    }
    assert.equal((await world.anonymous.post('/v2/users', '{', { 'content-type': 'application/json' })).status, 401)
  })
})

describe('an access token', () => {
  const tokenOf = ({ token = '' }: Client) => token
  const statusWith = async (headers: Record<string, string>, query = '') =>
    (await world.anonymous.get(`/v2/users${query}`, headers)).status

  for (const word of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    it(`is accepted in a header as "${word}"`, async () => {
      assert.equal(await statusWith({ authorization: `${word} ${tokenOf(world.visitor)}` }), 200)
    })
  }

  it('is accepted as the parameter access_token', async () => {
    assert.equal(await statusWith({}, `?access_token=${tokenOf(world.visitor)}`), 200)
  })

  it('is accepted as the parameter access_token of a write', async () => {
    const path = `/v2/languages?access_token=${tokenOf(world.director)}`
    const { status } = await world.anonymous.post(path, { language: { name: 'Welsh', identifier: 'cy' } })
    assert.equal(status, 201)
  })

  it('in the parameter counts where the header holds something else', async () => {
    assert.equal(await statusWith({ authorization: 'Basic eDp5' }, `?access_token=${tokenOf(world.visitor)}`), 200)
  })

  it('in the header counts where both are sent', async () => {
    const right = { authorization: `Bearer ${tokenOf(world.visitor)}` }
    assert.equal(await statusWith(right, '?access_token=nonsense'), 200)
    assert.equal(await statusWith({ authorization: 'Bearer nonsense' }, `?access_token=${tokenOf(world.visitor)}`), 401)
  })

  it('is not read from anything but one text', async () => {
    for (const query of [`?access_token[]=${tokenOf(world.visitor)}`, `?access_token[a]=${tokenOf(world.visitor)}`]) {
      assert.equal(await statusWith({}, query), 401)
    }
  })
})

describe('403 Forbidden', () => {
  it('says which role is missing', async () => {
    const response = await world.visitor.get('/v2/endpoints')
    assert.deepEqual(refusalOf(response, 403), {
      error: 'Access Denied',
      message: 'You are not authorized to access this page. It needs the role Basic Staff.',
    })
  })

  it('comes before the body is looked at and before any record is', async () => {
    assert.equal((await world.visitor.patch('/v2/languages/2147483647', { language: { name: 'x' } })).status, 403)
    const body = { 'content-type': 'application/json' }
    assert.equal((await world.visitor.post('/v2/languages', '{', body)).status, 403)
  })

  describe('for a missing scope', () => {
    let app: FastifyInstance
    before(async () => {
      app = await appWith({ index: scope('forum'), show: all(role('Basic Staff'), scope('tig')) })
    })
    after(() => app.close())

    const read = async (client: Client, path: string) => {
      const { statusCode, headers, payload } = await app.inject({
        method: 'GET',
        url: path,
        headers: { authorization: `Bearer ${client.token}` },
      })
      const found = new Headers(headers as Record<string, string>)
      return { status: statusCode, headers: found, text: payload, json: JSON.parse(payload) } satisfies Response
    }

    it('names the scope in the challenge and in the body', async () => {
      const response = await read(world.visitor, '/v2/languages')
      assert.deepEqual(refusalOf(response, 403), {
        error: 'Forbidden',
        message: 'Insufficient scope. The action need the following scopes: [forum] (read and write the forum)',
      })
      assert.equal(
        challengeOf(response),
        `Bearer realm="${REALM}", error="insufficient_scope", ` +
          'error_description="The action need the following scopes: [forum]", scope="forum"',
      )
    })

    it('is not to be stored', async () => {
      const { headers } = await read(world.visitor, '/v2/languages')
      assert.deepEqual([headers.get('cache-control'), headers.get('pragma')], ['no-store', 'no-cache'])
    })

    it('is not met by an application whose token leaves the scope out', async () => {
      const caller = await world.caller({ scopes: ['public', 'tig'] })
      assert.equal((await read(caller, '/v2/languages')).status, 403)
      assert.equal((await read(await world.caller({ scopes: ['forum'] }), '/v2/languages')).status, 200)
    })

    it('is met neither by the role alone nor by the scope alone where both are needed', async () => {
      const statusFor = async (roles: string[], scopes: string[]) =>
        (await read(await world.caller({ roles, scopes }), '/v2/languages/1')).status
      assert.equal(await statusFor(['Basic Staff'], ['public']), 403)
      assert.equal(await statusFor([], ['tig']), 403)
      assert.equal(await statusFor(['Basic Staff'], ['tig']), 200)
    })
  })

  /** The service with one resource that asks for more than the first resources do. */
  async function appWith(access: { index: Access; show: Access }): Promise<FastifyInstance> {
    const { database, clock, config } = world
    const app = await createServer({ tls: await loadTls(config), logLevel: 'silent', staging: new Staging('incoming') })
    const { baseUrl, timeZone } = config
    const wire = {
      baseUrl,
      picturesUrl: baseUrl,
      timeZone,
      now: () => clock.now(),
      signed: (path: string) => path,
      signedUntil: () => Infinity,
    }
    const startHash = () => createHmac('sha256', 'key')
    const engine = await createEngine({
      database,
      clock,
      wire,
      startHash,
      resources: [{ ...languages, actions: access }],
      access: COMMON_ACCESS,
      storage: storageOfResources(),
    })
    const findCaller = callerFinder({ database, clock })
    const limits = new RateLimits(new MemoryRates())
    mountRoutes(app, routeTable(engine.registry), {
      engine,
      findCaller,
      limits,
      lists: new ListStreams(engine, limits),
    })
    await app.ready()
    return app
  }
})

describe('404 Not Found', () => {
  const refused = async (path: string, client = world.staff) => {
    const { error, message } = refusalOf(await client.get(path), 404)
    assert.equal(error, 'Not Found')
    return message
  }

  it('names the record that does not exist', async () => {
    assert.equal(await refused('/v2/users/2147483647'), 'There is no user 2147483647.')
    assert.equal(await refused('/v2/users/nobody'), 'There is no user "nobody".')
    assert.equal(await refused('/v2/campus/atlantis'), 'There is no campus "atlantis".')
  })

  it('comes of what stands between blanks, as clients send an id or a login', async () => {
    for (const path of ['/v2/users/%201', '/v2/users/ada%20', '/v2/users/%201/locations']) {
      assert.equal((await world.staff.get(path)).status, 200, path)
    }
    assert.equal(await refused('/v2/users/%20nobody%20'), 'There is no user "nobody".')
  })

  it('names the parent that does not exist', async () => {
    assert.equal(await refused('/v2/users/nobody/locations'), 'There is no user "nobody".')
    assert.equal(await refused('/v2/cursus/atlantis/users'), 'There is no cursus "atlantis".')
  })

  it('answers an id that no record can have', async () => {
    for (const id of ['0', '2147483648', '9223372036854775808', '-1', '1.5', '1e3', '%00', 'a%00b', '%F0%9F%8E%93']) {
      for (const resource of ['users', 'campus', 'cursus', 'languages', 'locations', 'endpoints', 'cursus_users']) {
        await refused(`/v2/${resource}/${id}`)
      }
    }
  })

  it('answers an id that no record can have with every method', async () => {
    for (const id of ['2147483648', '9223372036854775808', 'garbage']) {
      const path = `/v2/languages/${id}`
      for (const method of ['PATCH', 'PUT', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : { language: { name: 'x' } }
        refusalOf(await world.director.request(method, path, { body }), 404)
      }
    }
  })

  it('answers an id that is very long', async () => {
    await refused(`/v2/users/${'a'.repeat(600)}`)
  })

  it('answers an unknown path', async () => {
    for (const path of ['/v2/nothing', '/v2/users/1/nothing', '/v1/users', '/users', '/v2/cursus_users_skills']) {
      assert.match(await refused(path), new RegExp(`^There is nothing at ${path}\\. `))
    }
  })

  it('does not repeat the query of an unknown path, which may hold a token', async () => {
    assert.ok(!(await refused('/v2/nothing?access_token=secret')).includes('secret'))
  })

  it('answers /v2/me where the token stands for nobody, and says so', async () => {
    assert.match(await refused('/v2/me', world.visitor), /no resource owner/)
  })
})

describe('405 Method Not Allowed', () => {
  it('is a page for browsers that open the address of a form, and JSON for programs', async () => {
    const open = async (accept: string) => {
      const { statusCode, headers } = await world.app.inject({ url: '/staff/users/1/unclose', headers: { accept } })
      return [statusCode, headers.allow, String(headers['content-type'])]
    }
    assert.deepEqual(await open('text/html'), [405, 'POST', 'text/html; charset=utf-8'])
    assert.deepEqual(await open('*/*'), [405, 'POST', 'application/json; charset=utf-8'])
  })

  it('answers a known path with another method', async () => {
    const { error } = refusalOf(await world.director.delete('/v2/users/ada'), 405)
    assert.equal(error, 'Method Not Allowed')
    assert.equal((await world.visitor.get('/v2/users/ada')).status, 200)
  })

  for (const method of ['TRACE', 'PROPFIND', 'LOCK']) {
    it(`answers ${method}, which no path has`, async () => {
      assert.equal(await statusOf(method, '/v2/users'), 405)
    })
  }

  /** `fetch` does not send these. */
  async function statusOf(method: string, path: string): Promise<number | undefined> {
    const sent = httpsRequest(`${world.url}${path}`, { method, ca: world.ca }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
})

describe('413 Content Too Large', () => {
  it('answers a body over 1 MiB, whatever its form', async () => {
    const long = 'x'.repeat(1_048_577)
    for (const [type, body] of [
      ['application/json', JSON.stringify({ language: { name: long } })],
      ['application/x-www-form-urlencoded', `language[name]=${long}`],
    ] as const) {
      const { error } = refusalOf(await world.director.post('/v2/languages', body, { 'content-type': type }), 413)
      assert.equal(error, 'Content Too Large')
    }
  })
})

describe('422 Unprocessable Entity', () => {
  it('names every field that is wrong, in errors and in the message', async () => {
    const response = await world.director.post('/v2/languages', { language: { name: ' ', identifier: 'x'.repeat(11) } })
    assert.deepEqual(refusalOf(response, 422), {
      error: 'Unprocessable Entity',
      message: "identifier is too long (maximum is 10 characters); name can't be blank",
      errors: { identifier: ['is too long (maximum is 10 characters)'], name: ["can't be blank"] },
    })
  })

  it('is what a graph answers to an unknown field', async () => {
    const { error, message } = refusalOf(await world.visitor.get('/v2/users/graph/on/wallet'), 422)
    assert.equal(error, 'Graph Error')
    assert.equal(
      message,
      "Attribute wallet do not exist or isn't graphable. Available fields are: created_at and updated_at",
    )
  })
})

describe('429 Too Many Requests', () => {
  it('answers JSON, with the seconds to wait', async () => {
    const caller = await world.caller({ ratePerHour: 1 })
    assert.equal((await caller.get('/v2/languages')).status, 200)
    const response = await caller.get('/v2/languages')
    const { error, message } = refusalOf(response, 429)
    assert.equal(error, 'Too Many Requests')
    assert.match(message, /^429 Too Many Requests \(Rate Limit Exceeded\)/)
    assert.match(String(response.headers.get('retry-after')), /^[1-9]\d*$/)
  })
})

describe('500 Internal Server Error', () => {
  it('tells the client when to come back and the operator everything, but not the other way round', async () => {
    await world.database.rows('alter table skills rename to lost')
    try {
      const response = await world.visitor.get('/v2/skills')
      const { error, message } = refusalOf(response, 500)
      assert.equal(error, 'Internal Server Error')
      assert.match(message, /Try again later/)
      assert.doesNotMatch(response.text, /skills|lost|relation|select|at /)
      assert.match(String(response.headers.get('x-request-id')), /^[\da-f-]{36}$/)
      assert.equal(response.headers.get('x-application-name'), 'Test caller')
    } finally {
      await world.database.rows('alter table lost rename to skills')
    }
    assert.equal((await world.visitor.get('/v2/skills')).status, 200)
  })
})
