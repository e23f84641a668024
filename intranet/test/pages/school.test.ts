import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { freePort } from '@campus/test/support/free-port'
import { askedAt, creationOf, sendNew } from '@campus/test/support/passkeys'
import { personOf } from '@campus/test/support/people'
import { type Pupil, type School, startSchool } from '@campus/test/support/school-provider'
import { SoftwareAuthenticator } from '@campus/test/support/software-authenticator'
import { type Visitor, visitorOf } from '@campus/test/support/visitor'
import { fetch } from 'undici'
import { requireSecondFactor } from '../../access/second-factor-requirements.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

describe("signing in at the school's own provider", () => {
  let school: School
  let world: World
  before(async () => {
    const port = await freePort()
    school = await startSchool(`https://localhost:${port}/sign-in/school/back`)
    const { issuer, clientId, clientSecret, name } = school.settings
    world = await campus({
      env: {
        CAMPUS_PORT: String(port),
        CAMPUS_OIDC_ISSUER: issuer,
        CAMPUS_OIDC_CLIENT_ID: clientId,
        CAMPUS_OIDC_CLIENT_SECRET: clientSecret,
        CAMPUS_OIDC_NAME: name,
      },
    })
  })
  after(async () => {
    await world.close()
    await school.close()
  })

  /** Leaves for the provider and comes back to the address that is given. */
  async function leave(browser: Visitor, pupil: Pupil | undefined, returnTo = '/applications'): Promise<string> {
    const page = await browser.submit('/sign-in', { return_to: returnTo }, '/sign-in/school')
    assert.equal(page.heading, 'On to your school')
    school.present = pupil
    const cookies = new Map<string, string>()
    for (let step = 0, at = page.location ?? ''; step < 8; step += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      await response.text()
      at = new URL(response.headers.get('location') ?? '', at).href
      if (at.startsWith(world.url)) return at.slice(world.url.length)
    }
    throw new Error('the provider never sent us back')
  }

  const isSignedIn = async (browser: Visitor) => (await browser.get('/applications')).heading === 'My applications'

  it('is offered beside the password, by its name', async () => {
    assert.match((await visitorOf(world).get('/sign-in')).text, /Sign in with Example School/)
  })

  it('signs in whoever has an account with the address that the school has verified', async () => {
    const { id, login } = await personOf(world)
    const browser = visitorOf(world)
    const pupil = { sub: 's-1', email: `${login}@campus.test`, email_verified: true }
    const arrived = await browser.get(await leave(browser, pupil))
    assert.equal(arrived.location, '/applications')
    assert.equal(await isSignedIn(browser), true)
    const kinds = (await auditRecordsConcerning(world.database, id, 5)).map(({ kind, details }) => [kind, details.by])
    assert.deepEqual(kinds, [
      ['signed_in', 'school account'],
      ['school_identity_matched', undefined],
    ])
  })

  it('signs nobody in whose address is unknown or not verified, and says why', async () => {
    const { login } = await personOf(world)
    for (const [pupil, text] of [
      [
        { sub: 's-2', email: 'nobody@campus.test', email_verified: true },
        /No account matches your school e-mail address/,
      ],
      [{ sub: 's-3', email: `${login}@campus.test`, email_verified: false }, /has not verified your e-mail address/],
      [undefined, /refused or cancelled/],
    ] as const) {
      const browser = visitorOf(world)
      const arrived = await browser.get(await leave(browser, pupil))
      assert.deepEqual([arrived.status, arrived.heading], [422, 'You are not signed in'])
      assert.match(arrived.text, text)
      assert.equal(await isSignedIn(browser), false)
    }
  })

  it('signs nobody in whom somebody else sent back, or who comes twice', async () => {
    const { login } = await personOf(world)
    const pupil = { sub: 's-4', email: `${login}@campus.test`, email_verified: true }
    const mine = visitorOf(world)
    const back = await leave(mine, pupil)
    const other = visitorOf(world)
    assert.equal((await other.get(back)).location, '/sign-in')
    await leave(other, pupil)
    assert.equal((await other.get(back)).status, 422)
    assert.equal(await isSignedIn(other), false)
    assert.equal((await mine.get(back)).location, '/applications')
    assert.equal((await mine.get(back)).location, '/sign-in')
  })

  it('is followed by a passkey where the account has one, and by setting one up where that is required', async () => {
    const campusId = await world.build.campus({ name: 'Lyon' })
    const group = { of: 'campus', id: campusId } as const
    const by = { actor: { userId: null }, now: world.clock.now() }
    await world.database.transaction((tx) => requireSecondFactor(tx, { group, isRequired: true, ...by }))
    // Without a password, as those of a school that has none of its own.
    const { id, login } = await personOf(world, { password_digest: null })
    await world.build.record('campus_users', { user_id: id, campus_id: campusId, is_primary: true })
    const pupil = { sub: 's-7', email: `${login}@campus.test`, email_verified: true }
    const browser = visitorOf(world)
    assert.equal((await browser.get(await leave(browser, pupil))).location, '/security/enrol')
    assert.equal(await isSignedIn(browser), false)
    const authenticator = new SoftwareAuthenticator(world.url)
    const { page, options } = await creationOf(browser)
    await sendNew(browser, page, authenticator.create(options))
    assert.equal(await isSignedIn(browser), true)
    const again = visitorOf(world)
    assert.equal((await again.get(await leave(again, pupil))).location, '/sign-in/code')
    const asked = await askedAt(again, '/sign-in/code/passkey')
    assert.equal(
      (await again.submit('/sign-in/code', { credential: authenticator.get(asked) })).location,
      '/applications',
    )
    const [event] = await auditRecordsConcerning(world.database, id, 1)
    assert.deepEqual(event?.details, { by: 'school account and passkey' })
    assert.match((await again.get('/security')).text, /By school account and passkey</)
  })

  it('is over when it takes longer than ten minutes', async () => {
    const { login } = await personOf(world)
    const browser = visitorOf(world)
    const back = await leave(browser, { sub: 's-5', email: `${login}@campus.test`, email_verified: true })
    world.clock.advance(601)
    assert.equal((await browser.get(back)).location, '/sign-in')
    assert.equal(await isSignedIn(browser), false)
  })

  it('leads back to pages of ours only', async () => {
    const { login } = await personOf(world)
    const browser = visitorOf(world)
    const pupil = { sub: 's-6', email: `${login}@campus.test`, email_verified: true }
    const arrived = await browser.get(await leave(browser, pupil, 'https://evil.example/'))
    assert.equal(arrived.location, '/')
  })

  it('is no way in where there is no provider', async () => {
    const plain = await campus()
    assert.ok(!(await visitorOf(plain).get('/sign-in')).text.includes('/sign-in/school'))
    assert.equal((await visitorOf(plain).get('/sign-in/school/back')).status, 404)
    await plain.close()
  })
})
