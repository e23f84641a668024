import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { type Flow, flowOf, type Registered } from '@campus/test/support/oauth-flow'
import { setPassword } from '@campus/test/support/passwords'
import { createSealing } from '../../webhooks/sealing.ts'

const PASSWORD = 'correct horse battery'

/** A program on this machine that people come back to. */
type Application = { readonly callback: string; close(): Promise<void> }

async function openApplication(): Promise<Application> {
  const server = createServer((_request, response) => response.end('Back at the application'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    callback: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

let world: World
let browser: TestBrowser
let flow: Flow
let application: Application
before(async () => {
  if (withoutBrowser) return
  world = await campus()
  await world.build.user({ login: 'ada' })
  await setPassword(world.database, 'ada', PASSWORD, new Date(), createSealing())
  browser = await openBrowser(world)
  flow = flowOf(world)
  application = await openApplication()
})
after(async () => {
  await application?.close()
  await browser?.close()
  await world?.close()
})

test('a person signs in and out', { skip: withoutBrowser }, async () => {
  const window = await browser.window()
  const { page } = window
  await window.open('/')
  await window.picture('home')
  await window.assertAccessible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await window.picture('sign-in')
  await window.assertAccessible()
  await page.getByLabel('Login').fill('ada')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The login or the password is wrong. Check both and try again.').waitFor()
  await window.picture('sign-in-refused')
  await window.assertAccessible()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome, Ada Byron' }).waitFor()
  await window.picture('home-signed-in')
  await window.assertAccessible()
  await window.choose('ada', 'Sign out')
  await page.getByText('You are signed out.').waitFor()
  assert.deepEqual(window.strayRequests, [])
})

const register = (name: string): Promise<Registered> =>
  flow.application({ name, scopes: ['public', 'projects'], redirect_uris: [application.callback] })

function authorizePath(app: Registered): string {
  const asked = { client_id: app.uid, redirect_uri: application.callback, response_type: 'code', state: 'the-state' }
  return `/oauth/authorize?${new URLSearchParams({ ...asked, scope: 'public projects' })}`
}

async function signIn({ page }: Window): Promise<void> {
  await page.getByLabel('Login').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The parameters of the redirect, once the browser is there. */
async function answerOf({ page }: Window): Promise<URLSearchParams> {
  await page.getByText('Back at the application').waitFor()
  return new URL(page.url()).searchParams
}

for (const scripts of [true, false]) {
  const way = scripts ? 'with scripts switched on' : 'with scripts switched off'
  test(`a person allows an application to act for them, ${way}`, { skip: withoutBrowser }, async () => {
    const window = await browser.window({ scripts })
    await window.open(authorizePath(await register(`Slot Finder ${scripts}`)))
    await signIn(window)
    await window.page.getByRole('heading', { name: /^Allow Slot Finder/ }).waitFor()
    await window.page.getByText('Read and write projects').waitFor()
    if (scripts) {
      await window.picture('consent')
      await window.assertAccessible()
    }
    await window.page.getByRole('button', { name: 'Allow', exact: true }).click()
    const answer = await answerOf(window)
    assert.match(answer.get('code') ?? '', /^[0-9a-f]{64}$/)
    assert.equal(answer.get('state'), 'the-state')
    assert.ok(window.strayRequests.every((address) => address.startsWith(application.callback)))
  })
}

test('a person does not allow it, by keyboard alone', { skip: withoutBrowser }, async () => {
  const window = await browser.window({ dark: true })
  const { page } = window
  await window.open(authorizePath(await register('Cluster Map')))
  await signIn(window)
  await page.getByRole('heading', { name: /^Allow Cluster Map/ }).waitFor()
  await window.picture('consent-dark')
  await window.assertAccessible()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Do not allow')
  await page.keyboard.press('Enter')
  assert.equal((await answerOf(window)).get('error'), 'access_denied')
})

test('a request with a mistake ends on a page', { skip: withoutBrowser }, async () => {
  const window = await browser.window()
  const path = authorizePath(await register('Mistaken'))
  await window.open(path.replace('callback', 'elsewhere'))
  await window.page.getByText('The redirect uri included is not valid.').waitFor()
  await window.picture('authorize-fault')
  await window.assertAccessible()
  await window.open('/nowhere')
  await window.picture('not-found')
  await window.assertAccessible()
})

test('a person looks after their sessions and password', { skip: withoutBrowser }, async () => {
  const elsewhere = await browser.window()
  await elsewhere.open('/sign-in')
  await signIn(elsewhere)
  await elsewhere.page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  const window = await browser.window()
  const { page } = window
  await window.open('/security')
  await signIn(window)
  await page.getByText('(this browser)').first().waitFor()
  await window.picture('security')
  await window.assertAccessible()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('You are signed out everywhere but here.').waitFor()
  await page.getByRole('link', { name: 'Change the password' }).click()
  await page.getByLabel('Current password').fill('not my password')
  await page.getByLabel('New password', { exact: true }).fill('another password')
  await page.getByLabel('New password, once more').fill('another password')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Current password: is wrong').waitFor()
  await window.picture('password')
  await window.assertAccessible()
  assert.deepEqual(window.strayRequests, [])
})

for (const scripts of [true, false]) {
  const way = scripts ? 'with scripts switched on' : 'with scripts switched off'
  test(`a phone has the menus in a drawer, ${way}`, { skip: withoutBrowser }, async () => {
    const window = await browser.window({ scripts })
    const { page } = window
    await page.setViewportSize({ width: 390, height: 780 })
    await window.open('/sign-in')
    await signIn(window)
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign out' }).isVisible(), false)
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    if (scripts) await window.assertAccessible()
    await page.getByRole('button', { name: 'Close the menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('link', { name: /^Public applications/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Public applications' }).waitFor()
  })
}
