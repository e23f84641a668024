/** mcp-remote signs a person in and carries messages, as desktop assistants start it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { fetch } from 'undici'
import { callsOf } from '../support/assistant.ts'
import { campus, type World } from '../support/campus.ts'
import { flowOf } from '../support/flow.ts'
import { temporaryFolder } from '../support/folder.ts'
import type { Visitor } from '../support/visitor.ts'

let world: World
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  world = await campus()
  folder = await temporaryFolder()
})
after(async () => {
  await Promise.all(started.map((transport) => transport.close()))
  await world?.close()
  await folder?.remove()
})

const started: StdioClientTransport[] = []

/** Starts the program, allows what it asks for as the person, and returns its client. */
async function signIn(person: Visitor, words: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join('node_modules', 'mcp-remote', 'dist', 'proxy.js'), `${world.url}/mcp`, ...words],
    env: {
      ...getDefaultEnvironment(),
      BROWSER: 'true',
      MCP_REMOTE_CONFIG_DIR: join(folder.path, String(started.length)),
      NODE_EXTRA_CA_CERTS: join(world.config.data, 'tls/cert.pem'),
    },
    stderr: 'pipe',
  })
  started.push(transport)
  const asked = Promise.withResolvers<string>()
  let log = ''
  transport.stderr?.on('data', (part) => {
    log += part
    const address = /visiting:\s+(\S+)\s/.exec(log)?.[1]
    // It asks before it listens for the answer.
    if (address && log.includes('callback server running')) asked.resolve(address)
  })
  transport.onclose = () => asked.reject(new Error(log))
  const client = new Client({ name: 'test', version: '1' })
  const connecting = client.connect(transport)
  const path = await Promise.race([asked.promise, connecting.then(() => assert.fail(`nobody was asked ${log}`))])
  const page = await person.submit(path.slice(world.url.length), { decision: 'allow' })
  assert.match(page.location ?? page.text, /^http:\/\/(localhost|127\.0\.0\.1):\d+\/oauth\/callback\?code=/)
  await (await fetch(String(page.location))).text()
  await connecting
  return { client, call: callsOf(client) }
}

describe('mcp-remote', () => {
  for (const mode of ['legacy', 'auto'])
    test(`signs in as a registered application at any loopback port (--protocol ${mode})`, async () => {
      const flow = flowOf(world)
      const person = await flow.person({ login: `remote-${mode}` })
      const redirect_uris = ['http://localhost/oauth/callback']
      const app = await flow.application({ confidential: false, redirect_uris })
      const info = JSON.stringify({ client_id: app.uid })
      const { client, call } = await signIn(person, ['--protocol', mode, '--static-oauth-client-info', info])
      assert.equal((await call('who_am_i')).data.person.login, person.login)
      assert.equal((await client.listTools()).tools.length, 12)
      await client.close()
    })
})
