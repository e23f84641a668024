/** Programs of Debian's sign people in by OpenID Connect, each as a process of its own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBrowser, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { runFolder } from '@campus/test/support/databases'
import { freePort } from '@campus/test/support/free-port'
import { answered, type Flow, flowOf, type Registered } from '@campus/test/support/oauth-flow'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { redirectingBrowserOf } from '@campus/test/support/redirect-chain'
import { until } from '@campus/test/support/until'
import { findPython, OLDEST_PYTHON } from '../../../clients/python/scripts/find-python.ts'
import { apache, apacheSkip } from './relying/apache.ts'
import { lemonldap, lemonldapSkip, returnsOf } from './relying/lemonldap.ts'
import { type Chosen, relyingParty } from './relying/relying-party.ts'

const PYTHON = findPython(['authlib', 'requests'])
const NO_AUTHLIB = `SKIPPED: no python3 of version ${OLDEST_PYTHON} or later with Authlib (install Debian's package python3-authlib)`

let world: World
let flow: Flow
/** Certificate of the service and of the sites of this file. */
const TLS = { cert: join(runFolder(), 'tls/cert.pem'), key: join(runFolder(), 'tls/key.pem') }
before(async () => {
  const env = { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: TLS.cert }
  // The programs read times by the clock of this machine.
  world = await campus({ now: new Date().toISOString(), env })
  flow = flowOf(world)
})
after(() => world?.close())

const register = (chosen: Chosen) => relyingParty({ world, flow }, chosen)

describe('Authlib', { skip: PYTHON ? false : NO_AUTHLIB }, () => {
  const redirect_uri = 'https://forum.example/callback'

  type Found = {
    readonly header: { readonly alg: string }
    readonly claims: Readonly<Record<string, unknown>>
    readonly userinfo: Readonly<Record<string, unknown>>
    readonly refreshed: boolean
    readonly ended: number
    readonly refusals: readonly (string | null)[]
  }

  /** Runs the program, with a person at the browser. */
  async function signIn(app: Registered, login: { algorithm: string; method: string }): Promise<Found> {
    const person = await flow.person({ first_name: 'Grace', last_name: 'Hopper' })
    const { uid: client_id, secret: client_secret } = app
    const cafile = join(String(world.config.data), 'tls/cert.pem')
    const wanted = { ...login, client_id, client_secret, redirect_uri, issuer: world.url }
    const program = fileURLToPath(new URL('relying/sign_in.py', import.meta.url))
    const child = spawn(String(PYTHON), ['-I', program, JSON.stringify(wanted)], {
      env: { REQUESTS_CA_BUNDLE: cafile },
    })
    let errors = ''
    child.stderr.on('data', (data) => (errors += data))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const address = (await lines.next()).value ?? assert.fail(errors)
    assert.match(address, /code_challenge_method=S256/)
    const { location } = await person.submit(address.slice(world.url.length), { decision: 'allow' })
    child.stdin.end(`${location}\n`)
    const found: Found = JSON.parse((await lines.next()).value ?? assert.fail(errors))
    await once(child, 'close')
    assert.equal(found.claims.preferred_username, person.login)
    return found
  }

  for (const [algorithm, method] of [
    ['RS256', 'client_secret_basic'],
    ['ES256', 'client_secret_post'],
  ] as const)
    it(`signs a person in, and verifies ${algorithm} by the published keys (${method})`, async () => {
      const app = await register({ redirect_uris: [redirect_uri], id_token_signed_response_alg: algorithm })
      const { header, claims, userinfo, refreshed, ended, refusals } = await signIn(app, { algorithm, method })
      assert.equal(header.alg, algorithm)
      assert.deepEqual(claims.groups, ['kind:student'])
      for (const name of ['sub', 'name', 'email', 'groups']) assert.deepEqual(userinfo[name], claims[name], name)
      assert.equal(refreshed, true)
      assert.equal(ended, 401)
      assert.deepEqual(refusals, ['InvalidClaimError', 'InvalidClaimError'])
    })
})

describe('Apache with mod_auth_openidc', { skip: apacheSkip() }, () => {
  let site: Awaited<ReturnType<typeof apache>>
  let client: Registered & { readonly secret: string }
  before(async () => {
    const port = await freePort()
    const origin = `https://localhost:${port}`
    client = await register({
      redirect_uris: [`${origin}/signed-in`],
      post_logout_redirect_uris: [`${origin}/bye`],
      backchannel_logout_uri: `${origin}/signed-in?logout=backchannel`,
    })
    site = await apache({ port, issuer: world.url, tls: TLS, client })
  })
  after(() => site?.stop())

  /** A person who has come to a page of the site. */
  async function visit(path: string) {
    const person = await flow.person({ first_name: 'Ada', last_name: 'Byron' })
    const browser = redirectingBrowserOf(world, person, site.agent)
    const { page, address, passed } = await browser.travel(`${site.origin}${path}`)
    const at = browser.at(site.origin)
    return { person, browser, page, address, passed, at }
  }

  it('signs a person in and passes on who it is', async () => {
    const { person, page, address, passed } = await visit('/students/page?x=1')
    assert.equal(address, `${site.origin}/students/page?x=1`, await site.log())
    assert.equal(page.status, 200)
    const headers = JSON.parse(page.text)
    assert.equal(headers['x-remote-user'], person.login)
    assert.equal(headers['x-claim-name'], 'Ada Byron')
    assert.equal(headers['x-claim-email'], `${person.login}@campus.test`)
    assert.equal(headers['x-claim-groups'], 'kind:student')
    assert.ok(passed.some((one) => one.startsWith(`${world.url}/oauth/authorize?`)))
  })

  it('refuses who is not of the group, and headers of the browser', async () => {
    const { at, page } = await visit('/staff/')
    assert.equal(page.status, 401)
    const forged = await at.get('/students/', { 'x-remote-user': 'root', 'x-claim-groups': 'kind:admin' })
    assert.equal(JSON.parse(forged.text)['x-claim-groups'], 'kind:student')
    assert.notEqual(JSON.parse(forged.text)['x-remote-user'], 'root')
  })

  it('signs a person out of itself and of the service', async () => {
    const { person, browser, at } = await visit('/students/')
    const bye = encodeURIComponent(`${site.origin}/bye`)
    const { address, passed } = await browser.travel(`${site.origin}/signed-in?logout=${bye}`)
    assert.equal(address, `${site.origin}/bye`, passed.join('\n'))
    assert.ok(passed.some((one) => one.startsWith(`${world.url}/oauth/logout?`)))
    assert.ok((await at.get('/students/')).location?.startsWith(`${world.url}/oauth/authorize`))
    assert.match((await person.get('/security')).location ?? '', /^\/sign-in/)
  })

  it('signs a person out who has signed out of the service', async () => {
    const [one, other] = [await visit('/students/'), await visit('/students/')]
    assert.equal((await one.at.get('/students/')).status, 200)
    await one.person.submit('/', {}, '/sign-out')
    await until(async () => (await one.at.get('/students/')).status !== 200)
    assert.ok((await one.at.get('/students/')).location?.startsWith(`${world.url}/oauth/authorize`))
    assert.equal((await other.at.get('/students/')).status, 200)
  })

  it('reads the new keys where all were replaced', async () => {
    await world.database.rows('delete from signing_keys')
    const { person, page, at } = await visit('/students/')
    assert.equal(JSON.parse(page.text)['x-remote-user'], person.login, await site.log())
    await person.submit('/', {}, '/sign-out')
    await until(async () => (await at.get('/students/')).status !== 200)
  })

  it('leads a browser to the sign-in, the consent, back, and out', { skip: withoutBrowser }, async () => {
    const { login } = await personOf(world)
    const browser = await openBrowser(world)
    try {
      const { page } = await browser.window()
      await page.goto(`${site.origin}/students/page`)
      await page.fill('[name=login]', login)
      await page.fill('[name=password]', PASSWORD)
      await page.press('[name=password]', 'Enter')
      await page.click('button[value=allow]')
      await page.waitForURL(`${site.origin}/students/page`)
      assert.equal(JSON.parse((await page.textContent('body')) ?? '')['x-remote-user'], login)
      await page.goto(`${site.origin}/signed-in?logout=${encodeURIComponent(`${site.origin}/bye`)}`)
      await page.waitForURL(`${site.origin}/bye`)
      await page.goto(`${site.origin}/students/page`)
      assert.ok(page.url().startsWith(`${world.url}/sign-in?`), page.url())
    } finally {
      await browser.close()
    }
  })

  it('takes no other statement for a logout token, not even an ID token of the session', async () => {
    const { person, at } = await visit('/students/')
    const redirect_uri = `${site.origin}/signed-in`
    const grant = { grant_type: 'authorization_code', redirect_uri }
    const code = answered(await flow.ask(person, client, { redirect_uri, scope: 'openid' })).get('code') ?? ''
    const { json } = await flow.exchange(client, { ...grant, code })
    assert.ok(json.id_token)
    for (const logout_token of ['x', 'eyJhbGciOiJub25lIn0.e30.', json.id_token]) {
      const { status } = await at.post('/signed-in?logout=backchannel', { logout_token })
      assert.equal(status, 400, logout_token)
    }
    assert.equal((await at.get('/students/')).status, 200)
  })
})

describe('LemonLDAP::NG', { skip: lemonldapSkip() }, () => {
  let portal: Awaited<ReturnType<typeof lemonldap>>
  before(async () => {
    const port = await freePort()
    const returns = returnsOf(`http://127.0.0.1:${port}`)
    const client = await register({
      redirect_uris: [returns.signedIn],
      post_logout_redirect_uris: [returns.signedOut],
    })
    const { text: metadata } = await world.anonymous.get('/.well-known/openid-configuration')
    portal = await lemonldap({ port, metadata, client, ca: TLS.cert })
  })
  after(() => portal?.stop())

  it('signs a person in by the keys that it read at its start, and out', async () => {
    const person = await flow.person({ first_name: 'Ada', last_name: 'Byron' })
    const { travel, at } = redirectingBrowserOf(world, person, portal.agent)
    const { page, address, passed } = await travel(`${portal.origin}/`)
    assert.equal(new URL(address).origin, portal.origin, passed.join('\n'))
    assert.match(page.text, new RegExp(`"connectedAs">[^<]*</span> ${person.id}\\b`))
    assert.deepEqual(JSON.parse((await at(portal.origin).get('/mysession/?whoami')).text), { result: person.login })
    const out = await travel(`${portal.origin}/?logout=1`)
    assert.ok(
      out.passed.some((one) => one.startsWith(`${world.url}/oauth/logout?`)),
      out.passed.join('\n'),
    )
    assert.equal(out.address, `${portal.origin}/?logout=1`)
    assert.ok((await travel(`${portal.origin}/`)).address.startsWith(`${world.url}/sign-in?`))
    assert.match((await person.get('/security')).location ?? '', /^\/sign-in/)
  })
})
