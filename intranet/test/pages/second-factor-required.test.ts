/** A campus or a role requires a second factor of its people. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PAGES } from '@campus/test/support/mounted-pages'
import { flowOf } from '@campus/test/support/oauth-flow'
import {
  askedAt,
  codesIn,
  creationOf,
  personWithPasskey,
  sendNew,
  signInByPasskey,
} from '@campus/test/support/passkeys'
import { PASSWORD, personOf, signedInOf } from '@campus/test/support/people'
import { protectedPerson } from '@campus/test/support/second-factor'
import { SoftwareAuthenticator } from '@campus/test/support/software-authenticator'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'
import { TOTP } from 'otpauth'
import { type Group, requireSecondFactor } from '../../access/second-factor-requirements.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const ENROL = '/security/enrol'
const LAST = /requires a second factor of you, and this is the last one\. Set up another one first\./
const sealer = new Sealer(Buffer.alloc(32, 7))

let world: World
let here: number
let there: number
before(async () => {
  world = await campus()
  ;[here, there] = [await world.build.campus({ name: 'Lyon' }), await world.build.campus({ name: 'Nice' })]
})
after(() => world.close())

const rows = (sql: string, values: readonly unknown[] = []) => world.database.rows(sql, values)

const setting = (group: Group, isRequired: boolean, userId: number | null = null) =>
  world.database.transaction((tx) =>
    requireSecondFactor(tx, { group, isRequired, actor: { userId }, now: world.clock.now() }),
  )

/** Somebody of the campus that requires it. */
async function memberOf(campusId: number, values: Readonly<Record<string, unknown>> = {}) {
  const person = await personOf(world, values)
  await world.build.record('campus_users', { user_id: person.id, campus_id: campusId, is_primary: true })
  return person
}

const roleOf = async (name: string) => Number((await rows('select id from roles where name = $1', [name]))[0]?.[0])

async function giveRole(userId: number, name: string): Promise<void> {
  await rows('insert into roles_users (user_id, role_id) values ($1, $2)', [userId, await roleOf(name)])
}

describe('somebody of whom a second factor is required, and who has none,', () => {
  before(() => setting({ of: 'campus', id: here }, true))
  after(() => setting({ of: 'campus', id: here }, false))

  it('is led to set one up after signing in, and no other page answers', async () => {
    const { login } = await memberOf(here, { kind: 'admin' })
    const browser = visitorOf(world)
    assert.equal((await browser.signIn(login, PASSWORD, '/applications')).location, ENROL)
    const page = await browser.get(ENROL)
    assert.match(page.text, /A second factor is required of you by Lyon\./)
    const [key] = [browser.cookies.get('__Host-campus')]
    const counted = { open: 0, shut: 0 }
    const csrf_token = csrfTokenIn(page)
    for (const { method, path, access } of PAGES) {
      if (access === 'anybody' || access === 'enrolling') continue
      const at = path.replace(/:\w+/g, '1')
      const answer = method === 'GET' ? await browser.get(at) : await browser.post(at, { csrf_token })
      assert.deepEqual([answer.status, answer.location], [303, ENROL], `${method} ${path}`)
      counted.shut += 1
    }
    assert.ok(counted.shut > 80)
    // Pages for everybody see a visitor.
    for (const { method, path, access, hasHead } of PAGES) {
      if (access !== 'anybody' || method !== 'GET' || hasHead === false) continue
      const { text } = await browser.get(path.replace(/:\w+/g, '1'))
      assert.ok(!text.includes(`>${login}<`), path)
      counted.open += 1
    }
    assert.ok(counted.open > 5)
    assert.equal((await browser.get('/')).location, ENROL)
    assert.equal((await browser.get('/sign-in')).location, ENROL)
    assert.equal(browser.cookies.get('__Host-campus'), key)
    const stream = await browser.get('/notifications', { accept: 'text/event-stream' })
    assert.equal(stream.location, ENROL)
    assert.equal((await browser.submit(ENROL, {}, '/sign-out')).location, '/')
    assert.equal((await browser.get(ENROL)).location, `/sign-in?return_to=${encodeURIComponent(ENROL)}`)
  })

  it('allows no application to act for them', async () => {
    const { login } = await memberOf(here)
    const flow = flowOf(world)
    const app = await flow.application()
    const browser = visitorOf(world)
    await browser.signIn(login, PASSWORD)
    const asked = await flow.ask(browser, app)
    assert.match(asked.location ?? '', /^\/sign-in\?again=yes/)
  })

  it('sets an app up, and goes on to where they went', async () => {
    const { login } = await memberOf(here)
    const browser = visitorOf(world)
    await browser.signIn(login, PASSWORD, '/applications')
    const begun = await browser.submit(
      '/security/second-factor',
      { current_password: PASSWORD },
      '/security/second-factor/begin',
    )
    assert.equal(begun.location, '/security/second-factor/confirm')
    assert.equal((await browser.get('/applications')).location, ENROL)
    const page = await browser.get('/security/second-factor/confirm')
    const secret = (/id="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '')
    const code = new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
    const confirmed = await browser.submit('/security/second-factor/confirm', { code })
    assert.equal(codesIn(confirmed).length, 10)
    assert.match(confirmed.text, /<a class="button" href="\/applications">Go on<\/a>/)
    assert.equal((await browser.get('/applications')).heading, 'My applications')
    assert.equal((await browser.get(ENROL)).location, '/security')
  })

  it('adds a passkey, and is asked no more', async () => {
    const { login } = await memberOf(here)
    const browser = visitorOf(world)
    await browser.signIn(login, PASSWORD, '//evil.test/')
    const authenticator = new SoftwareAuthenticator(world.url)
    const { page, options } = await creationOf(browser)
    const added = await sendNew(browser, page, authenticator.create(options))
    assert.equal(codesIn(added).length, 10)
    assert.match(added.text, /<a class="button" href="\/">Go on<\/a>/)
    assert.equal((await browser.get('/applications')).status, 200)
    assert.equal((await signInByPasskey(visitorOf(world), authenticator)).location, '/security')
  })

  it('still proves who they are before it', async () => {
    const { login, id } = await memberOf(here)
    const browser = visitorOf(world)
    await browser.signIn(login, PASSWORD)
    const refused = await browser.submit('/security/passkeys/new', { current_password: 'a guess' })
    assert.equal(refused.status, 422)
    const token = csrfTokenIn(await browser.get('/security/passkeys/new'))
    const forged = new SoftwareAuthenticator(world.url).create({ challenge: 'bWluZQ', rp: { id: 'localhost' } })
    const sent = await browser.post('/security/passkeys', { csrf_token: token, credential: forged, name: 'Mine' })
    assert.equal(sent.status, 422)
    assert.equal((await rows('select 1 from passkeys where user_id = $1', [id])).length, 0)
  })

  it('goes on by the tokens that they had given, which are no sign-in', async () => {
    const { id } = await memberOf(here)
    const client = await world.caller({ user: id })
    assert.equal((await client.get('/v2/me')).status, 200)
  })
})

describe('a requirement', () => {
  it('holds at once for those who are signed in, and for as long as it stands', async () => {
    const { login, browser, id } = await signedInOf(world)
    await giveRole(id, 'Basic Tutor')
    assert.equal((await browser.get('/applications')).status, 200)
    const group = { of: 'role', id: await roleOf('Basic Tutor') } as const
    await setting(group, true)
    assert.equal((await browser.get('/applications')).location, ENROL)
    assert.match((await browser.get(ENROL)).text, /by Basic Tutor\./)
    await setting(group, false)
    assert.equal((await browser.get('/applications')).status, 200)
    assert.equal((await visitorOf(world).signIn(login, PASSWORD)).location, '/')
  })

  it('is no matter for those who have a second factor, nor for those of other campuses', async () => {
    await setting({ of: 'campus', id: there }, true)
    const person = await protectedPerson(world, sealer)
    await world.build.record('campus_users', { user_id: person.id, campus_id: there, is_primary: true })
    const browser = visitorOf(world)
    await browser.signIn(person.login, PASSWORD, '/applications')
    assert.equal((await browser.submit('/sign-in/code', { code: person.code() })).location, '/applications')
    const { login } = await memberOf(here)
    assert.equal((await visitorOf(world).signIn(login, PASSWORD)).location, '/')
    await setting({ of: 'campus', id: there }, false)
  })

  it('keeps people from removing their last second factor, and from nothing before', async () => {
    const person = await personWithPasskey(world)
    const { id, browser, authenticator, codes } = person
    await giveRole(id, 'Moderator')
    const group = { of: 'role', id: await roleOf('Moderator') } as const
    await setting(group, true)
    const [[passkey] = []] = await rows('select id from passkeys where user_id = $1', [id])
    const refused = await browser.submit(`/security/passkeys/${passkey}/remove`, { code: codes[0] ?? '' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, LAST)
    assert.match(refused.text, /Moderator/)
    // The refused attempt used nothing up, so a second one succeeds.
    const second = new SoftwareAuthenticator(world.url)
    const { page, options } = await creationOf(browser, { code: codes[0] ?? '' })
    await sendNew(browser, page, second.create(options))
    assert.equal((await browser.submit(`/security/passkeys/${passkey}/remove`, { code: codes[1] ?? '' })).status, 303)
    const [[other] = []] = await rows('select id from passkeys where user_id = $1', [id])
    const asked = await askedAt(browser, '/security/passkeys/proof')
    const last = await browser.submit(`/security/passkeys/${other}/remove`, { credential: second.get(asked) })
    assert.match(last.text, LAST)
    assert.ok(authenticator)
    await setting(group, false)
  })

  it('leaves one of two that are removed at once', async () => {
    const person = await personWithPasskey(world)
    const { id, browser, codes } = person
    await giveRole(id, 'Moderator')
    const group = { of: 'role', id: await roleOf('Moderator') } as const
    await setting(group, true)
    const { page, options } = await creationOf(browser, { code: codes[0] ?? '' })
    await sendNew(browser, page, new SoftwareAuthenticator(world.url).create(options))
    const csrf_token = csrfTokenIn(await browser.get('/security'))
    const passkeys = await rows('select id from passkeys where user_id = $1 order by id', [id])
    const answers = await Promise.all(
      passkeys.map(([one], at) =>
        browser.post(`/security/passkeys/${one}/remove`, { csrf_token, code: codes[at + 1] ?? '' }),
      ),
    )
    // The first answer gives the session a new key. A second request that is read only then has to sign in again.
    const outcomes = answers.map(({ status, location }) => location ?? status).sort()
    assert.ok(outcomes.includes('/security'))
    assert.ok(outcomes.includes(422) || outcomes.some((one) => String(one).startsWith('/sign-in')), `${outcomes}`)
    assert.equal((await rows('select 1 from passkeys where user_id = $1', [id])).length, 1)
    await setting(group, false)
  })

  it('leads those to set one up whose second factor staff have removed', async () => {
    const { id, browser } = await personWithPasskey(world)
    await world.build.record('campus_users', { user_id: id, campus_id: here, is_primary: true })
    await setting({ of: 'campus', id: here }, true)
    assert.equal((await browser.get('/applications')).status, 200)
    await world.director.delete(`/v2/users/${id}/otp_settings/remove`)
    assert.equal((await browser.get('/applications')).location, ENROL)
    await setting({ of: 'campus', id: here }, false)
  })
})

describe('who requires a second factor', () => {
  /** Staff of a campus, who are no administrators. */
  async function staffOf(campusId: number) {
    const { id, login } = await memberOf(campusId, { kind: 'admin' })
    await rows('delete from administrators where user_id = $1', [id])
    const browser = visitorOf(world)
    await browser.signIn(login, PASSWORD)
    return { id, browser }
  }

  const required = async () =>
    (await rows('select campus_id, role_id from second_factor_requirements order by id')).map(([one, other]) =>
      one === null ? `role ${other}` : `campus ${one}`,
    )

  it('are staff for their campuses, and administrators for all and for roles', async () => {
    const staff = await staffOf(there)
    const role = await roleOf('Basic Staff')
    const send = (browser: typeof staff.browser, of: string, id: number, wish = 'require') =>
      browser.submit('/staff/second-factor', { of, id: String(id), wish, confirmed: 'yes' }, '/staff/second-factor')
    for (const [of, id] of [
      ['campus', here],
      ['role', role],
    ] as const) {
      const page = await staff.browser.get('/security')
      const fields = { csrf_token: csrfTokenIn(page), of, id: String(id), wish: 'require' }
      assert.equal((await staff.browser.post('/staff/second-factor', fields)).status, 403)
    }
    assert.deepEqual(await required(), [])
    const student = await signedInOf(world)
    const asStudent = { csrf_token: csrfTokenIn(await student.browser.get('/')), of: 'campus', id: String(here) }
    assert.equal((await student.browser.post('/staff/second-factor', asStudent)).status, 403)
    const administrator = await signedInOf(world, { kind: 'admin' })
    assert.equal((await send(administrator.browser, 'role', role)).location, '/staff/second-factor')
    assert.equal((await send(administrator.browser, 'campus', here)).status, 303)
    assert.deepEqual(await required(), [`role ${role}`, `campus ${here}`])
    const page = await administrator.browser.get('/staff/second-factor')
    assert.match(page.text, /Require it no longer: Basic Staff/)
    assert.match(page.text, /Require it: Nice/)
    // Once more changes and records nothing.
    await send(administrator.browser, 'role', role)
    for (const [of, id] of [
      ['role', role],
      ['campus', here],
    ] as const)
      assert.equal((await send(administrator.browser, of, id, 'release')).status, 303)
    assert.deepEqual(await required(), [])
    const events = await auditRecordsConcerning(world.database, administrator.id, 4)
    assert.deepEqual(
      events.map(({ kind, details }) => [kind, details]),
      [
        ['second_factor_not_required', { campus: 'Lyon' }],
        ['second_factor_not_required', { role: 'Basic Staff' }],
        ['second_factor_required', { campus: 'Lyon' }],
        ['second_factor_required', { role: 'Basic Staff' }],
      ],
    )
    assert.equal((await send(staff.browser, 'campus', there)).status, 303)
    // Staff who require a second factor of their campus need one themselves.
    assert.equal((await staff.browser.get('/staff/second-factor')).location, ENROL)
    await setting({ of: 'campus', id: there }, false)
  })

  it('ends with the campus and the role', async () => {
    const gone = await world.build.campus({ name: 'Gone' })
    await setting({ of: 'campus', id: gone }, true)
    assert.ok((await world.director.delete(`/v2/campus/${gone}`)).status < 300)
    assert.deepEqual(await required(), [])
  })

  it('names what there is', async () => {
    const administrator = await signedInOf(world, { kind: 'admin' })
    for (const [of, id] of [
      ['campus', '99999'],
      ['role', '0'],
      ['campus', '99999999999'],
      ['users', '1'],
      ['campus', 'x'],
    ] as const) {
      const sent = await administrator.browser.submit('/staff/second-factor', { of, id, wish: 'require' })
      assert.ok([404, 422].includes(sent.status), `${of} ${id}: ${sent.status}`)
    }
  })
})
