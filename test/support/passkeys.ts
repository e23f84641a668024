import assert from 'node:assert/strict'
import type { World } from './campus.ts'
import { PASSWORD, type SignedIn, signedInOf } from './people.ts'
import { type Asked, type Lies, SoftwareAuthenticator } from './software-authenticator.ts'
import { csrfTokenIn, type Page, type Visitor } from './visitor.ts'

/** Recovery codes that a page shows. */
export const codesIn = ({ text }: Page): readonly string[] => text.match(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g) ?? []

/** Returns the options of `navigator.credentials.create` from the page for a new passkey. */
export async function creationOf(browser: Visitor, proof: Readonly<Record<string, string>> = {}) {
  const page = await browser.submit('/security/passkeys/new', { current_password: PASSWORD, ...proof })
  const json = /data-new-passkey="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"')
  assert.ok(json, page.text)
  return { page, options: JSON.parse(json) as Required<Pick<Asked, 'challenge' | 'rp' | 'user'>> & CreationOptions }
}

type CreationOptions = {
  readonly attestation: string
  readonly authenticatorSelection: object
  readonly excludeCredentials: readonly object[]
}

/** Sends a new passkey. */
export const sendNew = (browser: Visitor, page: Page, credential: string, name = 'Phone') =>
  browser.post('/security/passkeys', { csrf_token: csrfTokenIn(page), credential, name })

/** Returns the options that a page passes to the browser. */
export async function askedAt(
  browser: Visitor,
  path: string,
): Promise<Required<Pick<Asked, 'challenge' | 'rpId' | 'allowCredentials'>>> {
  const { status, text } = await browser.get(path)
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

/** Somebody with a passkey, which they have added on the pages. */
export type WithPasskey = SignedIn & {
  readonly authenticator: SoftwareAuthenticator
  readonly codes: readonly string[]
}

export async function personWithPasskey(
  world: World,
  values: Readonly<Record<string, unknown>> = {},
  lies: Lies = {},
): Promise<WithPasskey> {
  const person = await signedInOf(world, values)
  const authenticator = new SoftwareAuthenticator(world.url)
  const { page, options } = await creationOf(person.browser)
  const added = await sendNew(person.browser, page, authenticator.create(options, lies))
  assert.equal(added.heading, 'The passkey is added', added.text)
  return { ...person, authenticator, codes: codesIn(added) }
}

/** Signs in by a passkey alone. */
export async function signInByPasskey(browser: Visitor, authenticator: SoftwareAuthenticator, lies: Lies = {}) {
  const page = await browser.get('/sign-in?return_to=/security')
  const asked = await askedAt(browser, '/sign-in/passkey/options')
  return browser.post('/sign-in/passkey?return_to=/security', {
    csrf_token: csrfTokenIn(page),
    credential: authenticator.get(asked, lies),
  })
}
