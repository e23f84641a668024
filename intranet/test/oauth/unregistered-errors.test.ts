/** Errors of clients that the school has not registered are redirected only to trusted addresses (RFC 9700 §4.11.2). */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { answered, type Flow, flowOf, pkce } from '@campus/test/support/oauth-flow'
import { answer, type Receiver, receiver } from '@campus/test/support/receiver'
import { type Page, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { fetch } from 'undici'

const LOOPBACK = 'http://127.0.0.1:33418/'
const PRIVATE = 'com.example.app:/back'

let publisher: Receiver
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let world: World
let flow: Flow
before(async () => {
  publisher = await receiver()
  folder = await temporaryFolder()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, publisher.ca)
  const env = { CAMPUS_CLIENT_REGISTRATION: 'on', CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: ca }
  world = await campus({ env })
  flow = flowOf(world)
})
after(async () => {
  await world?.close()
  await publisher.close()
  await folder.remove()
})

/** A client with its redirect URIs that are not on the user's machine. */
type Client = { readonly uid: string; readonly redirectUris: readonly string[] }

async function selfRegistered(): Promise<Client> {
  const redirectUris = ['https://client.example/back', PRIVATE]
  const body = { client_name: 'Terminal of Ada', redirect_uris: [...redirectUris, LOOPBACK] }
  const response = await fetch(new URL('/oauth/register', world.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    dispatcher: world.agent,
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const json: any = await response.json()
  assert.equal(response.status, 201, JSON.stringify(json))
  return { uid: json.client_id, redirectUris }
}

let count = 0
async function published(): Promise<Client> {
  const origin = `https://localhost:${publisher.port}`
  const uid = `${origin}/client-${++count}.json`
  const redirectUris = [`${origin}/back`]
  const document = { client_id: uid, client_name: 'Editor of Ada', redirect_uris: [...redirectUris, LOOPBACK] }
  publisher.behave(answer(200, { 'content-type': 'application/json' }, JSON.stringify(document)))
  return { uid, redirectUris }
}

type Parameters = Readonly<Record<string, string>>

function pathOf({ uid }: Client, redirect_uri: string, more: Parameters = {}): string {
  const values = { client_id: uid, redirect_uri, response_type: 'code', state: 'st', ...pkce().parameters, ...more }
  return `/oauth/authorize?${new URLSearchParams(values as Record<string, string>)}`
}

/** Requests that end with an error, for a signed-in person who has allowed nothing. */
const MISTAKES: readonly (readonly [Parameters, error: string])[] = [
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ response_type: '' }, 'invalid_request'],
  [{ response_mode: 'fragment' }, 'invalid_request'],
  [{ scope: 'Call +33-1-23' }, 'invalid_scope'],
  [{ resource: 'https://elsewhere.example/' }, 'invalid_target'],
  [{ code_challenge: '' }, 'invalid_request'],
  [{ code_challenge_method: 'plain' }, 'invalid_request'],
  [{ prompt: 'sideways' }, 'invalid_request'],
]
const SILENT: Parameters = { prompt: 'none' }

function assertShown(page: Page, error: string, redirectUri: string): void {
  assert.deepEqual([page.status, page.location], [400, undefined], page.text)
  assert.ok(page.text.includes(`<span class="code">${error}</span>`), page.text)
  assert.doesNotMatch(page.text, /33-1-23(?![^<]*">)/, 'the page quotes the request')
  const [, link = ''] = /<a class="button second" href="([^"]*)" rel="noreferrer">/.exec(page.text) ?? []
  const target = new URL(link.replaceAll('&amp;', '&'))
  assert.ok(target.href.startsWith(redirectUri), target.href)
  assert.deepEqual([target.searchParams.get('error'), target.searchParams.get('state')], [error, 'st'])
}

for (const [name, newClient] of [
  ['a client that registered itself', selfRegistered],
  ['a client with a metadata document', published],
] as const) {
  describe(`an error for ${name}`, () => {
    test('is shown with a link, and redirects nobody who has not allowed the client', async () => {
      const client = await newClient()
      const person = await flow.person()
      for (const redirectUri of client.redirectUris) {
        for (const [more, error] of MISTAKES)
          assertShown(await person.get(pathOf(client, redirectUri, more)), error, redirectUri)
        assertShown(await person.get(pathOf(client, redirectUri, SILENT)), 'consent_required', redirectUri)
        const denied = await person.submit(pathOf(client, redirectUri), { decision: 'deny' })
        assertShown(denied, 'access_denied', redirectUri)
        const stranger = await visitorOf(world).get(pathOf(client, redirectUri, SILENT))
        assert.ok(stranger.location === undefined || stranger.location.startsWith('/sign-in?'), stranger.location)
      }
    })

    test('is posted by a button alone, and its page may not be framed', async () => {
      const client = await newClient()
      const person = await flow.person()
      const page = await person.get(
        pathOf(client, String(client.redirectUris[0]), { ...SILENT, response_mode: 'form_post' }),
      )
      assert.equal(page.status, 400)
      assert.ok(page.text.includes(`<form method="post" action="${client.redirectUris[0]}">`), page.text)
      assert.ok(page.text.includes('name="error" value="consent_required"'), page.text)
      assert.doesNotMatch(page.text, /data-sends/)
      const policy = page.headers.get('content-security-policy') ?? ''
      assert.match(policy, /frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /form-action/)
    })

    test('goes to the person’s own machine at once', async () => {
      const client = await newClient()
      const person = await flow.person()
      for (const [more, error] of MISTAKES)
        assert.equal(answered(await person.get(pathOf(client, LOOPBACK, more))).get('error'), error)
      const denied = await person.submit(pathOf(client, LOOPBACK), { decision: 'deny' })
      assert.equal(answered(denied).get('error'), 'access_denied')
    })

    test('goes to the client at once as long as the person allows it', async () => {
      const client = await newClient()
      const redirectUri = String(client.redirectUris[0])
      const [person, other] = [await flow.person(), await flow.person()]
      assert.match((await person.get(pathOf(client, redirectUri))).text, /If you allow it, you go on to/)
      await allow(person, client, redirectUri)
      assert.match((await person.get(pathOf(client, redirectUri))).text, /Either way you go on to/)
      for (const [more, error] of [...MISTAKES, [SILENT, 'consent_required'] as const])
        assert.equal(answered(await person.get(pathOf(client, redirectUri, more))).get('error'), error)
      assertShown(await other.get(pathOf(client, redirectUri, SILENT)), 'consent_required', redirectUri)
      const { id } = await world.database.kysely
        .selectFrom('applications')
        .select('id')
        .where('uid', '=', client.uid)
        .executeTakeFirstOrThrow()
      await person.submit('/authorisations', { application: String(id) }, `/authorisations/${id}/revoke`)
      assertShown(await person.get(pathOf(client, redirectUri, SILENT)), 'consent_required', redirectUri)
    })
  })
}

async function allow(person: Visitor, client: Client, redirectUri: string): Promise<void> {
  const page = await person.submit(pathOf(client, redirectUri), { decision: 'allow' })
  assert.ok(answered(page).get('code'), page.text)
}

test('an error for a registered application is redirected as before', async () => {
  const person = await flow.person()
  const app = await flow.application()
  assert.equal(answered(await flow.ask(person, app, SILENT)).get('error'), 'consent_required')
  assert.equal(answered(await flow.ask(visitorOf(world), app, SILENT)).get('error'), 'login_required')
})
