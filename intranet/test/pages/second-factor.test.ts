import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, type Page, visitorOf } from '@campus/test/support/visitor'
import { TOTP } from 'otpauth'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

const PATH = '/security/second-factor'

describe('the second factor', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  const codesIn = ({ text }: Page) => text.match(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g) ?? []

  /** Somebody who has set one up, through the pages. */
  async function protectedPerson() {
    const person = await signedInOf(world)
    const { browser } = person
    const begun = await browser.submit(PATH, { current_password: PASSWORD }, `${PATH}/begin`)
    assert.equal(begun.location, `${PATH}/confirm`)
    const page = await browser.get(`${PATH}/confirm`)
    assert.match(page.text, /<svg[^>]*xmlns/)
    const secret = (/id="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '')
    assert.equal(secret.length, 32)
    const code = () => new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
    const confirmed = await browser.submit(`${PATH}/confirm`, { code: code() })
    assert.equal(confirmed.heading, 'The second factor is on')
    world.clock.advance(30)
    return { ...person, secret, code, recoveryCodes: codesIn(confirmed) }
  }

  /** A new browser whose user has typed the password. */
  async function halfway(login: string, returnTo = '/applications') {
    const browser = visitorOf(world)
    const page = await browser.signIn(login, PASSWORD, returnTo)
    assert.equal(page.location, '/sign-in/code')
    return browser
  }

  const isSignedIn = async (browser: { get(path: string): Promise<Page> }) =>
    (await browser.get('/applications')).heading === 'My applications'

  it('is asked for after the password, and nobody is signed in before', async () => {
    const { login, id, code } = await protectedPerson()
    const browser = await halfway(login)
    assert.equal(await isSignedIn(browser), false)
    assert.equal((await browser.get('/sign-in/code')).heading, 'Enter your code')
    const before = browser.cookies.get('__Host-campus')
    const passed = await browser.submit('/sign-in/code', { code: code() })
    assert.equal(passed.location, '/applications')
    assert.equal(await isSignedIn(browser), true)
    assert.notEqual(browser.cookies.get('__Host-campus'), before)
    const [event] = await auditRecordsConcerning(world.database, id, 1)
    assert.deepEqual([event?.kind, event?.details], ['signed_in', { by: 'password and second factor' }])
  })

  it('refuses a wrong code and one that was used, and shows the form again without it', async () => {
    const { login, code } = await protectedPerson()
    const used = code()
    await (await halfway(login)).submit('/sign-in/code', { code: used })
    const browser = await halfway(login)
    const again = await browser.submit('/sign-in/code', { code: used })
    assert.equal(again.status, 422)
    assert.match(again.text, /was used already/)
    assert.ok(!again.text.includes(used))
    assert.equal((await browser.submit('/sign-in/code', { code: '000000' })).status, 422)
    assert.equal(await isSignedIn(browser), false)
  })

  it('is passed by a recovery code, once', async () => {
    const { login, recoveryCodes } = await protectedPerson()
    assert.equal(recoveryCodes.length, 10)
    const [code = ''] = recoveryCodes
    const browser = await halfway(login)
    assert.equal((await browser.submit('/sign-in/code', { code: code.toLowerCase() })).location, '/applications')
    const again = await halfway(login)
    assert.equal((await again.submit('/sign-in/code', { code })).status, 422)
  })

  it('cannot be guessed: after ten tries not even the right one passes, and the person sees it', async () => {
    const { id, login, code } = await protectedPerson()
    const browser = await halfway(login)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      assert.equal((await browser.submit('/sign-in/code', { code: '000000' })).status, 422)
    }
    const refused = await browser.submit('/sign-in/code', { code: code() })
    assert.deepEqual([refused.status, refused.heading], [429, 'Too many attempts'])
    await browser.submit('/sign-in/code', { code: code() })
    const throttled = (await auditRecordsConcerning(world.database, id, 20)).filter(
      ({ kind }) => kind === 'sign_in_throttled',
    )
    assert.equal(throttled.length, 1)
  })

  it('is no page for whoever has not typed the password', async () => {
    assert.equal((await visitorOf(world).get('/sign-in/code')).location, '/sign-in')
    const browser = visitorOf(world)
    const token = csrfTokenIn(await browser.get('/sign-in'))
    const sent = await browser.post('/sign-in/code', { csrf_token: token, code: '123456' })
    assert.equal(sent.location, '/sign-in')
  })

  it('is switched off, and recovery codes are renewed, only against a code', async () => {
    const { login, browser, code, recoveryCodes } = await protectedPerson()
    for (const path of [`${PATH}/remove`, `${PATH}/recovery-codes`]) {
      assert.equal((await browser.submit(path, { code: '000000' })).status, 422)
    }
    const renewed = await browser.submit(`${PATH}/recovery-codes`, { code: code() })
    const codes = codesIn(renewed)
    assert.equal(codes.length, 10)
    assert.equal((await browser.submit(`${PATH}/remove`, { code: recoveryCodes[0] ?? '' })).status, 422)
    assert.equal((await browser.submit(`${PATH}/remove`, { code: codes[0] ?? '' })).location, '/security')
    assert.equal((await visitorOf(world).signIn(login, PASSWORD)).location, '/')
  })

  it('that was not confirmed is not asked for, and its secret is nobody else’s to see', async () => {
    const { login, browser } = await signedInOf(world)
    await browser.submit(PATH, { current_password: PASSWORD }, `${PATH}/begin`)
    const wrong = await browser.submit(`${PATH}/confirm`, { code: '000000' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /id="code-fault">is wrong/)
    assert.equal((await visitorOf(world).signIn(login, PASSWORD)).location, '/')
    const other = await signedInOf(world)
    assert.equal((await other.browser.get(`${PATH}/confirm`)).location, PATH)
  })

  it('is begun with the password alone: a browser that was left open is not enough', async () => {
    const { id, browser } = await signedInOf(world)
    for (const current_password of [[], '', 'a guess']) {
      const refused = await browser.submit(PATH, { current_password }, `${PATH}/begin`)
      assert.equal(refused.status, 422, refused.text)
      assert.match(refused.text, /Current password: is wrong/)
    }
    assert.equal((await browser.get(`${PATH}/confirm`)).location, PATH)
    for (let tries = 3; tries < 10; tries += 1) await browser.submit(PATH, { current_password: 'x' }, `${PATH}/begin`)
    const right = { current_password: PASSWORD }
    assert.equal((await browser.submit(PATH, right, `${PATH}/begin`)).status, 429)
    const rows = await world.database.rows('select 1 from second_factors where user_id = $1', [id])
    assert.equal(rows.length, 0)
  })

  it('that was begun long ago is begun anew', async () => {
    const { browser } = await signedInOf(world)
    const begin = () => browser.submit(PATH, { current_password: PASSWORD }, `${PATH}/begin`)
    assert.equal((await begin()).location, `${PATH}/confirm`)
    const token = csrfTokenIn(await browser.get(`${PATH}/confirm`))
    world.clock.advance(901)
    assert.equal((await browser.get(`${PATH}/confirm`)).location, PATH)
    const late = await browser.post(`${PATH}/confirm`, { csrf_token: token, code: '123456' })
    assert.equal(late.status, 422)
    assert.match(late.text, /begun too long ago/)
    assert.equal((await begin()).location, `${PATH}/confirm`)
  })

  it('that was begun again in another browser says so to the first one', async () => {
    const { login, browser } = await signedInOf(world)
    const other = visitorOf(world)
    await other.signIn(login, PASSWORD)
    const begin = (one: typeof browser) => one.submit(PATH, { current_password: PASSWORD }, `${PATH}/begin`)
    await begin(browser)
    const page = await browser.get(`${PATH}/confirm`)
    const secret = (/id="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '')
    await begin(other)
    const code = new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
    const late = await browser.post(`${PATH}/confirm`, { csrf_token: csrfTokenIn(page), code })
    assert.equal(late.status, 422)
    assert.match(late.text, /begun again in another browser.*Remove it from the app and begin again/s)
    assert.match(late.text, new RegExp(`href="${PATH}">Begin again`))
    assert.equal((await browser.get(`${PATH}/confirm`)).location, PATH)
    assert.match((await browser.get(PATH)).text, /There is nothing to confirm/)
  })

  it('shows a secret to scan, to open on a phone and to copy, and asks for digits', async () => {
    const { browser } = await signedInOf(world)
    await browser.submit(PATH, { current_password: PASSWORD }, `${PATH}/begin`)
    const { text, headers } = await browser.get(`${PATH}/confirm`)
    const secret = (/id="secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '')
    assert.match(text, new RegExp(`href="otpauth://totp/[^"]*secret=${secret}`))
    assert.match(text, new RegExp(`data-copies="secret" data-text="${secret}"`))
    assert.match(text, /name="code"[^>]*autocomplete="one-time-code" inputmode="numeric"/)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(
      policy,
      /default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self';/,
    )
  })

  it('says on a reload of the recovery codes that it is on, and where to make new ones', async () => {
    const { browser } = await signedInOf(world)
    await browser.submit(PATH, { current_password: PASSWORD }, `${PATH}/begin`)
    const page = await browser.get(`${PATH}/confirm`)
    const secret = (/id="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '')
    const code = new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
    const sent = { csrf_token: csrfTokenIn(page), code }
    assert.equal((await browser.post(`${PATH}/confirm`, sent)).heading, 'The second factor is on')
    const reloaded = await browser.post(`${PATH}/confirm`, sent)
    assert.deepEqual([reloaded.status, reloaded.heading], [403, 'The second factor is on'])
    assert.match(reloaded.text, new RegExp(`href="${PATH}/recovery-codes"`))
    assert.deepEqual(codesIn(reloaded), [])
    for (const path of [`${PATH}/recovery-codes`, '/security/passkeys'])
      assert.equal((await browser.post(path, sent)).heading, 'The second factor is on', path)
    const { browser: other } = await signedInOf(world)
    await other.get('/security')
    assert.equal((await other.post(`${PATH}/confirm`, sent)).heading, 'This form was refused')
  })

  it('is begun by somebody without a password soon after they signed in', async () => {
    const { id, browser } = await signedInOf(world)
    await world.database.rows('update users set password_digest = null where id = $1', [id])
    world.clock.advance(601)
    const page = await browser.get(PATH)
    assert.match(page.text, /href="\/sign-in\?again=yes&amp;return_to=%2Fsecurity%2Fsecond-factor"/)
    const token = csrfTokenIn(await browser.get('/security'))
    assert.equal((await browser.post(`${PATH}/begin`, { csrf_token: token })).status, 422)
    await world.database.rows('update sessions set created_at = $1 where user_id = $2', [world.clock.now(), id])
    assert.equal((await browser.submit(PATH, {}, `${PATH}/begin`)).location, `${PATH}/confirm`)
  })
})
