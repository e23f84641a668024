/** A session cannot see or continue what another session began, even of the same person. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { flowOf } from '@campus/test/support/oauth-flow'
import { codesIn, creationOf, personWithPasskey, sendNew, signInByPasskey } from '@campus/test/support/passkeys'
import { PASSWORD, type SignedIn, signedInOf } from '@campus/test/support/people'
import { SoftwareAuthenticator } from '@campus/test/support/software-authenticator'
import { csrfTokenIn, type Page, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { TOTP } from 'otpauth'
import { requireSecondFactor } from '../../access/second-factor-requirements.ts'
import { startSession } from '../../access/sessions.ts'

const APP = '/security/second-factor'
const KEY = '__Host-campus'

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

const rows = (sql: string, values: readonly unknown[] = []) => world.database.rows(sql, values)
const secretIn = ({ text }: Page) => (/id="secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '')
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
const isSignedIn = async (browser: Visitor) => (await browser.get('/applications')).status === 200

async function another({ login }: SignedIn): Promise<Visitor> {
  const browser = visitorOf(world)
  await browser.signIn(login, PASSWORD)
  return browser
}

/** Returns another browser with a copy of the session cookie. */
function copyOf(browser: Visitor): Visitor {
  const copy = visitorOf(world)
  copy.cookies.set(KEY, browser.cookies.get(KEY) ?? '')
  return copy
}

async function beginApp(browser: Visitor): Promise<string> {
  await browser.submit(APP, { current_password: PASSWORD }, `${APP}/begin`)
  return secretIn(await browser.get(`${APP}/confirm`))
}

/**
 * Begins a process in one session. Returns a function that tries to continue it in another session, and reports whether
 * the attempt was refused.
 */
type Begun = (one: SignedIn) => Promise<(other: Visitor) => Promise<boolean>>

/** Processes that one request begins and a later request continues. */
const BEGUN: Readonly<Record<string, Begun>> = {
  'set-up of an authenticator app': async ({ id, browser }) => {
    const secret = await beginApp(browser)
    return async (other) => {
      const page = await other.get(`${APP}/confirm`)
      const csrf_token = csrfTokenIn(await other.get('/security'))
      await other.post(`${APP}/confirm`, { csrf_token, code: codeOf(secret) })
      const enabled = await rows('select from second_factors where user_id = $1 and confirmed_at is not null', [id])
      return page.location === APP && secretIn(page) === '' && enabled.length === 0
    }
  },
  'registration of a passkey': async ({ browser }) => {
    const { options } = await creationOf(browser)
    const credential = new SoftwareAuthenticator(world.url).create(options)
    return async (other) => {
      const csrf_token = csrfTokenIn(await other.get('/security'))
      return (await other.post('/security/passkeys', { csrf_token, credential, name: 'x' })).status === 422
    }
  },
  'import draft': async ({ browser }) => {
    const file = new File(['login,email\nada,ada@campus.test\n'], 'people.csv')
    const sent = await browser.upload('/staff/import/new/users', { file })
    const path = sent.location ?? ''
    assert.equal((await browser.get(path)).status, 200)
    return async (other) => (await other.get(path)).status === 404
  },
  'consent to an application': async ({ browser }) => {
    const flow = flowOf(world)
    const app = await flow.application()
    const asked = await flow.ask(browser, app)
    const csrf_token = csrfTokenIn(asked)
    return async (other) => {
      const path = `/oauth/authorize?${new URLSearchParams({ client_id: app.uid, response_type: 'code' })}`
      return (await other.post(path, { csrf_token, decision: 'allow' })).status === 403
    }
  },
}

describe('what one session begins', () => {
  for (const [name, begin] of Object.entries(BEGUN)) {
    it(`is unknown to others: ${name}`, async () => {
      const one = await signedInOf(world, { kind: 'admin' })
      const sibling = await another(one)
      const stranger = await signedInOf(world, { kind: 'admin' })
      const goOn = await begin(one)
      assert.equal(await goOn(sibling), true, 'another session of the same person')
      assert.equal(await goOn(stranger.browser), true, 'a session of another person')
    })
  }

  it('cannot be continued with a copy of its cookie', async () => {
    const one = await signedInOf(world)
    const copy = copyOf(one.browser)
    assert.equal(await isSignedIn(copy), true)
    assert.equal((await beginApp(one.browser)).length, 32)
    assert.equal(await isSignedIn(copy), false)
    assert.equal(await isSignedIn(one.browser), true)
  })

  /** Changes by which a user protects the account. Each renews the key of the session. */
  const PROTECTING: Readonly<Record<string, (browser: Visitor) => Promise<Page>>> = {
    'a new password': (browser) =>
      browser.submit('/security/password', {
        current_password: PASSWORD,
        password: 'another long one',
        password_again: 'another long one',
      }),
    'a new passkey': async (browser) => {
      const { page, options } = await creationOf(browser)
      return sendNew(browser, page, new SoftwareAuthenticator(world.url).create(options))
    },
    'the end of other sessions': (browser) => browser.submit('/security', {}, '/security/end-other-sessions'),
  }
  for (const [name, protect] of Object.entries(PROTECTING))
    it(`${name} ends copies of the session's cookie`, async () => {
      const { browser } = await signedInOf(world)
      const copy = copyOf(browser)
      assert.ok((await protect(browser)).status < 400)
      assert.deepEqual([await isSignedIn(copy), await isSignedIn(browser)], [false, true])
    })

  for (const [name, path] of Object.entries({
    'new recovery codes': `${APP}/recovery-codes`,
    'the end of the app': `${APP}/remove`,
  }))
    it(`${name} ends copies of the session's cookie`, async () => {
      const { browser } = await signedInOf(world)
      const secret = await beginApp(browser)
      const early = copyOf(browser)
      const codes = codesIn(await browser.submit(`${APP}/confirm`, { code: codeOf(secret) }))
      const late = copyOf(browser)
      assert.ok((await browser.submit(path, { code: codes[0] ?? '' })).status < 400)
      const copies = [await isSignedIn(early), await isSignedIn(late)]
      assert.deepEqual([...copies, await isSignedIn(browser)], [false, false, true])
    })

  it('renders the following page with forms for the new key', async () => {
    const { browser } = await signedInOf(world)
    const { page, options } = await creationOf(browser)
    const added = await sendNew(browser, page, new SoftwareAuthenticator(world.url).create(options))
    assert.equal((await browser.post('/sign-out', { csrf_token: csrfTokenIn(added) })).status, 303)
  })

  it('does not let another browser continue a sign-in after the password', async () => {
    const one = await personWithPasskey(world)
    const halfway = visitorOf(world)
    assert.equal((await halfway.signIn(one.login, PASSWORD)).location, '/sign-in/code')
    for (const other of [visitorOf(world), (await signedInOf(world)).browser])
      assert.equal((await other.get('/sign-in/code')).location, '/sign-in')
  })
})

describe('a second factor that is added', () => {
  it('ends every other session of the person, and no session of others', async () => {
    const one = await signedInOf(world)
    const [sibling, fellow] = [await another(one), await signedInOf(world)]
    await one.browser.submit(`${APP}/confirm`, { code: codeOf(await beginApp(one.browser)) })
    assert.deepEqual([await isSignedIn(one.browser), await isSignedIn(sibling)], [true, false])
    assert.equal(await isSignedIn(fellow.browser), true)
    assert.deepEqual(await rows("select array_to_string(passed, ' and ') from sessions where user_id = $1", [one.id]), [
      ['password and one-time code'],
    ])
  })

  it('does not complete other sessions that must set one up, and is required at their next sign-in', async () => {
    const owner = await signedInOf(world)
    const waiting = await another(owner)
    const campusId = await world.build.campus({ name: 'Bound' })
    await world.build.record('campus_users', { user_id: owner.id, campus_id: campusId, is_primary: true })
    const required = { group: { of: 'campus', id: campusId }, isRequired: true, actor: { userId: null } } as const
    await world.database.transaction((tx) => requireSecondFactor(tx, { ...required, now: world.clock.now() }))
    assert.equal((await waiting.get('/applications')).location, '/security/enrol')
    const { page, options } = await creationOf(owner.browser)
    await sendNew(owner.browser, page, new SoftwareAuthenticator(world.url).create(options))
    assert.equal(await isSignedIn(owner.browser), true)
    assert.match((await waiting.get('/applications')).location ?? '', /^\/sign-in\?/)
    assert.equal((await another(owner).then((one) => one.get('/sign-in/code'))).status, 200)
  })

  it('keeps sessions that passed a second factor when another one is added', async () => {
    const one = await personWithPasskey(world)
    const other = visitorOf(world)
    await signInByPasskey(other, one.authenticator)
    const { page, options } = await creationOf(one.browser, { code: one.codes[0] ?? '' })
    await sendNew(one.browser, page, new SoftwareAuthenticator(world.url).create(options))
    assert.equal(await isSignedIn(other), true)
  })

  it('ends sessions that passed a factor which was removed since', async () => {
    const one = await personWithPasskey(world)
    const other = visitorOf(world)
    await signInByPasskey(other, one.authenticator)
    await world.director.delete(`/v2/users/${one.id}/otp_settings/remove`)
    await one.browser.submit(`${APP}/confirm`, { code: codeOf(await beginApp(one.browser)) })
    assert.deepEqual([await isSignedIn(one.browser), await isSignedIn(other)], [true, false])
  })

  it('is required of every session, also of one that began without it', async () => {
    const one = await personWithPasskey(world)
    const browser = visitorOf(world)
    const key = await world.database.transaction((tx) =>
      startSession(tx, world.clock.now(), one.id, { address: '192.0.2.1', userAgent: undefined }, { passed: [] }),
    )
    browser.cookies.set(KEY, key)
    assert.equal(await isSignedIn(browser), false)
  })
})

describe('a calendar address', () => {
  const addressIn = ({ text }: Page) => /\/v2\/users\/\d+\/agenda\.ics\?token=[\w-]+/.exec(text)?.[0] ?? ''
  const status = async (path: string) => (await visitorOf(world).get(path)).status

  for (const keep of [[], ['applications']])
    it(`ends with a new password, keeping ${keep.length} applications`, async () => {
      const [one, fellow] = [await signedInOf(world), await signedInOf(world)]
      const [own, others] = [await one.browser.get('/agenda'), await fellow.browser.get('/agenda')].map(addressIn)
      assert.equal(await status(own ?? ''), 200)
      const typed = { current_password: PASSWORD, password: 'another long one', password_again: 'another long one' }
      assert.equal((await one.browser.submit('/security/password', { ...typed, keep })).location, '/security')
      assert.deepEqual([await status(own ?? ''), await status(others ?? '')], [404, 200])
      assert.equal(await status(addressIn(await one.browser.get('/agenda'))), 200)
    })
})
