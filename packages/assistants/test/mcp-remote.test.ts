/** mcp-remote signs a person in and carries messages, as desktop assistants start it. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { callsOf } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { flowOf } from '@campus/test/support/oauth-flow'
import { answer, type Receiver, receiver } from '@campus/test/support/receiver'
import type { Visitor } from '@campus/test/support/visitor'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { fetch } from 'undici'

let world: World
let publisher: Receiver
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  publisher = await receiver()
  folder = await temporaryFolder()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, publisher.ca)
  world = await campus({
    env: { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: ca, CAMPUS_CLIENT_REGISTRATION: 'on' },
  })
})
after(async () => {
  await Promise.all(started.map((transport) => transport.close()))
  await world?.close()
  await publisher?.close()
  await folder?.remove()
})

const started: StdioClientTransport[] = []

/** Starts mcp-remote, allows its request as the person, and returns its client. */
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
    // mcp-remote opens the address before it listens for the callback.
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

  for (const mode of ['legacy', 'auto'])
    test(`registers itself and signs in without any configuration (--protocol ${mode})`, async () => {
      const person = await flowOf(world).person({ login: `remote-itself-${mode}` })
      const { client, call } = await signIn(person, ['--protocol', mode])
      const { data } = await call('who_am_i')
      assert.equal(data.person.login, person.login)
      assert.match(data.application.uid, /^self-registered-/)
      assert.equal((await client.listTools()).tools.length, 12)
      await client.close()
    })

  test('signs in without a registration by the address of its metadata document', async () => {
    const person = await flowOf(world).person({ login: 'remote-document' })
    const address = `https://localhost:${publisher.port}/mcp-remote.json`
    const document = {
      client_id: address,
      client_name: 'Remote of Ada',
      redirect_uris: ['http://localhost/oauth/callback'],
      token_endpoint_auth_method: 'none',
    }
    publisher.behave(answer(200, { 'content-type': 'application/json' }, JSON.stringify(document)))
    const { client, call } = await signIn(person, ['--client-metadata-url', address])
    const { data } = await call('who_am_i')
    assert.deepEqual([data.person.login, data.application.uid], [person.login, address])
    await client.close()
  })
})
