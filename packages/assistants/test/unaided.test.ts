/** Both major versions of the SDK sign a person in to a service that has never heard of them. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { trustingFetch } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { answered, flowOf } from '@campus/test/support/oauth-flow'
import { answer, type Receiver, receiver } from '@campus/test/support/receiver'
import { Client as SecondClient, StreamableHTTPClientTransport as SecondTransport } from '@modelcontextprotocol/client'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const HERE = 'http://localhost:43118/callback'

let world: World
let publisher: Receiver
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  publisher = await receiver()
  folder = await temporaryFolder()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, publisher.ca)
  const outgoing = { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: ca }
  world = await campus({ env: { ...outgoing, CAMPUS_CLIENT_REGISTRATION: 'on' } })
})
after(async () => {
  await world?.close()
  await publisher?.close()
  await folder?.remove()
})

type Saved = {
  client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  verifier?: string
  asked?: URL
}

/** Returns the memory of an assistant that knows only the address of the service. */
function providerOf(documentAddress: string | undefined) {
  const saved: Saved = {}
  return {
    saved,
    ...(documentAddress !== undefined && { clientMetadataUrl: documentAddress }),
    redirectUrl: HERE,
    clientMetadata: { client_name: 'Editor of Ada', redirect_uris: [HERE], token_endpoint_auth_method: 'none' },
    clientInformation: () => saved.client,
    saveClientInformation(client: Saved['client']) {
      saved.client = client
    },
    tokens: () => saved.tokens,
    saveTokens(tokens: Saved['tokens']) {
      saved.tokens = tokens
    },
    redirectToAuthorization(address: URL) {
      saved.asked = address
    },
    saveCodeVerifier(verifier: string) {
      saved.verifier = verifier
    },
    codeVerifier: () => String(saved.verifier),
  }
}

type Provider = ReturnType<typeof providerOf>

const options = (authProvider: Provider) => ({ fetch: trustingFetch(world), authProvider }) as never

const VERSIONS = {
  first: {
    client: () => new FirstClient({ name: 'test', version: '1' }),
    transport: (provider: Provider) => new FirstTransport(new URL('/mcp', world.url), options(provider)),
  },
  second: {
    client: () => new SecondClient({ name: 'test', version: '1' }),
    transport: (provider: Provider) => new SecondTransport(new URL('/mcp', world.url), options(provider)),
  },
}

/** Publishes a client ID metadata document. */
function publish(): string {
  const address = `https://localhost:${publisher.port}/editor.json`
  const document = { client_id: address, client_name: 'Editor of Ada', redirect_uris: ['http://localhost/callback'] }
  publisher.behave(answer(200, { 'content-type': 'application/json' }, JSON.stringify(document)))
  return address
}

for (const version of ['first', 'second'] as const)
  describe(`the ${version} version of the SDK`, () => {
    for (const [how, login, uid] of [
      ['registers itself', `itself-${version}`, /^self-registered-/],
      ['names its metadata document', `document-${version}`, /editor\.json$/],
    ] as const)
      test(`${how}, signs a person in and lists the tools`, async () => {
        const person = await flowOf(world).person({ login })
        const provider = providerOf(how === 'registers itself' ? undefined : publish())
        const { client, transport } = VERSIONS[version]
        const first = transport(provider)
        await assert.rejects(client().connect(first as never), /Unauthorized/)
        const { asked } = provider.saved
        assert.ok(asked)
        const page = await person.submit(asked.href.slice(world.url.length), { decision: 'allow' })
        await first.finishAuth(String(answered(page).get('code')))
        const connected = client()
        await connected.connect(transport(provider) as never)
        assert.equal((await connected.listTools()).tools.length, 12)
        const result = await connected.callTool({ name: 'who_am_i', arguments: {} })
        const { application, person: found } = result.structuredContent as Readonly<
          Record<string, { uid: string; login: string }>
        >
        assert.match(String(application?.uid), uid)
        assert.equal(found?.login, person.login)
        await connected.close()
      })
  })
