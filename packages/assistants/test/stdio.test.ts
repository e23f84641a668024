import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assistantOf, callsOf } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { flowOf } from '@campus/test/support/oauth-flow'
import { runCampus } from '@campus/test/support/run-campus'
import { Client as SecondClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as SecondTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const MAIN = fileURLToPath(new URL('../../../build/campus.js', import.meta.url))

let world: World
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  world = await campus()
  folder = await temporaryFolder()
})
after(async () => {
  await world.close()
  await folder.remove()
})

/** The data folder of the service, in which its certificate is. */
const env = () => ({ CAMPUS_DATA: world.config.data, CAMPUS_BASE_URL: world.url })

/** The SDK's own client starts the command as a desktop assistant does. */
async function started(words: readonly string[], more: Readonly<Record<string, string>>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...words],
    env: { ...getDefaultEnvironment(), ...env(), ...more },
    stderr: 'pipe',
  })
  let log = ''
  transport.stderr?.on('data', (part) => {
    log += part
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, call: callsOf(client), log: () => log }
}

describe('campus mcp', () => {
  test('has the same tools as the address, and the same answers', async () => {
    const { client, call } = await started([], { MCP_TOKEN: String(world.director.token) })
    const other = await assistantOf(world, { token: world.director.token })
    assert.deepEqual(await client.listTools(), await other.client.listTools())
    assert.equal(client.getInstructions(), other.client.getInstructions())
    for (const [name, given] of [
      ['list_records', { resource: 'campus' }],
      ['describe_resource', { resource: 'users' }],
      ['read_record', { resource: 'users', id: 'nobody' }],
    ] as const)
      assert.deepEqual(await call(name, given), await other.call(name, given))
    await client.ping()
    await client.close()
    await other.close()
  })

  test('carries the revision without a handshake', async () => {
    const transport = new SecondTransport({
      command: process.execPath,
      args: [MAIN, 'mcp'],
      env: { ...getDefaultEnvironment(), ...env(), MCP_TOKEN: String(world.director.token) },
      stderr: 'ignore',
    })
    const mode = { pin: '2026-07-28' }
    const client = new SecondClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(transport)
    assert.equal(client.getNegotiatedProtocolVersion(), mode.pin)
    const { structuredContent } = await client.callTool({ name: 'list_records', arguments: { resource: 'campus' } })
    const other = await assistantOf(world, { token: world.director.token })
    assert.deepEqual(structuredContent, (await other.call('list_records', { resource: 'campus' })).data)
    await client.close()
    await other.close()
  })

  test('refuses to act in words where the scope is missing', async () => {
    const { client, call, log } = await started([], { MCP_TOKEN: String(world.visitor.token) })
    await assert.rejects(call('delete_record', { resource: 'tags', id: 1 }), /403: Insufficient scope/)
    assert.ok(!log().includes(String(world.visitor.token)))
    await client.close()
  })

  test('gets tokens of an application by itself, for this and nothing else', async () => {
    const app = await flowOf(world).application({ scopes: ['public', 'forum'] })
    const file = join(folder.path, 'secret.txt')
    await writeFile(file, `${app.secret}\n`)
    const words = ['--to', world.url, '--app', app.uid, '--secret-file', file, '--scopes', 'public forum']
    const { client, call } = await started(words, {})
    const { data } = await call('who_am_i')
    assert.deepEqual([data.application.uid, Object.keys(data.scopes)], [app.uid, ['public', 'forum']])
    const [row] = await world.database.rows('select distinct resource from access_tokens where application_id = $1', [
      app.id,
    ])
    assert.deepEqual(row, ['/mcp'])
    // A token that is gone is got anew.
    await world.database.rows('update access_tokens set revoked_at = now() where application_id = $1', [app.id])
    assert.equal((await call('who_am_i')).isError, false)
    await client.close()
  })

  test('reads a token from a file again once it was refused', async () => {
    const file = join(folder.path, 'token.txt')
    const [one, other] = [await world.caller({ scopes: ['public'] }), await world.caller({ scopes: ['public'] })]
    await writeFile(file, String(one.token))
    const { client, call } = await started(['--token-file', file], {})
    const before = (await call('who_am_i')).data.application.uid
    await writeFile(file, String(other.token))
    assert.notEqual((await call('who_am_i')).data.application.uid, before)
    await client.close()
  })

  test('says what is wrong on standard error and as the answer, and writes nothing else', async () => {
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ]
    const input = `${messages.map((message) => JSON.stringify(message)).join('\n')}\nno message\n`
    const { code, stdout, stderr } = await runCampus(['mcp'], { ...env(), MCP_TOKEN: 'secret-token-word' }, input)
    assert.equal(code, 0, stderr)
    const lines = stdout.trimEnd().split('\n')
    assert.equal(lines.length, 1, stdout)
    assert.match(
      JSON.parse(String(lines[0])).error.message,
      /401: The access token is invalid\. Give the command another token\./,
    )
    assert.match(stderr, /no message of the protocol/)
    assert.ok(!`${stdout}${stderr}`.includes('secret-token-word'))
  })

  test('does not start without a token, and takes none as an argument', async () => {
    const { code, stdout, stderr } = await runCampus(['mcp'], env())
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /MCP_TOKEN/)
    const argument = await runCampus(['mcp', '--token', 'secret'], env())
    assert.notEqual(argument.code, 0)
    const plain = await runCampus(['mcp', '--to', 'http://intranet.example.org'], { ...env(), MCP_TOKEN: 'x' })
    assert.match(plain.stderr, /must be an address such as https/)
  })

  test('trusts the certificate of a service on this machine, and that of no other', async () => {
    const strange = join(folder.path, 'strange')
    await mkdir(strange, { recursive: true })
    const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`
    const { stdout } = await runCampus(['mcp', '--to', world.url], { CAMPUS_DATA: strange, MCP_TOKEN: 'x' }, ping)
    assert.match(JSON.parse(stdout).error.message, /certificate/)
  })

  test('says that nobody answers', async () => {
    const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`
    const { stdout } = await runCampus(['mcp', '--to', 'https://127.0.0.1:1'], { ...env(), MCP_TOKEN: 'x' }, ping)
    assert.match(JSON.parse(stdout).error.message, /No answer from https:\/\/127\.0\.0\.1:1/)
  })
})
