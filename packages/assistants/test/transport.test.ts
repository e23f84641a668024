import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assistantOf, callMessage, post } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import pino from 'pino'
import { fetch } from 'undici'

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' }

let world: World
const lines: string[] = []
before(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  world = await campus({ log, env: { CAMPUS_LOG_LEVEL: 'info' } })
})
after(() => world.close())

const bearer = (token = world.visitor.token) => ({ authorization: `Bearer ${token}` })

describe('the endpoint', () => {
  test('answers each message by itself, whichever process the ones before it came to', async () => {
    const { status, headers, text } = await post(world, LIST, { ...bearer(), 'mcp-protocol-version': '2025-11-25' })
    assert.equal(status, 200, text)
    assert.equal(headers.get('content-type'), 'application/json')
    assert.equal(headers.get('mcp-session-id'), null)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { id, result } = JSON.parse(text)
    assert.equal(id, 7)
    assert.equal(result.tools.length, 12)
  })

  test('agrees on a version, and offers its own for one that it does not know', async () => {
    for (const [asked, agreed] of [
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['1999-01-01', '2025-11-25'],
    ]) {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
      const { text } = await post(world, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, bearer())
      const { result } = JSON.parse(text)
      assert.equal(result.protocolVersion, agreed)
      assert.deepEqual(result.capabilities, { tools: {} })
    }
  })

  test('takes notifications without an answer', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const { status, text } = await post(world, notification, bearer())
    assert.deepEqual([status, text], [202, ''])
  })

  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH'])
    test(`has no ${method}: there are no sessions and no streams`, async () => {
      const response = await fetch(`${world.url}/mcp`, {
        method,
        headers: { ...bearer(), accept: 'text/event-stream' },
        dispatcher: world.agent,
      })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
    })

  test('refuses batches, which would be many calls at the price of one', async () => {
    const { status, text } = await post(world, [LIST, LIST], bearer())
    assert.equal(status, 400)
    assert.match(JSON.parse(text).error.message, /no batch/)
    for (const body of ['[]', '"text"', '7', 'null', '']) assert.equal((await post(world, body, bearer())).status, 400)
  })

  test('refuses what is no message, no JSON, or of another type or version', async () => {
    const cases = [
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', {}, 400],
      ['{}', {}, 400],
      ['{"jsonrpc":', {}, 400],
      [JSON.stringify(LIST), { 'content-type': 'text/plain' }, 415],
      [JSON.stringify(LIST), { 'content-type': 'application/vnd.api+json' }, 415],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      [JSON.stringify(LIST), { 'content-type': undefined }, 415],
      [JSON.stringify(LIST), { accept: 'text/html' }, 406],
      [JSON.stringify(LIST), { accept: 'application/json;q=0, text/event-stream;q=0' }, 406],
      [JSON.stringify(LIST), { 'mcp-protocol-version': '1999-01-01' }, 400],
    ] as const
    for (const [body, headers, expected] of cases) {
      const { status, text } = await post(world, body, { ...bearer(), ...headers })
      assert.equal(status, expected, `${body} ${text}`)
    }
  })

  test('answers with JSON unless the client accepts an event stream alone', async () => {
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      'application/*',
      'text/event-stream, application/json',
      'text/event-stream, */*;q=0.1',
    ]) {
      const { status, headers, text } = await post(world, LIST, { ...bearer(), accept })
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'], `${accept} ${text}`)
      assert.equal(JSON.parse(text).result.tools.length, 12)
    }
    for (const accept of ['text/event-stream', 'text/*', 'application/json;q=0, text/event-stream']) {
      const { status, headers, text } = await post(world, LIST, { ...bearer(), accept })
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream'], `${accept} ${text}`)
      const data = /^event: message\ndata: (.*)\n\n$/.exec(text)?.[1]
      assert.equal(JSON.parse(String(data)).result.tools.length, 12)
    }
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const { status, text } = await post(world, notification, { ...bearer(), accept: 'text/event-stream' })
    assert.deepEqual([status, text], [202, ''])
  })

  test('knows only what it offers', async () => {
    for (const method of ['resources/list', 'prompts/list', 'sampling/createMessage', 'tasks/list', 'nonsense']) {
      const { status, text } = await post(world, { jsonrpc: '2.0', id: 1, method }, bearer())
      assert.equal(status, 200)
      assert.equal(JSON.parse(text).error.code, -32601, method)
    }
  })
})

describe('a token', () => {
  test('is asked for with where it comes from', async () => {
    const { status, headers } = await post(world, LIST)
    assert.equal(status, 401)
    assert.equal(
      headers.get('www-authenticate'),
      `Bearer realm="Campus Intranet API", resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp"`,
    )
    const metadata = await world.anonymous.get('/.well-known/oauth-protected-resource/mcp')
    assert.deepEqual(metadata.json, {
      resource: `${world.url}/mcp`,
      resource_name: 'Campus Intranet',
      resource_documentation: `${world.url}/apidoc`,
      authorization_servers: [world.url],
      bearer_methods_supported: ['header'],
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
    })
    const whole = await world.anonymous.get('/.well-known/oauth-protected-resource')
    assert.equal(whole.json.resource, world.url)
  })

  test('comes in the header and nowhere else', async () => {
    const { token } = world.visitor
    const response = await fetch(`${world.url}/mcp?access_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(LIST),
      dispatcher: world.agent,
    })
    assert.equal(response.status, 401)
  })

  test('that is refused says why, before the body is read', async () => {
    const { status, headers } = await post(world, 'no JSON at all', { authorization: 'Bearer nonsense' })
    assert.equal(status, 401)
    assert.match(String(headers.get('www-authenticate')), /error="invalid_token".*resource_metadata="/)
  })
})

describe('a call', () => {
  test('counts as one of the application, by its own route', async () => {
    const client = await world.caller({ scopes: ['public'], ratePerSecond: 1000, ratePerHour: 1000 })
    const assistant = await assistantOf(world, { token: client.token })
    await assistant.call('list_records', { resource: 'campus' })
    await assistant.call('read_record', { resource: 'users', id: 999_999 })
    const { data } = await assistant.call('who_am_i')
    assert.equal(data.rate.left_this_hour, 997)
    await assistant.client.ping()
    const { data: again } = await assistant.call('who_am_i')
    assert.equal(again.rate.left_this_hour, 996)
    await assistant.close()
    const line = lines.map((text) => JSON.parse(text)).find(({ call }) => call === 'GET /v2/users/:id')
    assert.equal(line.tool, 'read_record')
    assert.equal(line.call_status, 404)
    assert.equal(line.path, '/mcp')
  })

  test('beyond the rate is an error that says when to try again', async () => {
    const client = await world.caller({ scopes: ['public'], ratePerSecond: 1, ratePerHour: 2 })
    const assistant = await assistantOf(world, { token: client.token })
    const answers = []
    for (let at = 0; at < 4; at += 1) answers.push(await assistant.call('list_records', { resource: 'campus' }))
    const refused = answers.filter(({ isError }) => isError)
    assert.ok(refused.length >= 2)
    for (const { data } of refused) {
      assert.equal(data.status, 429)
      assert.ok(data.retry_after_seconds >= 1)
      assert.match(data.note, /Try again in \d+ seconds?, and not before/)
    }
    await assistant.close()
  })

  test('messages that are no calls have a rate of their own', async () => {
    const client = await world.caller({ scopes: ['public'], ratePerSecond: 1, ratePerHour: 2 })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const statuses = []
    for (let at = 0; at < 25; at += 1) statuses.push((await post(world, ping, bearer(client.token))).status)
    assert.equal(statuses[0], 200)
    assert.ok(statuses.includes(429), `${statuses}`)
    assert.ok(statuses.filter((status) => status === 200).length <= 20, `${statuses}`)
  })

  test('is counted in metrics by tool and outcome, by names that there are', async () => {
    await post(world, callMessage('no_such_tool'), bearer())
    await post(world, callMessage('list_records', { resource: 'campus' }), bearer())
    await post(world, callMessage('list_records', { resource: 'nothing' }), bearer())
    const { text } = await world.anonymous.get('/metrics')
    assert.match(text, /campus_assistant_calls_total\{tool="list_records",outcome="answered"\} \d+/)
    assert.match(text, /campus_assistant_calls_total\{tool="list_records",outcome="refused"\} \d+/)
    assert.doesNotMatch(text, /no_such_tool|nothing"/)
  })

  test('leaves no token and no argument in the log', async () => {
    const token = String((await world.caller({ scopes: ['public'] })).token)
    await post(world, callMessage('read_record', { resource: 'users', id: 'secret-login-word' }), bearer(token))
    await post(world, LIST, { authorization: 'Bearer secret-token-word' })
    const log = lines.join('')
    assert.ok(log.includes('"tool":"read_record"'))
    for (const word of [token, 'secret-login-word', 'secret-token-word']) assert.ok(!log.includes(word), word)
  })
})
