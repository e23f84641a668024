/** Clients that identify themselves by the address of a client ID metadata document. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { MemoryRates } from '@campus/engine/http/rates/memory-rates'
import { callMessage, post } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import { clientOf } from '@campus/test/support/client'
import { temporaryFolder } from '@campus/test/support/folder'
import { answered, type Flow, flowOf, pkce } from '@campus/test/support/oauth-flow'
import { answer, type Behaviour, type Receiver, receiver } from '@campus/test/support/receiver'
import { type Page, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { ClientDocuments } from '../../oauth/client-documents/client-documents.ts'
import { ClientRefused } from '../../oauth/unregistered-clients.ts'
import { sweep } from '../../server/app/housekeeping.ts'

let publisher: Receiver
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let world: World
let flow: Flow
before(async () => {
  publisher = await receiver()
  folder = await temporaryFolder()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, publisher.ca)
  world = await campus({ env: { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: ca } })
  flow = flowOf(world)
})
after(async () => {
  await world.close()
  await publisher.close()
  await folder.remove()
})
beforeEach(() => {
  publisher.calls.length = 0
})

type Person = Visitor & { readonly id: number; readonly login: string }
type Values = Readonly<Record<string, unknown>>

let count = 0
/** Returns a new address on the publisher, for which no document is cached. */
const newAddress = () => `${originOf(publisher)}/client-${++count}.json`

const originOf = ({ port }: Receiver) => `https://localhost:${port}`

const documentOf = (address: string, more: Values = {}) => ({
  client_id: address,
  client_name: 'Editor of Ada',
  redirect_uris: ['http://127.0.0.1:33418/', `${originOf(publisher)}/callback`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  ...more,
})

const json = (document: unknown, headers: Record<string, string> = {}): Behaviour =>
  answer(200, { 'content-type': 'application/json', ...headers }, JSON.stringify(document))

/** Publishes a document at a new address. */
function publish(more: Values = {}, headers: Record<string, string> = {}): string {
  const address = newAddress()
  publisher.behave(json(documentOf(address, more), headers))
  return address
}

const LOOPBACK = 'http://127.0.0.1:50123/'

function pathOf(address: string, more: Readonly<Record<string, string>> = {}): string {
  const { parameters } = pkce()
  const values = { client_id: address, redirect_uri: LOOPBACK, response_type: 'code', ...parameters, ...more }
  return `/oauth/authorize?${new URLSearchParams(values as Record<string, string>)}`
}

const ask = (visitor: Visitor, address: string, more = {}): Promise<Page> => visitor.get(pathOf(address, more))

const applications = (address: string) =>
  world.database.kysely
    .selectFrom('applications')
    .select(['id', 'name', 'redirect_uris', 'owner_id', 'confidential'])
    .where('uid', '=', address)
    .execute()

const exchange = (values: Readonly<Record<string, string>>) =>
  world.anonymous.post('/oauth/token', new URLSearchParams(values).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })

/** Allows the client and exchanges its code. */
async function allow(person: Visitor, address: string, more: Readonly<Record<string, string>> = {}) {
  const { verifier, parameters } = pkce()
  const path = pathOf(address, { ...(parameters as Record<string, string>), ...more })
  const page = await person.submit(path, { decision: 'allow' })
  const code = answered(page).get('code')
  assert.ok(code, page.text)
  const redirect_uri = more.redirect_uri ?? LOOPBACK
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri, client_id: address }
  const response = await exchange(grant)
  assert.equal(response.status, 200, response.text)
  return response.json
}

const atMcp = async (token: string) =>
  (await post(world, callMessage('who_am_i'), { authorization: `Bearer ${token}` })).status

describe('a client with a metadata document', () => {
  test('is announced, and signs a person in without a registration', async () => {
    const metadata = await world.anonymous.get('/.well-known/oauth-authorization-server')
    assert.equal(metadata.json.client_id_metadata_document_supported, true)
    const person = await flow.person()
    const address = publish()
    const page = await ask(person, address, { resource: `${world.url}/mcp` })
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /Editor of Ada/)
    assert.ok(page.text.includes(`localhost:${publisher.port}`))
    assert.match(page.text, /not checked by the school/)
    assert.match(page.text, /Allow it only if you have just started it/)
    assert.deepEqual(await applications(address), [])
    const tokens = await allow(person, address, { resource: `${world.url}/mcp`, scope: 'public projects act openid' })
    assert.equal(tokens.scope, 'public projects')
    assert.equal(await atMcp(tokens.access_token), 200)
    assert.equal(publisher.calls.length, 1)
    const [row, ...others] = await applications(address)
    assert.deepEqual([row?.name, row?.owner_id, row?.confidential, others], ['Editor of Ada', null, false, []])
    const refreshed = await exchange({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: address,
    })
    assert.equal(refreshed.status, 200, refreshed.text)
  })

  test('gets tokens for /mcp alone', async () => {
    const person = await flow.person()
    const address = publish()
    const { access_token } = await allow(person, address)
    assert.deepEqual(
      [await atMcp(access_token), (await clientOf(world, access_token).get('/v2/me')).status],
      [200, 401],
    )
    for (const resource of [world.url, `${world.url}/v2`])
      assert.equal(answered(await ask(person, address, { resource })).get('error'), 'invalid_target')
    const own = await exchange({ grant_type: 'client_credentials', client_id: address })
    assert.ok(own.status >= 400, own.text)
  })

  test('needs PKCE, and the answer names the issuer', async () => {
    const person = await flow.person()
    const address = publish()
    const values = { client_id: address, redirect_uri: LOOPBACK, response_type: 'code' }
    const without = answered(await person.get(`/oauth/authorize?${new URLSearchParams(values)}`))
    assert.deepEqual([without.get('error'), without.get('iss')], ['invalid_request', world.url])
  })

  test('is fetched only for signed-in people, and asks for consent at each sign-in', async () => {
    const address = publish()
    const page = await visitorOf(world).get(pathOf(address))
    assert.match(String(page.location), /\/sign-in\?/)
    assert.equal(publisher.calls.length, 0)
    const person = await flow.person()
    await allow(person, address)
    assert.equal((await ask(person, address)).status, 200)
    assert.equal(answered(await ask(person, address, { prompt: 'none' })).get('error'), 'consent_required')
  })

  test('stores no application if the person refuses it', async () => {
    const person = await flow.person()
    const address = publish()
    const page = await person.submit(pathOf(address), { decision: 'deny' })
    assert.equal(answered(page).get('error'), 'access_denied')
    assert.deepEqual(await applications(address), [])
  })

  test('is revoked for one person alone, and is deleted a day after its last use without consents', async () => {
    const [one, other] = [await flow.person(), await flow.person()]
    const address = publish()
    const first = await allow(one, address)
    const second = await allow(other, address)
    const [row] = await applications(address)
    const info = await clientOf(world, first.access_token).get('/oauth/token/info')
    assert.deepEqual(info.json.application, { uid: address })
    const staff = await flow.person({ kind: 'admin' })
    const published = new RegExp(`Published by .*localhost:${publisher.port}.*not checked by the school`)
    for (const page of [
      await one.get('/authorisations'),
      await staff.get('/staff/applications'),
      await staff.get(`/staff/applications/${row?.id}`),
    ])
      assert.match(page.text, published)
    const revoke = (person: Person) =>
      person.submit('/authorisations', { application: String(row?.id) }, `/authorisations/${row?.id}/revoke`)
    await revoke(one)
    assert.deepEqual([await atMcp(first.access_token), await atMcp(second.access_token)], [401, 200])
    await sweep(world.database, new Date(world.clock.now().getTime() + 25 * 3_600_000))
    assert.equal((await applications(address)).length, 1)
    await revoke(other)
    await sweep(world.database, world.clock.now())
    assert.equal((await applications(address)).length, 1)
    await sweep(world.database, new Date(world.clock.now().getTime() + 25 * 3_600_000))
    assert.deepEqual(await applications(address), [])
  })

  test('follows a changed document once the cached one is stale, and is refused when the document is gone', async () => {
    const person = await flow.person()
    const address = publish({}, { 'cache-control': 'max-age=120' })
    await allow(person, address)
    publisher.behave(
      json(documentOf(address, { client_name: 'Other name', redirect_uris: [`${originOf(publisher)}/other`] })),
    )
    assert.match((await ask(person, address)).text, /Editor of Ada/)
    world.clock.advance(121)
    assert.equal((await ask(person, address)).status, 400)
    const redirect_uri = `${originOf(publisher)}/other`
    assert.match((await ask(person, address, { redirect_uri })).text, /Other name/)
    await allow(person, address, { redirect_uri })
    assert.equal((await applications(address))[0]?.name, 'Other name')
    publisher.behave(answer(404))
    world.clock.advance(86_401)
    assert.equal((await ask(await flow.person(), address, { redirect_uri })).status, 400)
  })
})

describe('a document', () => {
  const refused = async (address: string, person?: Visitor, more = {}) => {
    const page = await ask(person ?? (await flow.person()), address, more)
    assert.deepEqual([page.status, page.location], [400, undefined], `${address} ${page.text}`)
    return page.text
  }

  test('must have a normalized https address with a path', async () => {
    const origin = originOf(publisher)
    for (const address of [
      `${origin}/`,
      origin,
      `${origin}/a/../client.json`,
      `${origin}/%2e%2e/client.json`,
      `${origin}\\client.json`,
      `https://localhost.:${publisher.port}/client.json`,
      `https://localhost:0${publisher.port}/client.json`,
      `${origin}/client.json#part`,
      `https://user@localhost:${publisher.port}/client.json`,
      `https://LOCALHOST:${publisher.port}/client.json`,
      'https://exämple.org/client.json',
      'https://\u0430pple.com/client.json',
      `${origin}/${'x'.repeat(600)}`,
      'http://localhost/client.json',
    ])
      await refused(address)
    assert.equal(publisher.calls.length, 0)
  })

  test('must not be on the host of the service, which publishes uploaded files', async () => {
    assert.match(await refused(`${world.url}/client.json`), /must not be an address of this service/)
  })

  test('may prefer authentication by a key, if the client also supports none', async () => {
    const more = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: `${originOf(publisher)}/keys` }
    const supported = { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] }
    const page = await ask(await flow.person(), publish({ ...more, ...supported }))
    assert.equal(page.status, 200, page.text)
    for (const methods of [['private_key_jwt'], 'none', undefined])
      await refused(publish({ ...more, token_endpoint_auth_methods_supported: methods }))
  })

  test('is used for a day after it became stale if its host is away, but not if the document is gone', async () => {
    const person = await flow.person()
    for (const [behaviour, status] of [
      [answer(503), 200],
      [answer(429), 200],
      [((response) => response.destroy()) satisfies Behaviour, 200],
      [answer(404), 400],
      [answer(302, { location: `${originOf(publisher)}/elsewhere.json` }), 400],
      [json({}), 400],
    ] as const) {
      const address = publish({}, { 'cache-control': 'max-age=86400' })
      assert.equal((await ask(person, address)).status, 200)
      publisher.behave(behaviour)
      world.clock.advance(86_401)
      assert.equal((await ask(await flow.person(), address)).status, status, String(behaviour))
      world.clock.advance(86_400)
      assert.equal((await ask(await flow.person(), address)).status, 400)
    }
  })

  test('must have the required members, and no secret', async () => {
    const person = () => flow.person()
    for (const more of [
      { client_id: `${originOf(publisher)}/other.json` },
      { client_id: undefined },
      { client_secret: 'x' },
      { client_secret_expires_at: 0 },
      { token_endpoint_auth_method: 'client_secret_basic' },
      { token_endpoint_auth_method: 'private_key_jwt' },
      { grant_types: ['client_credentials'] },
      { response_types: 'code' },
      { client_name: undefined },
      { client_name: 'a\u202egnp' },
      { client_name: 'a\ud800' },
      { client_name: 'x'.repeat(101) },
      { client_name: ['Editor'] },
      { redirect_uris: undefined },
      { redirect_uris: [] },
      { redirect_uris: 'http://127.0.0.1/' },
    ])
      assert.match(await refused(publish(more), await person()), /is missing or not supported/)
  })

  test('allows no redirect address of another origin', async () => {
    const { port } = publisher
    const foreign = [
      'https://elsewhere.example/callback',
      `https://localhost:${port + 1}/callback`,
      `https://localhost:${port}.evil.example/callback`,
      `https://localhost:${port}@evil.example/callback`,
      'http://elsewhere.example/callback',
      'http://127.0.0.1.evil.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      'cursor://anything',
      `${originOf(publisher)}/callback#part`,
    ]
    for (const uri of foreign) await refused(publish({ redirect_uris: [uri] }))
    const person = await flow.person()
    const address = publish({ redirect_uris: ['http://localhost/callback', ...foreign] })
    for (const redirect_uri of [...foreign, `${originOf(publisher)}/callback`])
      await refused(address, person, { redirect_uri })
    const page = await ask(person, address, { redirect_uri: 'http://localhost:4000/callback' })
    assert.equal(page.status, 200, page.text)
  })

  test('is fetched within limits and without redirects, with the same message for each failure', async () => {
    const endless: Behaviour = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const write = () => {
        while (!response.destroyed && response.write(' '.repeat(4096)));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    }
    const texts = new Set<string>()
    for (const behaviour of [
      answer(302, { location: `${originOf(publisher)}/elsewhere.json` }),
      answer(200, { 'content-type': 'text/html' }, '{}'),
      answer(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'x'),
      json({ padding: 'x'.repeat(20_000) }),
      endless,
      answer(500),
      ((response) => response.destroy()) satisfies Behaviour,
    ]) {
      const address = newAddress()
      publisher.behave(behaviour)
      publisher.calls.length = 0
      texts.add(await refused(address).then((text) => /The client metadata document[^<]*/.exec(text)?.[0] ?? text))
      assert.equal(publisher.calls.length, 1)
    }
    assert.equal(texts.size, 1, [...texts].join('\n'))
    publisher.behave(answer(200, { 'content-type': 'application/json' }, 'not JSON'))
    const mistaken = await refused(newAddress())
    assert.match(mistaken, /is not a JSON object/)
    assert.match(mistaken, /has a mistake that only its developers can mend/)
  })

  test('is never fetched from an address that is not public', async () => {
    const text = await refused(`https://127.0.0.1:${publisher.port}/client.json`)
    for (const host of ['[::1]', '10.0.0.1', '169.254.169.254', '[::ffff:7f00:1]', '100.64.0.1'])
      await refused(`https://${host}:${publisher.port}/client.json`)
    assert.match(text, /cannot be read/)
    assert.equal(publisher.calls.length, 0)
  })

  test('is fetched once for concurrent requests, and again a minute after a failure', async () => {
    const people = await Promise.all([1, 2, 3].map(() => flow.person()))
    const address = publish()
    const pages = await Promise.all(people.map((person) => ask(person, address)))
    assert.deepEqual(
      pages.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal(publisher.calls.length, 1)
    const [person] = people
    const failing = newAddress()
    publisher.behave(answer(503))
    for (let times = 0; times < 3; times += 1) await refused(failing, person)
    assert.equal(publisher.calls.length, 2)
    publisher.behave(json(documentOf(failing)))
    world.clock.advance(61)
    assert.equal((await ask(person as Person, failing)).status, 200)
  })

  test('is fetched at a limited rate for one person', async () => {
    const person = await flow.person()
    publisher.behave(answer(404))
    const texts = []
    for (let times = 0; times < 12; times += 1) texts.push(await refused(newAddress(), person))
    assert.equal(publisher.calls.length, 10)
    assert.match(String(texts.at(-1)), /Too many new applications/)
    for (const text of texts) assert.doesNotMatch(text, /has a mistake that only its developers can mend/)
    assert.match(await refused(newAddress()), /cannot be read/)
  })
})

test('one address causes a limited number of fetches for all its people', async () => {
  const fetched: string[] = []
  const documents = new ClientDocuments({
    baseUrl: world.url,
    clock: world.clock,
    rates: new MemoryRates(),
    fetch: async ({ href }) => {
      fetched.push(href)
      return { text: JSON.stringify(documentOf(href)), maxAgeSeconds: undefined }
    },
    onFailure: () => {},
  })
  for (let at = 0; at < 1000; at += 1) {
    const asked = { userId: at % 200, address: '192.0.2.1' }
    await documents.find(`https://editor.example/${at}.json`, asked).catch((error) => {
      assert.ok(error instanceof ClientRefused)
    })
  }
  assert.equal(fetched.length, 300)
})

describe('the applications of documents', () => {
  test('number at most 50 for one person, even if several are allowed concurrently', async () => {
    const person = await flow.person()
    const consented = (added: number) =>
      world.database.rows(
        `with added as (
          insert into applications (name, uid, confidential)
          select 'x', 'https://elsewhere.example/' || $1::int || '-' || n, false from generate_series(1, $2::int) n
          returning id
        )
        insert into consents (user_id, application_id, scopes, last_scopes) select $1, id, '{public}', '{public}' from added`,
        [person.id, added],
      )
    await consented(49)
    const behave = (addresses: readonly string[]) =>
      publisher.behave((response, call, socket) => {
        const address = addresses.find((one) => one.endsWith(call.path)) ?? ''
        json(documentOf(address))(response, call, socket)
      })
    const addresses = [newAddress(), newAddress(), newAddress()]
    behave(addresses)
    const pages = await Promise.all(addresses.map((address) => person.submit(pathOf(address), { decision: 'allow' })))
    const codes = pages.filter(({ location }) => location?.includes('code='))
    assert.equal(codes.length, 1)
    for (const page of pages.filter((one) => !codes.includes(one))) assert.match(page.text, /You may allow 50/)
    const rows = await Promise.all(addresses.map(applications))
    assert.equal(rows.flat().length, 1)
    // A client that the person allows already may be allowed again.
    const again = addresses[pages.indexOf(codes[0] as Page)] as string
    assert.ok(answered(await person.submit(pathOf(again), { decision: 'allow' })).get('code'))
  })
})
