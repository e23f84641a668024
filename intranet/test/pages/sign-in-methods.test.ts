/** By what, and when, somebody signed in: what an application may be said of it follows from the session. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { askedAt, personWithPasskey, signInByPasskey } from '@campus/test/support/passkeys'
import { PASSWORD, signedInOf } from '@campus/test/support/people'
import { protectedPerson } from '@campus/test/support/second-factor'
import { type Visitor, visitorOf } from '@campus/test/support/visitor'
import { findSession } from '../../access/sessions.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const sealer = new Sealer(Buffer.alloc(32, 7))

describe('a session says by what and when its user authenticated:', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  async function assertSignedIn(browser: Visitor, methods: readonly string[], shown: string): Promise<void> {
    const { session } = await findSession(world.database, world.clock.now(), browser.cookies.get('__Host-campus') ?? '')
    assert.deepEqual(session?.methods, methods)
    assert.equal(session?.createdAt.getTime(), world.clock.now().getTime())
    assert.match((await browser.get('/security')).text, new RegExp(`<br>By ${shown}</span>`))
  }

  async function halfway(login: string): Promise<Visitor> {
    const browser = visitorOf(world)
    assert.equal((await browser.signIn(login, PASSWORD)).location, '/sign-in/code')
    // The first step is no sign-in yet.
    world.clock.advance(60)
    return browser
  }

  it('the password', async () => {
    const { browser } = await signedInOf(world)
    await assertSignedIn(browser, ['password'], 'password')
  })

  it('the password and a code of an app', async () => {
    const { login, code } = await protectedPerson(world, sealer)
    const browser = await halfway(login)
    await browser.submit('/sign-in/code', { code: code() })
    await assertSignedIn(browser, ['password', 'one-time code'], 'password and code of an app')
  })

  it('the password and a recovery code, which is another thing', async () => {
    const { login, recoveryCodes } = await protectedPerson(world, sealer)
    const browser = await halfway(login)
    await browser.submit('/sign-in/code', { code: recoveryCodes[0] ?? '' })
    await assertSignedIn(browser, ['password', 'recovery code'], 'password and recovery code')
  })

  it('a passkey alone, or after the password', async () => {
    const { login, authenticator } = await personWithPasskey(world)
    const alone = visitorOf(world)
    await signInByPasskey(alone, authenticator)
    await assertSignedIn(alone, ['passkey'], 'passkey')
    const browser = await halfway(login)
    const asked = await askedAt(browser, '/sign-in/code/passkey')
    await browser.submit('/sign-in/code', { credential: authenticator.get(asked) })
    await assertSignedIn(browser, ['password', 'passkey'], 'password and passkey')
  })

  it('a second factor that was set up in the session counts, and later proofs do not', async () => {
    const { browser, codes } = await personWithPasskey(world)
    await browser.submit('/security/second-factor/recovery-codes', { code: codes[0] ?? '' })
    const key = browser.cookies.get('__Host-campus') ?? ''
    const { session } = await findSession(world.database, world.clock.now(), key)
    assert.deepEqual(session?.methods, ['password', 'passkey'])
  })

  it('nothing where a former release signed them in', async () => {
    const { id, browser } = await signedInOf(world)
    await world.database.rows("update sessions set passed = '{}' where user_id = $1", [id])
    const { session } = await findSession(world.database, world.clock.now(), browser.cookies.get('__Host-campus') ?? '')
    assert.deepEqual(session?.methods, [])
    const page = await browser.get('/security')
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /<br>By /)
  })
})
