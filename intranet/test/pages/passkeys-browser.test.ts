/** Passkeys in Chromium, by the authenticator that it emulates. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf } from '@campus/test/support/people'
import type { CDPSession } from 'playwright-core'
import { requireSecondFactor } from '../../access/second-factor-requirements.ts'

const skip = withoutBrowser

let world: World
let browser: TestBrowser
before(async () => {
  if (withoutBrowser) return
  world = await campus()
  browser = await openBrowser(world)
})
after(async () => {
  await browser?.close()
  await world?.close()
})

type Emulated = { readonly session: CDPSession; readonly authenticatorId: string }

/** An authenticator of a window, which shows its user to be there and who they are, or does not. */
async function authenticatorIn(window: Window, more: { readonly isUserVerified?: boolean } = {}): Promise<Emulated> {
  const session = await window.page.context().newCDPSession(window.page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...({ protocol: 'ctap2', transport: 'internal' } as const),
      ...{ hasResidentKey: true, hasUserVerification: true, automaticPresenceSimulation: true },
      isUserVerified: more.isUserVerified ?? true,
    },
  })
  return { session, authenticatorId }
}

/** Has another window use the passkeys of the first. */
async function copyPasskeys(from: Emulated, to: Emulated): Promise<void> {
  const { credentials } = await from.session.send('WebAuthn.getCredentials', from)
  for (const credential of credentials)
    await to.session.send('WebAuthn.addCredential', { authenticatorId: to.authenticatorId, credential })
}

const heading = (window: Window, name: string | RegExp) =>
  window.page.getByRole('heading', { level: 1, name }).waitFor()

async function typePassword({ page }: Window, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signedIn(login: string): Promise<Window> {
  const window = await browser.window()
  await window.open('/sign-in')
  await typePassword(window, login)
  await heading(window, /^Welcome/)
  return window
}

async function addPasskey(window: Window, name: string): Promise<void> {
  const { page } = window
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Name').press('Enter')
}

test('a person adds a passkey, and signs in by it from a button and where the login is typed', { skip }, async () => {
  const { login } = await personOf(world, { first_name: 'Emmy', last_name: 'Noether' })
  const window = await signedIn(login)
  const { page } = window
  const authenticator = await authenticatorIn(window)
  await window.open('/security')
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await window.picture('passkey-proof')
  await window.assertAccessible()
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Go on' }).click()
  await window.picture('passkey-new')
  await window.assertAccessible()
  await page.getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await heading(window, 'The passkey is added')
  await window.picture('passkey-codes')
  await window.assertAccessible()
  await page.evaluate('window.print = () => { document.title = "printed" }')
  await page.getByRole('button', { name: 'Print the codes' }).click()
  assert.equal(await page.title(), 'printed')
  await page.getByRole('link', { name: 'Back to Sessions and security' }).click()
  await page.getByText('Laptop', { exact: true }).waitFor()
  await window.picture('passkeys')
  await window.assertAccessible()

  // The browser offers it by itself, as soon as the page for signing in is there: the emulated one takes the first.
  await window.choose(login, 'Sign out')
  await window.open('/sign-in')
  await heading(window, 'Welcome, Emmy Noether')

  // Another window, whose authenticator answers nobody by itself, has the button.
  const other = await browser.window()
  const copy = await authenticatorIn(other)
  await copy.session.send('WebAuthn.setAutomaticPresenceSimulation', {
    authenticatorId: copy.authenticatorId,
    enabled: false,
  })
  await copyPasskeys(authenticator, copy)
  await other.open('/sign-in?return_to=/security')
  await other.picture('sign-in-passkey')
  await other.assertAccessible()
  await copy.session.send('WebAuthn.setAutomaticPresenceSimulation', {
    authenticatorId: copy.authenticatorId,
    enabled: true,
  })
  await other.page.getByRole('button', { name: 'Use a passkey' }).click()
  await heading(other, 'Sessions and security')
  assert.deepEqual([...window.strayRequests, ...other.strayRequests], [])
})

test('a passkey is the second factor after the password, and proves a change', { skip }, async () => {
  const { login } = await personOf(world, { first_name: 'Mary', last_name: 'Somerville' })
  const window = await signedIn(login)
  const { page } = window
  const first = await authenticatorIn(window)
  await window.open('/security')
  await addPasskey(window, 'Laptop')
  await heading(window, 'The passkey is added')

  const other = await browser.window()
  await other.open('/sign-in')
  await typePassword(other, login)
  await heading(other, 'Show that it is you')
  await other.picture('sign-in-code-passkey')
  await other.assertAccessible()
  const copy = await authenticatorIn(other)
  await copyPasskeys(first, copy)
  await other.page.getByRole('button', { name: 'Use a passkey' }).click()
  await heading(other, 'Welcome, Mary Somerville')

  await window.open('/security')
  await page.getByRole('link', { name: 'Remove Laptop' }).click()
  await window.picture('passkey-remove')
  await window.assertAccessible()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  // The copy has counted on, so that the first one is refused: there are two of it.
  await page.getByText('The passkey was not accepted.').waitFor()
  await other.open('/security')
  await other.page.getByRole('link', { name: 'Remove Laptop' }).click()
  await other.page.getByRole('button', { name: 'Use a passkey' }).click()
  await other.page.getByText('The passkey is removed.').waitFor()
})

test('an authenticator that does not show who is there makes no passkey, and the page says so', { skip }, async () => {
  const { login } = await personOf(world)
  const window = await signedIn(login)
  await authenticatorIn(window, { isUserVerified: false })
  await window.open('/security')
  await addPasskey(window, 'Somebody’s')
  await window.page.getByText('The browser gave no passkey. Try again, or go another way.').waitFor()
  await window.assertAccessible()
})

test('without scripts the pages say what there is instead', { skip }, async () => {
  const { login } = await personOf(world)
  const window = await browser.window({ scripts: false })
  await window.open('/sign-in')
  assert.equal(await window.page.getByRole('button', { name: 'Use a passkey' }).isVisible(), false)
  await typePassword(window, login)
  await heading(window, /^Welcome/)
  await window.open('/security/passkeys/new')
  await window.page.getByText('Browsers make passkeys by scripts, which are switched off here.').waitFor()
})

test('who has to have a second factor is led to it by phone and desktop, in light and dark', { skip }, async () => {
  const { id, login } = await personOf(world, { first_name: 'Ida', last_name: 'Rhodes' })
  const campusId = await world.build.campus({ name: 'Lyon' })
  await world.build.record('campus_users', { user_id: id, campus_id: campusId, is_primary: true })
  const by = { actor: { userId: null }, now: world.clock.now() }
  await world.database.transaction((tx) =>
    requireSecondFactor(tx, { group: { of: 'campus', id: campusId }, isRequired: true, ...by }),
  )
  const window = await browser.window({ dark: true })
  await window.open('/sign-in?return_to=/applications')
  await typePassword(window, login)
  await heading(window, 'Set up a second factor')
  await window.picture('enrol')
  await window.assertAccessible()
  await authenticatorIn(window)
  await addPasskey(window, 'Phone')
  await heading(window, 'The passkey is added')
  await window.page.getByRole('link', { name: 'Go on' }).click()
  await heading(window, 'My applications')
})
