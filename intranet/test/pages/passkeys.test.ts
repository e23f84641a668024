/** Passkeys over HTTP, with an authenticator in software: how they are used, and attacks with one that lies. */
import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import {
  askedAt,
  codesIn,
  creationOf,
  personWithPasskey,
  sendNew,
  signInByPasskey,
} from '@campus/test/support/passkeys'
import { PASSWORD, personOf, signedInOf } from '@campus/test/support/people'
import { type Lies, SoftwareAuthenticator } from '@campus/test/support/software-authenticator'
import { csrfTokenIn, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { generate } from 'selfsigned'
import { anonymizeUser } from '../../school/domain/accounts/anonymize.ts'
import { closeAccount, openAccount } from '../../school/domain/accounts/closes.ts'
import { sweep } from '../../server/app/housekeeping.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

const REFUSED = /The passkey was not accepted\. Try again, or go another way\./
const SIGN_IN = '/sign-in/passkey'

let world: World
before(async () => {
  const mail = { CAMPUS_MAIL_URL: 'smtp://127.0.0.1:9', CAMPUS_MAIL_FROM: 'campus@campus.test' }
  world = await campus({ env: mail })
  await world.database.rows("insert into mail_senders (until) values (now() + interval '1 day') on conflict do nothing")
})
after(() => world.close())

const rows = (sql: string, values: readonly unknown[] = []) => world.database.rows(sql, values)
const kindsOf = async (userId: number, limit = 1) =>
  (await auditRecordsConcerning(world.database, userId, limit)).map(({ kind }) => kind)
const passkeysOf = async (userId: number) => rows('select id, name, counter from passkeys where user_id = $1', [userId])
const mailsTo = async (userId: number) =>
  (await rows('select kind from mails where user_id = $1 order by id', [userId])).map(([kind]) => kind)
const isSignedIn = async (browser: Visitor) => (await browser.get('/security')).status === 200

/** A browser in which the password has been given, and the second factor has not. */
async function halfway(login: string): Promise<Visitor> {
  const browser = visitorOf(world)
  assert.equal((await browser.signIn(login, PASSWORD, '/security')).location, '/sign-in/code')
  return browser
}

const sendStep = async (browser: Visitor, credential: string) => browser.submit('/sign-in/code', { credential })

describe('a passkey', () => {
  it('is asked for without attestation, to be found by itself and with the person verified, under a random handle', async () => {
    const [one, other] = [await signedInOf(world), await signedInOf(world)]
    const { options } = await creationOf(one.browser)
    assert.equal(options.attestation, 'none')
    assert.deepEqual(options.authenticatorSelection, {
      ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    })
    assert.equal(options.rp.id, 'localhost')
    const handle = Buffer.from(options.user.id, 'base64url')
    assert.equal(handle.length, 32)
    assert.notEqual(options.user.id, (await creationOf(other.browser)).options.user.id)
    assert.equal(options.user.id, (await creationOf(one.browser)).options.user.id)
  })

  it('is added after the password, mailed about, recorded, and brings recovery codes with the first second factor', async () => {
    const { id, browser, codes } = await personWithPasskey(world)
    assert.equal(codes.length, 10)
    assert.deepEqual(await kindsOf(id), ['passkey_added'])
    assert.deepEqual(
      (await mailsTo(id)).filter((kind) => kind !== 'new_sign_in'),
      ['second_factor_added'],
    )
    const page = await browser.get('/security')
    assert.match(page.text, /<strong>Phone<\/strong>/)
    const stored = await rows('select transports from passkeys where user_id = $1', [id])
    assert.deepEqual(stored, [['{internal}']])
    // With a second one the browser gets the first, so that an authenticator makes no two.
    const second = new SoftwareAuthenticator(world.url)
    const { page: form, options } = await creationOf(browser, { code: codes[0] ?? '' })
    assert.equal(options.excludeCredentials.length, 1)
    const added = await sendNew(browser, form, second.create(options), 'Key')
    assert.equal(added.location, '/security')
    assert.equal((await passkeysOf(id)).length, 2)
  })

  it('is not added without the password, nor with it alone where a second factor is in force', async () => {
    const { browser, codes, id } = await personWithPasskey(world)
    const refused = await browser.submit('/security/passkeys/new', {
      current_password: 'a guess',
      code: codes[0] ?? '',
    })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Current password: is wrong/)
    const without = await browser.submit('/security/passkeys/new', { current_password: PASSWORD })
    assert.equal(without.status, 422)
    assert.match(without.text, /Code: is wrong/)
    assert.equal((await passkeysOf(id)).length, 1)
    // Nor an app, by which one could sign in with the password afterwards.
    const app = await browser.submit(
      '/security/second-factor',
      { current_password: PASSWORD },
      '/security/second-factor/begin',
    )
    assert.equal(app.status, 422)
  })

  it('signs in alone, in place of the password and the second factor', async () => {
    const { id, authenticator } = await personWithPasskey(world)
    const browser = visitorOf(world)
    const before = await signInByPasskey(browser, authenticator)
    assert.equal(before.location, '/security', before.text)
    assert.equal(await isSignedIn(browser), true)
    const [event] = await auditRecordsConcerning(world.database, id, 1)
    assert.deepEqual([event?.kind, event?.details], ['signed_in', { by: 'passkey' }])
    assert.ok(browser.cookies.has('__Host-campus-browser'))
    const [[name, counter] = []] = await rows('select name, counter from passkeys where user_id = $1', [id])
    assert.deepEqual([name, counter], ['Phone', '1'])
  })

  it('is mailed about where it signs in, in a browser that the account did not know', async () => {
    const { id, authenticator } = await personWithPasskey(world)
    const count = (await mailsTo(id)).length
    await signInByPasskey(visitorOf(world), authenticator)
    assert.deepEqual((await mailsTo(id)).slice(count), ['new_sign_in'])
  })

  it('is a second factor after the password, as a recovery code is', async () => {
    const { id, login, authenticator, codes } = await personWithPasskey(world)
    const browser = await halfway(login)
    assert.equal(await isSignedIn(browser), false)
    const page = await browser.get('/sign-in/code')
    assert.match(page.text, /data-passkey="\/sign-in\/code\/passkey"/)
    const asked = await askedAt(browser, '/sign-in/code/passkey')
    assert.deepEqual(
      asked.allowCredentials.map((one) => one.id),
      [authenticator.id],
    )
    const passed = await sendStep(browser, authenticator.get(asked))
    assert.equal(passed.location, '/security', passed.text)
    const [event] = await auditRecordsConcerning(world.database, id, 1)
    assert.deepEqual(event?.details, { by: 'password and passkey' })
    const byCode = await (await halfway(login)).submit('/sign-in/code', { code: codes[0] ?? '' })
    assert.equal(byCode.location, '/security')
    assert.equal((await (await halfway(login)).submit('/sign-in/code', { code: codes[0] ?? '' })).status, 422)
  })

  it('is renamed, and removed against a proof of the second factor; recovery codes end with the last one', async () => {
    const { id, login, browser, authenticator, codes } = await personWithPasskey(world)
    const [[passkey] = []] = await passkeysOf(id)
    const path = `/security/passkeys/${passkey}`
    assert.equal((await browser.submit(`${path}/rename`, { name: 'Old phone' })).location, '/security')
    assert.deepEqual(await kindsOf(id), ['passkey_renamed'])
    await browser.submit(`${path}/rename`, { name: '"><script>alert(1)</script>' })
    for (const at of ['/security', `${path}/rename`, `${path}/remove`])
      assert.doesNotMatch((await browser.get(at)).text, /<script>|[^=]">&lt;script/)
    assert.equal((await browser.submit(`${path}/rename`, { name: ' ' })).status, 422)
    assert.equal((await browser.submit(`${path}/rename`, { name: 'x'.repeat(61) })).status, 422)
    assert.equal((await browser.submit(`${path}/remove`, { code: '000000' })).status, 422)
    assert.equal((await browser.submit(`${path}/remove`, { current_password: PASSWORD })).status, 422)
    const asked = await askedAt(browser, '/security/passkeys/proof')
    const removed = await browser.submit(`${path}/remove`, { credential: authenticator.get(asked) })
    assert.equal(removed.location, '/security', removed.text)
    assert.deepEqual(await kindsOf(id), ['passkey_removed'])
    assert.equal((await rows('select 1 from recovery_codes where user_id = $1', [id])).length, 0)
    assert.equal((await visitorOf(world).signIn(login, PASSWORD)).location, '/')
    const after = await signInByPasskey(visitorOf(world), authenticator)
    assert.equal(after.status, 422)
    assert.ok(codes.length > 0)
  })

  it('renews recovery codes', async () => {
    const { browser, authenticator, codes } = await personWithPasskey(world)
    const asked = await askedAt(browser, '/security/passkeys/proof')
    const renewed = await browser.submit('/security/second-factor/recovery-codes', {
      credential: authenticator.get(asked),
    })
    assert.equal(codesIn(renewed).length, 10, renewed.text)
    assert.equal(codesIn(renewed).includes(codes[0] ?? ''), false)
  })

  it('of somebody else is not there: neither renamed nor removed', async () => {
    const [one, other] = [await personWithPasskey(world), await personWithPasskey(world)]
    const [[id] = []] = await passkeysOf(one.id)
    assert.equal((await other.browser.get(`/security/passkeys/${id}/rename`)).status, 404)
    const token = csrfTokenIn(await other.browser.get('/security'))
    for (const path of ['rename', 'remove']) {
      const fields = { csrf_token: token, name: 'Mine', code: other.codes[0] ?? '' }
      assert.equal((await other.browser.post(`/security/passkeys/${id}/${path}`, fields)).status, 404)
    }
    assert.equal((await passkeysOf(one.id)).length, 1)
    // The refused attempts used no recovery code.
    assert.equal((await rows('select 1 from recovery_codes where user_id = $1', [other.id])).length, 10)
  })

  it('signs nobody in to a closed account, and again when it is opened', async () => {
    const { id, authenticator } = await personWithPasskey(world)
    const now = world.clock.now()
    const close = { user_id: id, kind: 'other', reason: 'Away' }
    await world.database.transaction((tx) => closeAccount(tx, close, { userId: null }, now))
    const refused = await signInByPasskey(visitorOf(world), authenticator)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /This account is closed/)
    await world.database.transaction((tx) => openAccount(tx, id, { userId: null }, now))
    assert.equal((await signInByPasskey(visitorOf(world), authenticator)).location, '/security')
  })

  it('is removed with all that says who somebody was', async () => {
    const { id, authenticator } = await personWithPasskey(world)
    await anonymizeUser(world.database, { userId: id, actor: { userId: null }, now: world.clock.now() })
    for (const table of ['passkeys', 'passkey_handles', 'recovery_codes'])
      assert.equal((await rows(`select 1 from ${table} where user_id = $1`, [id])).length, 0, table)
    const refused = await signInByPasskey(visitorOf(world), authenticator)
    assert.match(refused.text, REFUSED)
  })

  it('is removed by staff with the rest of the second factor', async () => {
    const { id, login, authenticator } = await personWithPasskey(world)
    const { status } = await world.director.delete(`/v2/users/${id}/otp_settings/remove`)
    assert.ok(status < 300)
    assert.deepEqual(await kindsOf(id), ['second_factor_disabled'])
    assert.equal((await visitorOf(world).signIn(login, PASSWORD)).location, '/')
    assert.match((await signInByPasskey(visitorOf(world), authenticator)).text, REFUSED)
    assert.ok((await mailsTo(id)).includes('account_changed'))
  })
})

describe('an answer is refused', () => {
  /** False statements of a passkey that was used once. */
  const LIES: Readonly<Record<string, Lies>> = {
    'from another origin': { origin: 'https://localhost.example' },
    'from the same host at another port': { origin: 'https://localhost:1' },
    'from plain HTTP': { origin: 'http://localhost' },
    'from a page below ours': { origin: 'https://evil.localhost' },
    'of another relying party': { rpId: 'elsewhere.test' },
    'to a challenge of one’s own': { challenge: Buffer.from('a challenge of my own').toString('base64url') },
    'to no challenge': { challenge: '' },
    'of the other kind': { type: 'webauthn.create' },
    'without the person verified': { isVerified: false },
    'without the person present': { isPresent: false, isVerified: true },
    'from a frame of another site': { clientData: { crossOrigin: true } },
    'from a frame that says where it is': { clientData: { topOrigin: 'https://evil.test' } },
    'with another signature': { signature: Buffer.alloc(64, 7) },
    'with no handle': { userHandle: undefined },
    'with the handle of another': { userHandle: Buffer.alloc(32, 1).toString('base64url') },
    'that says it is backed up, and may not be': { isBackedUp: true },
    'that suddenly may be backed up': { isBackupEligible: true },
    'with an id that is not there': { id: Buffer.alloc(32, 9).toString('base64url') },
  }
  for (const [what, lies] of Object.entries(LIES)) {
    it(what, async () => {
      const { authenticator, id } = await personWithPasskey(world)
      const browser = visitorOf(world)
      const refused = await signInByPasskey(browser, authenticator, lies)
      assert.equal(refused.status, 422, refused.text)
      assert.match(refused.text, REFUSED)
      assert.equal(await isSignedIn(browser), false)
      assert.equal((await kindsOf(id))[0] === 'signed_in', false)
      // The passkey itself is as good as before.
      assert.equal((await signInByPasskey(visitorOf(world), authenticator)).location, '/security')
    })
  }

  it('that was given before, in the same browser and in another', async () => {
    const { authenticator } = await personWithPasskey(world)
    const browser = visitorOf(world)
    const page = await browser.get('/sign-in')
    const asked = await askedAt(browser, `${SIGN_IN}/options`)
    const cookies = [...browser.cookies]
    // Without a counter, which would refuse it, too.
    const fields = { csrf_token: csrfTokenIn(page), credential: authenticator.get(asked, { counter: 0 }) }
    assert.equal((await browser.post(SIGN_IN, fields)).location, '/')
    const again = visitorOf(world)
    for (const [name, value] of cookies) again.cookies.set(name, value)
    const replayed = await again.post(SIGN_IN, fields)
    assert.equal(replayed.status, 422)
    assert.match(replayed.text, REFUSED)
    const elsewhere = visitorOf(world)
    assert.equal((await elsewhere.submit('/sign-in', { credential: fields.credential }, SIGN_IN)).status, 422)
    assert.equal((await isSignedIn(again)) || (await isSignedIn(elsewhere)), false)
  })

  it('from all but one of eight who send it at once', async () => {
    const { authenticator } = await personWithPasskey(world)
    const browser = visitorOf(world)
    const page = await browser.get('/sign-in')
    const asked = await askedAt(browser, `${SIGN_IN}/options`)
    const fields = { csrf_token: csrfTokenIn(page), credential: authenticator.get(asked, { counter: 0 }) }
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.post(SIGN_IN, fields)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, ...Array(7).fill(422)])
  })

  it('to a challenge of another browser', async () => {
    const { authenticator } = await personWithPasskey(world)
    const [victim, attacker] = [visitorOf(world), visitorOf(world)]
    await attacker.get('/sign-in')
    const asked = await askedAt(attacker, `${SIGN_IN}/options`)
    const refused = await victim.submit('/sign-in', { credential: authenticator.get(asked) }, SIGN_IN)
    assert.match(refused.text, REFUSED)
  })

  it('to a challenge that is older than five minutes, which is said', async () => {
    const { authenticator } = await personWithPasskey(world)
    const browser = visitorOf(world)
    const page = await browser.get('/sign-in')
    const asked = await askedAt(browser, `${SIGN_IN}/options`)
    world.clock.advance(300)
    const late = await browser.post(SIGN_IN, { csrf_token: csrfTokenIn(page), credential: authenticator.get(asked) })
    assert.equal(late.status, 422)
    assert.match(late.text, /This took longer than five minutes/)
  })

  it('to a challenge for something else', async () => {
    const { authenticator, browser, login, codes } = await personWithPasskey(world)
    // One that signs in is none that proves, and the other way around.
    const asked = await askedAt(browser, `${SIGN_IN}/options`)
    const path = '/security/second-factor/recovery-codes'
    assert.match((await browser.submit(path, { credential: authenticator.get(asked) })).text, REFUSED)
    const proof = await askedAt(browser, '/security/passkeys/proof')
    assert.match((await browser.submit(path, { credential: authenticator.get(proof) }, SIGN_IN)).text, REFUSED)
    const pending = await halfway(login)
    const first = await askedAt(pending, `${SIGN_IN}/options`)
    assert.match((await sendStep(pending, authenticator.get(first))).text, REFUSED)
    // Nor is one for a new passkey.
    const { options } = await creationOf(browser, { code: codes[0] ?? '' })
    const other = await browser.submit(path, { credential: authenticator.get({ ...options, rpId: options.rp.id }) })
    assert.match(other.text, REFUSED)
  })

  it('of somebody else’s passkey, after the password and as a proof', async () => {
    const [victim, attacker] = [await personWithPasskey(world), await personWithPasskey(world)]
    const browser = await halfway(victim.login)
    const asked = await askedAt(browser, '/sign-in/code/passkey')
    assert.match((await sendStep(browser, attacker.authenticator.get(asked))).text, REFUSED)
    // Under the id of the victim's, signed by the attacker's.
    const again = await askedAt(browser, '/sign-in/code/passkey')
    const forged = attacker.authenticator.get(again, { id: victim.authenticator.id, userHandle: undefined })
    assert.match((await sendStep(browser, forged)).text, REFUSED)
    assert.equal(await isSignedIn(browser), false)
    const proof = await askedAt(victim.browser, '/security/passkeys/proof')
    const path = '/security/second-factor/recovery-codes'
    assert.match((await victim.browser.submit(path, { credential: attacker.authenticator.get(proof) })).text, REFUSED)
  })

  it('whose counter goes back or stands still, which is recorded and mailed, since there may be a copy', async () => {
    for (const counter of [5, 4, 0]) {
      const { id, authenticator } = await personWithPasskey(world)
      assert.equal((await signInByPasskey(visitorOf(world), authenticator, { counter: 5 })).location, '/security')
      const browser = visitorOf(world)
      const refused = await signInByPasskey(browser, authenticator, { counter })
      assert.match(refused.text, REFUSED)
      assert.equal(await isSignedIn(browser), false)
      assert.deepEqual(await kindsOf(id), ['passkey_suspected'])
      assert.ok((await mailsTo(id)).includes('passkey_suspected'))
      assert.equal((await passkeysOf(id))[0]?.[2], '5')
      assert.equal((await signInByPasskey(visitorOf(world), authenticator, { counter: 6 })).location, '/security')
    }
  })

  it('never for a counter that is always 0, as that of synchronised passkeys', async () => {
    const values = { isBackupEligible: true, isBackedUp: true, counter: 0 }
    const { authenticator, browser } = await personWithPasskey(world, {}, values)
    assert.match((await browser.get('/security')).text, /synchronised/)
    for (let time = 0; time < 3; time += 1)
      assert.equal((await signInByPasskey(visitorOf(world), authenticator, values)).location, '/security')
  })

  it('that is none at all, or very large', async () => {
    const { authenticator } = await personWithPasskey(world)
    const browser = visitorOf(world)
    const large = JSON.stringify({
      ...JSON.parse(authenticator.get({ challenge: 'x', rpId: 'localhost' })),
      more: 'x'.repeat(20_000),
    })
    const deep = `{"response":${'['.repeat(8_000)}${']'.repeat(8_000)}}`
    const odd = ['', '{', 'null', '[]', '{"response":{}}', '{"response":null,"id":"a","rawId":"a"}', large, deep]
    for (const credential of odd) {
      const refused = await browser.submit('/sign-in', { credential }, SIGN_IN)
      assert.equal(refused.status, 422, credential.slice(0, 80))
      assert.match(refused.text, REFUSED)
    }
    const huge = await browser.submit('/sign-in', { credential: 'x'.repeat(2_000_000) }, SIGN_IN)
    assert.equal(huge.status, 413)
  })

  it('whose parts are cut off, too long, or of another shape', async () => {
    const { authenticator } = await personWithPasskey(world)
    const whole = Buffer.alloc(37)
    whole[32] = 0xc5
    const parts: readonly (readonly [string, unknown])[] = [
      ['authenticatorData', 'AAAA'],
      ['authenticatorData', whole.toString('base64url')],
      ['authenticatorData', Buffer.concat([whole, Buffer.alloc(4000, 0x9f)]).toString('base64url')],
      ['authenticatorData', ['AAAA']],
      ['signature', 'AA'],
      ['signature', { toString: 'AA' }],
      ['signature', Buffer.alloc(9000).toString('base64url')],
      ['userHandle', 7],
      ['clientDataJSON', Buffer.from('\uFEFF{}').toString('base64url')],
      ['clientDataJSON', Buffer.from([0xff, 0xfe]).toString('base64url')],
      ['clientDataJSON', Buffer.from('{"challenge":["x"]}').toString('base64url')],
    ]
    for (const [name, value] of parts) {
      const browser = visitorOf(world)
      const page = await browser.get('/sign-in')
      const answer = JSON.parse(authenticator.get(await askedAt(browser, `${SIGN_IN}/options`)))
      answer.response[name] = value
      const fields = { csrf_token: csrfTokenIn(page), credential: JSON.stringify(answer) }
      const refused = await browser.post(SIGN_IN, fields)
      assert.equal(refused.status, 422, `${name} ${JSON.stringify(value).slice(0, 80)}`)
      assert.match(refused.text, REFUSED)
      await rows('delete from attempts')
    }
  })

  it('from a form of another site, or without the token of the form', async () => {
    const { authenticator } = await personWithPasskey(world)
    const browser = visitorOf(world)
    const page = await browser.get('/sign-in')
    const credential = authenticator.get(await askedAt(browser, `${SIGN_IN}/options`))
    assert.equal((await browser.post(SIGN_IN, { credential })).status, 403)
    const fields = { csrf_token: csrfTokenIn(page), credential }
    assert.equal((await browser.post(SIGN_IN, fields, { origin: 'https://evil.test' })).status, 403)
    assert.equal((await browser.post(SIGN_IN, fields)).location, '/')
  })

  it('after ten from one place for one account, and the person sees it', async () => {
    const { id, authenticator } = await personWithPasskey(world)
    for (let attempt = 0; attempt < 10; attempt += 1)
      assert.equal((await signInByPasskey(visitorOf(world), authenticator, { isVerified: false })).status, 422)
    assert.equal((await signInByPasskey(visitorOf(world), authenticator)).status, 429)
    assert.deepEqual(await kindsOf(id), ['sign_in_throttled'])
  })
})

describe('a new passkey is refused', () => {
  const certificates = [
    ['x5c', [Buffer.alloc(64)]],
    ['alg', -7],
    ['sig', Buffer.alloc(64)],
  ] as const
  const LIES: Readonly<Record<string, Lies>> = {
    'from another origin': { origin: 'https://localhost.example' },
    'for another relying party': { rpId: 'elsewhere.test' },
    'of the other kind': { type: 'webauthn.get' },
    'without the person verified': { isVerified: false },
    'without the person present': { isPresent: false },
    'from a frame of another site': { clientData: { crossOrigin: true } },
    'to a challenge of one’s own': { challenge: Buffer.from('a challenge of my own').toString('base64url') },
    'with a key of another algorithm': { algorithm: -65_535 },
    'with certificates, which are not read': { format: 'packed', statement: certificates },
    'with an attestation of Android': { format: 'android-key', statement: certificates },
    'with a statement where there is to be none': { format: 'none', statement: [['sig', Buffer.alloc(8)]] },
    'with a signature of its own that is wrong': {
      format: 'packed',
      statement: [
        ['alg', -7],
        ['sig', Buffer.alloc(64)],
      ],
    },
    'in a format of its own': { format: 'mine' },
  }
  for (const [what, lies] of Object.entries(LIES)) {
    it(what, async () => {
      const { id, browser, login } = await signedInOf(world)
      const { page, options } = await creationOf(browser)
      const refused = await sendNew(browser, page, new SoftwareAuthenticator(world.url).create(options, lies))
      assert.equal(refused.status, 422, refused.text)
      assert.match(refused.text, REFUSED)
      assert.deepEqual(await passkeysOf(id), [])
      assert.deepEqual(await kindsOf(id), ['signed_in'])
      assert.equal((await visitorOf(world).signIn(login, PASSWORD)).location, '/')
    })
  }

  it('under another id than the one that is signed', async () => {
    const { id, browser } = await signedInOf(world)
    const { page, options } = await creationOf(browser)
    const answer = JSON.parse(new SoftwareAuthenticator(world.url).create(options))
    const other = Buffer.alloc(32, 3).toString('base64url')
    assert.match((await sendNew(browser, page, JSON.stringify({ ...answer, id: other, rawId: other }))).text, REFUSED)
    assert.deepEqual(await passkeysOf(id), [])
  })

  it('that is no CBOR, or CBOR without an end, very deep, or said to be very long', async () => {
    const objects = [
      Buffer.alloc(0),
      Buffer.from('{}'),
      Buffer.alloc(9000, 0x81),
      Buffer.alloc(9000, 0x9f),
      Buffer.from('9affffffff', 'hex'),
      Buffer.from('bbffffffffffffffff', 'hex'),
      Buffer.from('5bffffffffffffffff00', 'hex'),
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
    ]
    const { id, browser } = await signedInOf(world)
    for (const object of objects) {
      const { page, options } = await creationOf(browser)
      const answer = JSON.parse(new SoftwareAuthenticator(world.url).create(options))
      answer.response.attestationObject = object.toString('base64url')
      const refused = await sendNew(browser, page, JSON.stringify(answer))
      assert.equal(refused.status, 422, object.toString('hex', 0, 20))
      assert.match(refused.text, REFUSED)
    }
    assert.deepEqual(await passkeysOf(id), [])
  })

  it('that was sent before, late, in another session, for another person, or without a proof', async () => {
    const one = await signedInOf(world)
    const { page, options } = await creationOf(one.browser)
    const credential = new SoftwareAuthenticator(world.url).create(options)
    // Another session of the same person, and another person.
    const session = visitorOf(world)
    await session.signIn(one.login, PASSWORD)
    const other = await signedInOf(world)
    const sendFrom = (browser: Visitor) => browser.submit('/security', { credential, name: 'X' }, '/security/passkeys')
    for (const browser of [session, other.browser]) assert.match((await sendFrom(browser)).text, REFUSED)
    assert.equal((await sendNew(one.browser, page, credential)).status, 200)
    assert.match((await sendFrom(one.browser)).text, REFUSED)
    assert.equal((await passkeysOf(one.id)).length, 1)
    assert.equal((await passkeysOf(other.id)).length, 0)
    const late = await creationOf(other.browser)
    world.clock.advance(301)
    const answer = await sendNew(other.browser, late.page, new SoftwareAuthenticator(world.url).create(late.options))
    assert.match(answer.text, /This took longer than five minutes/)
    const asked = await askedAt(other.browser, '/security/passkeys/proof')
    const unproved = new SoftwareAuthenticator(world.url).create({ ...options, challenge: asked.challenge })
    assert.match(
      (await other.browser.submit('/security', { credential: unproved, name: 'X' }, '/security/passkeys')).text,
      REFUSED,
    )
  })

  it('with certificates that would be right, while what its own key has signed is taken', async () => {
    const { private: key, cert } = await generate(
      [
        ...[
          { shortName: 'C', value: 'FR' },
          { shortName: 'O', value: 'A maker of keys' },
        ],
        ...[
          { shortName: 'OU', value: 'Authenticator Attestation' },
          { shortName: 'CN', value: 'Batch 1' },
        ],
      ],
      { keyType: 'ec', curve: 'P-256', extensions: [{ name: 'basicConstraints', cA: false, critical: true }] },
    )
    const maker = { key: createPrivateKey(key), certificate: new X509Certificate(cert).raw }
    const { id, browser } = await signedInOf(world)
    const first = await creationOf(browser)
    const attested = new SoftwareAuthenticator(world.url).create(first.options, { attestedBy: maker })
    assert.match((await sendNew(browser, first.page, attested)).text, REFUSED)
    assert.deepEqual(await passkeysOf(id), [])
    const second = await creationOf(browser)
    const own = new SoftwareAuthenticator(world.url).create(second.options, { attestedBy: 'itself' })
    assert.equal((await sendNew(browser, second.page, own)).heading, 'The passkey is added')
  })

  it('under the id of another’s, whose passkey stays as it is', async () => {
    const victim = await personWithPasskey(world)
    const { id, browser } = await signedInOf(world)
    const { page, options } = await creationOf(browser)
    const forged = new SoftwareAuthenticator(world.url).create(options, { id: victim.authenticator.id })
    const refused = await sendNew(browser, page, forged)
    assert.match(refused.text, /This passkey is registered already/)
    assert.deepEqual(await passkeysOf(id), [])
    assert.equal((await signInByPasskey(visitorOf(world), victim.authenticator)).location, '/security')
  })

  it('beyond twenty', async () => {
    const { id, browser, codes } = await personWithPasskey(world)
    await rows(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name, backup_eligible, backed_up, created_at)
       select $1, int4send(n), '', 0, '{}', 'x', false, false, now() from generate_series(1, 19) n`,
      [id],
    )
    const { page, options } = await creationOf(browser, { code: codes[0] ?? '' })
    const refused = await sendNew(browser, page, new SoftwareAuthenticator(world.url).create(options))
    assert.match(refused.text, /twenty passkeys/)
  })
})

it('no passkey is offered where the service has an address and no name', async () => {
  const unnamed = await campus({ env: { CAMPUS_BASE_URL: 'https://203.0.113.7' } })
  try {
    const browser = visitorOf(unnamed)
    const page = await browser.get('/sign-in')
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /passkey/)
    assert.equal((await browser.get(`${SIGN_IN}/options`)).status, 404)
  } finally {
    await unnamed.close()
  }
})

describe('who has passkeys', () => {
  it('is not said before the password: the question is the same for everybody', async () => {
    const { login } = await personWithPasskey(world)
    const browser = visitorOf(world)
    await browser.get('/sign-in')
    const one = await askedAt(browser, `${SIGN_IN}/options`)
    await browser.submit('/sign-in', { login, password: 'wrong' })
    const other = await askedAt(browser, `${SIGN_IN}/options`)
    for (const asked of [one, other]) assert.deepEqual(asked.allowCredentials, [])
    assert.equal((await browser.get('/sign-in/code/passkey')).location, '/sign-in')
    assert.equal((await browser.get('/security/passkeys/proof')).status, 303)
    const known = await visitorOf(world).submit('/sign-in', { login, password: 'wrong' })
    const { login: without } = await personOf(world)
    const unknown = await visitorOf(world).submit('/sign-in', { login: without, password: 'wrong' })
    const plain = (text: string, name: string) => text.replaceAll(name, '').replace(/csrf_token" value="[^"]+"/g, '')
    assert.equal(plain(known.text, login), plain(unknown.text, without))
  })

  it('and what passkeys signed is in no table, and challenges are stored only as digests that are swept', async () => {
    const { authenticator } = await personWithPasskey(world)
    const browser = visitorOf(world)
    const page = await browser.get('/sign-in')
    const asked = await askedAt(browser, `${SIGN_IN}/options`)
    const credential = authenticator.get(asked)
    await browser.post(SIGN_IN, { csrf_token: csrfTokenIn(page), credential })
    const { signature, clientDataJSON } = JSON.parse(credential).response
    const tables = await rows(
      "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    )
    const secrets = [signature, clientDataJSON, asked.challenge].flatMap((text: string) => [
      text,
      Buffer.from(text, 'base64url').toString('hex'),
    ])
    for (const [table] of tables) {
      for (const secret of secrets)
        assert.equal(
          (await rows(`select 1 from "${table}" t where t::text like '%' || $1 || '%' limit 1`, [secret])).length,
          0,
          String(table),
        )
    }
    assert.ok((await rows('select 1 from spent_challenges')).length > 0)
    await sweep(world.database, new Date(world.clock.now().getTime() + 301_000))
    assert.equal((await rows('select 1 from spent_challenges')).length, 0)
  })
})
