/** Both major versions of the SDK's client, and messages of the revision without a handshake. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assistantOf, post, trustingFetch } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'

const MODERN = '2026-07-28'
const SUPPORTED = [MODERN, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

type Params = Readonly<Record<string, unknown>>

const message = (method: string, params: Params = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { _meta: META, ...params },
})

const headersOf = (method: string, name?: string) => ({
  authorization: `Bearer ${world.visitor.token}`,
  'mcp-protocol-version': MODERN,
  'mcp-method': method,
  'mcp-name': name,
})

/** Sends a message with the given headers, which may be wrong. */
async function ask(body: unknown, headers: Readonly<Record<string, string | undefined>>) {
  const { status, text } = await post(world, body, headers)
  return { status, json: text === '' ? undefined : JSON.parse(text) }
}

const send = (method: string, params: Params = {}, headers: Readonly<Record<string, string | undefined>> = {}) =>
  ask(message(method, params), { ...headersOf(method, params.name as string | undefined), ...headers })

async function connected(mode: VersionNegotiationMode) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', world.url), {
    fetch: trustingFetch(world) as never,
    requestInit: { headers: { authorization: `Bearer ${world.visitor.token}` } },
  })
  await client.connect(transport)
  return client
}

describe('the second version of the client', () => {
  for (const [mode, version] of [
    ['auto', MODERN],
    [{ pin: MODERN }, MODERN],
    ['legacy', '2025-11-25'],
  ] as const)
    test(`calls tools by ${version} (mode ${JSON.stringify(mode)})`, async () => {
      const first = await assistantOf(world, { token: world.visitor.token })
      const client = await connected(mode)
      assert.equal(client.getNegotiatedProtocolVersion(), version)
      assert.equal(client.getInstructions(), first.client.getInstructions())
      const names = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name)
      assert.deepEqual(names(await client.listTools()), names(await first.client.listTools()))
      const { data } = await first.call('list_records', { resource: 'campus' })
      const called = await client.callTool({ name: 'list_records', arguments: { resource: 'campus' } })
      assert.deepEqual(called.structuredContent, data)
      await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), /There is no tool "nothing"/)
      await client.close()
      await first.close()
    })
})

describe('a message without a handshake', () => {
  test('returns the supported versions and capabilities from server/discover', async () => {
    const { status, json } = await send('server/discover')
    assert.equal(status, 200)
    const { _meta, instructions, ...result } = json.result
    assert.deepEqual(result, {
      resultType: 'complete',
      supportedVersions: SUPPORTED,
      capabilities: { tools: {} },
      ttlMs: 3_600_000,
      cacheScope: 'public',
    })
    assert.equal(_meta['io.modelcontextprotocol/serverInfo'].name, 'campus')
    assert.match(instructions, /intranet/)
  })

  test('returns a cacheable list of tools, or the result of a call', async () => {
    const listed = await send('tools/list')
    const { resultType, ttlMs, cacheScope, tools } = listed.json.result
    assert.deepEqual([resultType, ttlMs, cacheScope, tools.length], ['complete', 3_600_000, 'public', 12])
    const called = await send('tools/call', { name: 'who_am_i', arguments: {} })
    assert.equal(called.json.result.resultType, 'complete')
    assert.equal(called.json.result.structuredContent.may_act, false)
  })

  test('returns 403 for a tool that acts without the scope', async () => {
    const given = { name: 'delete_record', arguments: { resource: 'tags', id: 1 } }
    assert.equal((await send('tools/call', given)).status, 403)
  })

  test('returns 400 with the supported versions for an unknown version', async () => {
    const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const { status, json } = await send('tools/list', { _meta: meta }, { 'mcp-protocol-version': '2099-01-01' })
    assert.equal(status, 400)
    assert.deepEqual(json.error.data, { supported: SUPPORTED, requested: '2099-01-01' })
    assert.equal(json.error.code, -32_022)
  })

  test('returns 404 for an unknown method', async () => {
    for (const method of ['ping', 'resources/list', 'subscriptions/listen', 'logging/setLevel', '__proto__']) {
      const { status, json } = await send(method)
      assert.deepEqual([status, json.error.code, json.id], [404, -32_601, 1], method)
    }
  })

  test('returns 400 for headers that are missing or differ from the body', async () => {
    const call = { name: 'who_am_i', arguments: {} }
    for (const headers of [
      { 'mcp-protocol-version': undefined },
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-method': undefined },
      { 'mcp-method': 'tools/list' },
      { 'mcp-method': 'Tools/Call' },
      { 'mcp-name': undefined },
      { 'mcp-name': 'list_records' },
      { 'mcp-name': '=?base64?bGlzdF9yZWNvcmRz?=' },
      { 'mcp-name': '=?base64?%?=' },
    ]) {
      const { status, json } = await send('tools/call', call, headers)
      assert.deepEqual([status, json.error?.code], [400, -32_020], JSON.stringify(headers))
    }
    const encoded = `=?base64?${Buffer.from('who_am_i').toString('base64')}?=`
    assert.equal((await send('tools/call', call, { 'mcp-name': encoded })).status, 200)
  })

  test('returns 400 for a request without the required members', async () => {
    const headers = headersOf('tools/list')
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...withoutCapabilities } = META
    for (const [body, code] of [
      [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }, -32_602],
      [message('tools/list', { _meta: withoutCapabilities }), -32_602],
      [message('tools/list', { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': [] } }), -32_602],
      [message('tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': 20_260_728 } }), -32_602],
      [{ ...message('tools/list'), id: null }, -32_600],
      [{ ...message('tools/list'), id: 1.5 }, -32_600],
      [{ ...message('tools/list'), id: {} }, -32_600],
      [{ ...message('tools/list'), jsonrpc: '1.0' }, -32_600],
      [{ jsonrpc: '2.0', id: 1, result: {} }, -32_600],
    ] as const) {
      const { status, json } = await ask(body, headers)
      assert.deepEqual([status, json.error?.code], [400, code], JSON.stringify(body))
    }
  })

  test('refuses a cursor, since the list has one page', async () => {
    const { json } = await send('tools/list', { cursor: 'x' })
    assert.equal(json.error.code, -32_602)
  })

  test('returns 202 without a body for a notification', async () => {
    const { id: _, ...notification } = message('notifications/cancelled')
    const { status, json } = await ask(notification, headersOf('notifications/cancelled'))
    assert.deepEqual([status, json], [202, undefined])
  })
})
