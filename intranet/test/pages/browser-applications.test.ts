import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { loadTls } from '@campus/engine/http/tls'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { TOTP } from 'otpauth'
import { createApplication } from '../../oauth/applications/create.ts'

const skip = withoutBrowser
/** Redirect address with a closed port, so that the browser shows its own error page. */
const BACK = 'https://localhost:1/back'

let world: World
let browser: TestBrowser
let adaId: number
before(async () => {
  if (skip) return
  world = await campus()
  adaId = (await personOf(world, { login: 'ada', first_name: 'Ada', last_name: 'Lovelace' })).id
  await personOf(world, { login: 'boss', kind: 'admin', first_name: 'Grace', last_name: 'Hopper' })
  browser = await openBrowser(world)
})
after(async () => {
  await browser?.close()
  await world?.close()
})

/** A window in which somebody has signed in. */
async function signedIn(login: string, options: Parameters<TestBrowser['window']>[0] = {}): Promise<Window> {
  const window = await browser.window(options)
  await window.open('/sign-in')
  await window.page.getByLabel('Login').fill(login)
  await window.page.getByLabel('Password').fill(PASSWORD)
  await window.page.getByRole('button', { name: 'Sign in' }).click()
  await window.page.getByRole('button', { name: login, exact: true }).waitFor()
  return window
}

async function look(window: Window, name: string): Promise<void> {
  await window.picture(name)
  await window.assertAccessible()
}

const heading = ({ page }: Window, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Records two weeks of requests and refusals of an application. */
async function useApplication(applicationId: number): Promise<void> {
  const hour = Math.floor(world.clock.now().getTime() / 3_600_000) * 3_600_000
  const routes = [
    ['GET /v2/campus/:campus_id/locations', 200, 40],
    ['GET /v2/users/:id', 200, 25],
    ['GET /v2/users/:id', 404, 2],
    ['GET /v2/campus/:campus_id/locations', 429, 5],
    ['GET /v2/closes', 403, 1],
    ['GET /v2/campus', 503, 1],
  ] as const
  for (let ago = 0; ago < 14 * 24; ago += 3) {
    const wave = 1 + Math.sin(ago / 3.8)
    for (const [route, status, made] of routes) {
      await world.database.rows('insert into application_route_calls values ($1, $2, $3, $4, $5)', [
        ...[applicationId, new Date(hour - ago * 3_600_000).toISOString(), route, status, Math.ceil(made * wave)],
      ])
    }
  }
  for (const [reason, status, route] of [
    ['record', 404, 'GET /v2/users/:id'],
    ['scope', 403, 'GET /v2/closes'],
    ['second', 429, 'GET /v2/campus/:campus_id/locations'],
  ] as const) {
    await world.database.rows(
      `insert into application_refusals (application_id, created_at, status, reason, route) values ($1, $2, $3, $4, $5)`,
      [applicationId, world.clock.now().toISOString(), status, reason, route],
    )
  }
}

/** The calls of an active day. */
async function makeCalls(applicationId: number): Promise<void> {
  const hour = Math.floor(world.clock.now().getTime() / 3_600_000) * 3_600_000
  for (let ago = 0; ago < 24; ago += 1) {
    const made = Math.round(60 + 50 * Math.sin(ago / 3.5)) + (ago % 5) * 7
    await world.database.rows('insert into application_calls values ($1, $2, $3, $4)', [
      ...[
        applicationId,
        new Date(hour - ago * 3_600_000).toISOString(),
        made,
        ago % 6 === 2 ? Math.round(made / 4) : 0,
      ],
    ])
  }
}

test('a developer registers an application, renews its secret, changes and deletes it', { skip }, async () => {
  const window = await signedIn('ada')
  const { page } = window
  await window.choose('Developers', 'My applications')
  await page.getByRole('link', { name: 'Register an application' }).click()
  await heading(window, 'Register an application')
  await look(window, 'application-new')
  await page.getByLabel('Name', { exact: true }).fill('test')
  await page.getByLabel('Redirect addresses').fill('http://map.example/back')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.locator('#name-fault').waitFor()
  assert.equal(await page.getByLabel('Redirect addresses').inputValue(), 'http://map.example/back')
  await look(window, 'application-refused')
  await page.getByLabel('Name', { exact: true }).fill('Cluster map')
  await page.getByLabel('Description').fill('Shows who sits where,\nand which seats are free.')
  await page.getByLabel('Website').fill('https://map.example')
  await page.getByLabel('Redirect addresses').fill('https://map.example/back')
  await page.getByLabel('projects Read and write').check()
  await page.getByLabel('Show it to everybody').check()
  await page.getByRole('button', { name: 'Register' }).click()
  await heading(window, 'Cluster map is registered')
  const secret = (await page.locator('#secret').textContent()) ?? ''
  assert.match(secret, /^[0-9a-f]{64}$/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const [button, id] of [
    ['Copy the secret', 'secret'],
    ['Copy the request', 'first-request'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('button', { name: 'Copied' }).first().waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), await page.locator(`#${id}`).textContent())
  }
  await page.getByRole('button', { name: 'Copied' }).first().waitFor({ state: 'detached' })
  await look(window, 'application-registered')

  await page.getByRole('link', { name: 'Go on to the application' }).click()
  await heading(window, 'Cluster map')
  assert.ok(!(await page.content()).includes(secret))
  const id = Number(new URL(page.url()).pathname.split('/').at(-1))
  await makeCalls(id)
  await useApplication(id)
  await page.reload()
  await look(window, 'application')
  await page.getByLabel('Path', { exact: true }).selectOption('GET /v2/closes')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('calls in the last 14 days').first().waitFor()
  await look(window, 'application-filtered')

  await page.getByRole('link', { name: 'New secret' }).click()
  await look(window, 'application-new-secret')
  await page.getByLabel('works for one more day').check()
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await page.getByText('The former secret works until 3 Mar 2026').waitFor()
  assert.notEqual((await page.locator('#secret').textContent()) ?? '', secret)
  await look(window, 'application-secret')

  await window.open('/applications')
  await look(window, 'applications')
  await page.getByRole('link', { name: 'Change Cluster map' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Seat map')
  await look(window, 'application-edit')
  await page.getByRole('button', { name: 'Save' }).click()
  await heading(window, 'Seat map')
  await page.getByText('Saved.').waitFor()
  await window.open('/public-applications')
  await look(window, 'public-applications')
  await window.open('/applications')
  await page.getByRole('link', { name: 'Delete Seat map' }).click()
  await look(window, 'application-delete')
  await page.getByRole('button', { name: 'Delete Seat map' }).click()
  await page.getByText('Seat map is deleted.').waitFor()
  assert.deepEqual(window.strayRequests, [])
})

test('a person allows an application and takes it back, without scripts', { skip }, async () => {
  const values = { name: 'Peer finder', scopes: ['projects', 'profile'], redirect_uris: [BACK] }
  const made = await world.database.transaction((tx) =>
    createApplication(tx, { values, ownerId: adaId, actor: { userId: null }, now: world.clock.now() }),
  )
  const query = { client_id: made.uid, redirect_uri: BACK, response_type: 'code', scope: 'public projects profile' }
  const reader = await signedIn('ada')
  await reader.open(`/oauth/authorize?${new URLSearchParams(query)}`)
  await look(reader, 'consent')
  await reader.open(`/oauth/authorize?${new URLSearchParams({ ...query, redirect_uri: 'https://other.example/back' })}`)
  await reader.page.getByText('https://other.example/back').waitFor()
  await look(reader, 'consent-refused-address')
  const window = await signedIn('ada', { scripts: false })
  const { page } = window
  await window.open(`/oauth/authorize?${new URLSearchParams(query)}`)
  const left = page.waitForRequest((request) => request.url().startsWith(BACK))
  await page
    .getByRole('button', { name: 'Allow', exact: true })
    .click()
    .catch(() => {})
  const code = new URL((await left).url()).searchParams.get('code') ?? ''
  const credentials = { client_id: made.uid, client_secret: made.secret }
  const exchanged = { grant_type: 'authorization_code', code, redirect_uri: BACK, ...credentials }
  assert.equal((await world.anonymous.post('/oauth/token', exchanged)).status, 200)
  const others = (window.strayRequests as string[]).filter((url) => !url.startsWith(BACK))
  assert.deepEqual(others, [])

  await reader.open(`/applications/${made.id}/sessions`)
  await reader.page.getByRole('button', { name: 'End the session of ada' }).waitFor()
  await look(reader, 'application-sessions')
  const after = await signedIn('ada')
  await after.choose('ada', 'Authorised applications')
  await after.page.getByText('Read and write projects, teams').waitFor()
  await look(after, 'authorisations')
  await after.page.getByRole('button', { name: 'Revoke Peer finder' }).click()
  await after.page.getByText('The application may no longer act for you.').waitFor()
  await after.page.getByText('You have allowed no application.').waitFor()
  await look(after, 'authorisations-none')
  assert.deepEqual(after.strayRequests, [])
})

test('a person sets up a second factor and signs in with it', { skip }, async () => {
  const { login } = await personOf(world, { login: 'linus', first_name: 'Linus', last_name: 'Pauling' })
  const window = await signedIn(login)
  const { page } = window
  await window.choose(login, 'Sessions and security')
  await look(window, 'security')
  await page.getByRole('link', { name: 'Set up a second factor' }).click()
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Begin' }).click()
  await look(window, 'second-factor')
  const secret = ((await page.locator('#secret').textContent()) ?? '').replaceAll(' ', '')
  const code = () => new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
  await page.getByLabel('Code', { exact: true }).fill(code())
  await page.getByRole('button', { name: 'Switch it on' }).click()
  await heading(window, 'The second factor is on')
  await look(window, 'recovery-codes')
  world.clock.advance(30)

  await window.choose(login, 'Sign out')
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading(window, 'Enter your code')
  await look(window, 'sign-in-code')
  await page.getByLabel('Code', { exact: true }).fill(code())
  await page.getByRole('button', { name: 'Go on' }).click()
  await heading(window, 'Welcome, Linus Pauling')
  assert.deepEqual(window.strayRequests, [])
})

test('staff grant a role, close an account and make a reset link', { skip }, async () => {
  const { id: pupilId } = await personOf(world, { login: 'pupil', first_name: 'Rosalind', last_name: 'Franklin' })
  const made = await world.database.transaction((tx) =>
    createApplication(tx, {
      values: { name: 'Exam bot', description: 'Reminds people of exams.' },
      ownerId: pupilId,
      actor: { userId: pupilId },
      now: world.clock.now(),
    }),
  )
  await makeCalls(made.id)
  const window = await signedIn('boss')
  const { page } = window
  await look(window, 'home-staff')
  await window.choose('Staff', 'All applications')
  await look(window, 'staff-applications')
  await page.getByRole('link', { name: 'Exam bot' }).click()
  await page.getByText('Roles: none').click()
  await page.getByLabel('Basic Tutor').check()
  await page.getByLabel('Calls an hour').fill('6000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByText('Roles: Basic Tutor').click()
  assert.equal(await page.getByLabel('Basic Tutor').isChecked(), true)
  await page.getByText('Roles of “Exam bot”: given Basic Tutor').waitFor()
  await look(window, 'staff-application')

  await window.open('/staff/users')
  await page.getByLabel('Login, name or e-mail address').fill('franklin')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await look(window, 'staff-users')
  await page.getByRole('link', { name: 'pupil' }).click()
  await page.getByRole('button', { name: 'Create a reset link' }).click()
  await heading(window, 'Reset link for pupil')
  await look(window, 'staff-reset-link')
  await page.getByRole('link', { name: 'Back to pupil' }).click()
  await page.getByText('Close the account', { exact: true }).click()
  await page.getByLabel('Reason').fill('Moved to another school')
  await look(window, 'staff-user')
  await page.getByRole('button', { name: 'Close the account of pupil' }).click()
  await page.getByText('The account of pupil is closed.').waitFor()
  await look(window, 'staff-user-closed')
  await page.getByRole('button', { name: 'Open the account again' }).click()
  await page.getByText('The account of pupil is open again.').waitFor()

  await window.open('/staff/users')
  await page.getByRole('link', { name: 'Open an account' }).click()
  await page.getByLabel('First name', { exact: true }).fill('Emmy')
  await page.getByLabel('Family name').fill('Noether')
  await page.getByLabel('E-mail address').fill('emmy@school.test')
  await look(window, 'staff-user-new')
  await page.getByRole('button', { name: 'Open the account' }).click()
  await heading(window, 'Emmy Noether')
  await window.choose('Staff', 'Webservices')
  await page.getByRole('link', { name: 'Register a webservice' }).click()
  await look(window, 'staff-endpoint-new')
  await page.getByLabel('Address').fill('https://users.example.org/hooks')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('The webservice is registered and switched on.').waitFor()
  await window.choose('Staff', 'Audit log')
  await page.getByText('The webservice https://users.example.org/hooks registered').waitFor()
  await look(window, 'staff-audit')
  assert.deepEqual(window.strayRequests, [])
})

test('everything is done by keyboard, and is readable in the dark', { skip }, async () => {
  const window = await signedIn('boss', { dark: true })
  const { page } = window
  await window.open('/applications/new')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.id'), 'name')
  await page.keyboard.type('Night bus times')
  for (let count = 0; count < 12; count += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement.textContent')) === 'Register') break
  }
  await page.keyboard.press('Enter')
  await heading(window, 'Night bus times is registered')
  await look(window, 'dark-application-registered')
  await page.getByRole('link', { name: 'Go on to the application' }).click()
  const id = Number(new URL(page.url()).pathname.split('/').at(-1))
  await makeCalls(id)
  await useApplication(id)
  await page.reload()
  await look(window, 'dark-application')
  for (const path of ['/', '/security', '/staff/applications', '/staff/users']) {
    await window.open(path)
    await window.assertAccessible()
  }
})

test('a form_post response reaches the application, also from its hidden frame', { skip }, async () => {
  const posts: { origin: string | undefined; fields: Record<string, string> }[] = []
  /** The application. It confirms a posted response, and makes a silent request in a frame. */
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.method === 'POST') {
      const fields = Object.fromEntries(new URLSearchParams(await text(request)))
      posts.push({ origin: request.headers.origin, fields })
      return response.end('<h1>Received</h1>')
    }
    response.end(
      `<h1>Application</h1><iframe src="${addressOf({ prompt: 'none' }).replaceAll('&', '&amp;')}"></iframe>`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const back = `http://127.0.0.1:${(server.address() as AddressInfo).port}/back`
  const app = await world.database.transaction((tx) =>
    createApplication(tx, {
      values: { name: 'Form reader', redirect_uris: [back] },
      ownerId: adaId,
      actor: { userId: null },
      now: world.clock.now(),
    }),
  )
  const addressOf = (more: Record<string, string>) =>
    `${world.url}/oauth/authorize?${new URLSearchParams({ client_id: app.uid, redirect_uri: back, response_type: 'code', response_mode: 'form_post', ...more })}`
  try {
    const window = await signedIn('ada')
    await window.page.goto(addressOf({ state: 'a "state" <b>' }))
    await window.page.getByRole('button', { name: 'Allow', exact: true }).click()
    await heading(window, 'Received')
    assert.equal(posts[0]?.fields.state, 'a "state" <b>')
    assert.match(posts[0]?.fields.code ?? '', /^[0-9a-f]{64}$/)
    assert.equal(posts[0]?.origin, new URL(world.url).origin)

    await window.page.goto(back)
    await window.page.frameLocator('iframe').getByRole('heading', { name: 'Received' }).waitFor()
    assert.ok(posts[1]?.fields.code ?? posts[1]?.fields.error === 'login_required')

    const plain = await signedIn('boss', { scripts: false })
    await plain.page.goto(addressOf({ state: 'plain' }))
    await plain.page.getByRole('button', { name: 'Do not allow' }).click()
    await plain.page.getByRole('button', { name: 'Continue' }).click()
    await heading(plain, 'Received')
    assert.equal(posts[2]?.fields.error, 'access_denied')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('an application may redirect the response again, to another scheme', { skip }, async () => {
  const folder = await temporaryFolder()
  const program = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Back in the program</h1>'),
  )
  const site = createSecureServer(await loadTls({ data: folder.path, tls: undefined }), (request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${portOf(program)}${request.url}` }).end(),
  )
  try {
    for (const server of [program, site]) await once(server.listen(0, '127.0.0.1'), 'listening')
    const back = `https://localhost:${portOf(site)}/back`
    const app = await world.database.transaction((tx) =>
      createApplication(tx, {
        values: { name: 'Desktop program', redirect_uris: [back] },
        ownerId: adaId,
        actor: { userId: null },
        now: world.clock.now(),
      }),
    )
    const query = { client_id: app.uid, redirect_uri: back, response_type: 'code' }
    const window = await signedIn('ada')
    await window.open(`/oauth/authorize?${new URLSearchParams(query)}`)
    await window.page.getByRole('button', { name: 'Allow', exact: true }).click()
    await heading(window, 'Back in the program')
  } finally {
    for (const server of [program, site]) {
      server.closeAllConnections()
      server.close()
    }
    await folder.remove()
  }
})

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port
