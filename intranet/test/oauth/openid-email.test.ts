/** `email_verified` is true only for an address that the person, or the school's provider, has verified. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { readShapes } from '@campus/mirror/table-shapes'
import { writeRows } from '@campus/mirror/write-rows'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { PASSWORD, type SignedIn, signedInOf } from '@campus/test/support/people'
import { type Visitor, visitorOf } from '@campus/test/support/visitor'
import { createPasswordReset } from '../../access/password-resets.ts'
import { matchIdentity } from '../../access/school-identities.ts'
import { importForCommand } from '../../cli/import-command.ts'
import { claimsOf } from '../../oauth/openid/claims.ts'
import { anonymizeUser } from '../../school/domain/accounts/anonymize.ts'
import { writeMail } from '../../school/domain/mails/write-mail.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { createSealing } from '../../webhooks/sealing.ts'

const SENT = 'A confirmation link is on its way'
const BY_NOBODY = { actor: { userId: null } }

let world: World
let person: SignedIn
before(async () => {
  // The mails stay in the queue until a test writes them.
  world = await campus({ env: { CAMPUS_MAIL_URL: 'smtp://127.0.0.1:9', CAMPUS_MAIL_FROM: 'campus@campus.test' } })
  await world.build.campus()
  await world.database.rows("insert into mail_senders (until) values (now() + interval '1 day') on conflict do nothing")
})
after(() => world?.close())
beforeEach(async () => {
  person = await signedInOf(world)
})

const now = () => world.clock.now()

async function isVerified({ id }: { readonly id: number } = person): Promise<unknown> {
  const addresses = { baseUrl: world.url, picturesUrl: world.url }
  const request = { userId: id, scopes: ['openid', 'email'], ...addresses, now: now() }
  return (await claimsOf(world.database, request)).email_verified
}

const verify = ({ id }: SignedIn = person) =>
  world.database.rows('update users set email_verified_at = $1 where id = $2', [now(), id])

const emailOf = ({ login }: SignedIn) => `${login}@campus.test`

const change = ({ id }: SignedIn, email: string) =>
  world.database.rows('update users set email = $1 where id = $2', [email, id])

/** Returns the path of the link in the latest mail of the kind. */
async function mailedLink(kind: 'reset_link' | 'verify_email', { id }: SignedIn = person): Promise<string> {
  const queued = await world.database.kysely
    .selectFrom('mails')
    .select(['id', 'kind', 'user_id', 'details'])
    .where('user_id', '=', id)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const sealer = new Sealer(Buffer.alloc(32, 7))
  const mail = await writeMail({ ...world.config, database: world.database, sealer, now: now() }, queued)
  const [link] = /https:\S+/.exec(mail?.text ?? '') ?? []
  assert.ok(link, mail?.text)
  return link.slice(world.config.baseUrl.length)
}

const requestLink = ({ browser }: SignedIn) => browser.submit('/security', {}, '/security/verify-email/send')

async function resetThrough(path: string, browser: Visitor = visitorOf(world)) {
  const page = await browser.submit(path, { password: PASSWORD, password_again: PASSWORD })
  assert.equal(page.location, '/sign-in', page.text)
}

const signInAtSchool = (subject: string, email: string, isEmailVerified = true) =>
  world.database.transaction((tx) =>
    matchIdentity(tx, now(), { issuer: 'https://school.test', subject, email, isEmailVerified }, '192.0.2.1'),
  )

describe('email_verified', () => {
  it('is false for an address that staff typed, and the API hides when it was verified', async () => {
    const made = await world.director.post('/v2/users', {
      user: { login: 'typed', email: 'typed@campus.test', first_name: 'Ty', last_name: 'Ped', kind: 'student' },
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.json as { id: number }
    assert.equal(await isVerified({ id }), false)
    const record = await world.director.get(`/v2/users/${id}`)
    assert.doesNotMatch(record.text, /email_verified/)
    const written = await world.director.patch(`/v2/users/${id}`, { user: { email_verified_at: now().toISOString() } })
    assert.ok(written.status < 500)
    assert.equal(await isVerified({ id }), false)
  })

  it('becomes true when a mailed reset link is used', async () => {
    await visitorOf(world).submit('/forgot-password', { who: person.login })
    const path = await mailedLink('reset_link')
    assert.equal(await isVerified(), false)
    await resetThrough(path)
    assert.equal(await isVerified(), true)
  })

  it('stays false when a reset link that staff handed over is used', async () => {
    const request = { login: person.login, ...BY_NOBODY }
    const { path } = await world.database.transaction((tx) => createPasswordReset(tx, now(), request))
    await resetThrough(path)
    assert.equal(await isVerified(), false)
  })

  it('stays false when a reset link was mailed to a former address', async () => {
    await visitorOf(world).submit('/forgot-password', { who: person.login })
    const path = await mailedLink('reset_link')
    await change(person, 'elsewhere@campus.test')
    await resetThrough(path)
    assert.equal(await isVerified(), false)
  })

  it("becomes true when the school's provider has verified the same address, at each sign-in", async () => {
    await signInAtSchool('s-1', emailOf(person))
    assert.equal(await isVerified(), true)
    await change(person, 'moved@campus.test')
    await signInAtSchool('s-1', emailOf(person))
    assert.equal(await isVerified(), false, 'the provider has verified another address')
    await signInAtSchool('s-1', 'moved@campus.test', false)
    assert.equal(await isVerified(), false, 'the provider has not verified the address')
    await signInAtSchool('s-1', 'moved@campus.test')
    assert.equal(await isVerified(), true)
  })
})

describe('a confirmation link from /security', () => {
  it('confirms the address by a button, not by opening the page', async () => {
    assert.match((await person.browser.get('/security')).text, /You have not confirmed/)
    assert.equal((await requestLink(person)).location, '/security')
    assert.match((await person.browser.get('/security')).text, new RegExp(SENT))
    const path = await mailedLink('verify_email')
    assert.equal((await person.browser.get(path)).heading, 'Confirm your e-mail address')
    assert.equal(await isVerified(), false)
    assert.equal((await person.browser.submit(path, {})).location, '/security')
    assert.equal(await isVerified(), true)
    const page = await person.browser.get('/security')
    assert.match(page.text, /You have confirmed/)
    assert.doesNotMatch(page.text, /verify-email\/send/)
  })

  it('returns 404 to other people, for a former address, after a day, and with another time', async () => {
    await requestLink(person)
    const path = await mailedLink('verify_email')
    const other = await signedInOf(world)
    assert.equal((await other.browser.get(path)).status, 404)
    assert.match((await visitorOf(world).get(path)).location ?? '', /^\/sign-in/)
    const later = path.replace(/until=(\d)/, 'until=9$1')
    for (const forged of [later, path.replace(/proof=.*/, 'proof='), '/security/verify-email'])
      assert.equal((await person.browser.get(forged)).status, 404, forged)
    const { text } = await person.browser.get(path)
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
    await change(person, 'next@campus.test')
    assert.equal((await person.browser.post(path, { csrf_token })).status, 404)
    await change(person, emailOf(person))
    world.clock.advance(86_400)
    assert.equal((await person.browser.get(path)).status, 404)
    world.clock.advance(-86_400)
    assert.equal(await isVerified(), false)
    assert.equal(await isVerified(other), false)
  })

  it('is mailed three times an hour to each person', async () => {
    const statuses: number[] = []
    for (let time = 0; time < 4; time += 1) statuses.push((await requestLink(person)).status)
    assert.deepEqual(statuses, [303, 303, 303, 429])
    const [count] = await world.database.rows(
      "select count(*) from mails where user_id = $1 and kind = 'verify_email'",
      [person.id],
    )
    assert.deepEqual(count, ['3'])
    assert.equal((await requestLink(await signedInOf(world))).status, 303)
  })

  it('is not offered by a school that sends no mail', async () => {
    const quiet = await campus()
    try {
      const { browser } = await signedInOf(quiet)
      const page = await browser.get('/security')
      assert.match(page.text, /You have not confirmed/)
      assert.doesNotMatch(page.text, /verify-email\/send/)
      assert.equal((await browser.submit('/security', {}, '/security/verify-email/send')).status, 404)
    } finally {
      await quiet.close()
    }
  })
})

type Change = (person: SignedIn, email: string) => Promise<unknown>

const CHANGES: Readonly<Record<string, Change>> = {
  'the API': async ({ id }, email) => {
    const changed = await world.director.patch(`/v2/users/${id}`, { user: { email } })
    assert.equal(changed.status, 204, changed.text)
  },
  'the record pages': async (changed, email) => {
    const boss = await signedInOf(world, { kind: 'admin' })
    const path = `/staff/records/users/${changed.id}`
    const sent = await boss.browser.submit(`${path}/edit`, { former_email: emailOf(changed), email })
    assert.equal(sent.location, path, sent.text)
  },
  'an import': async ({ login }, email) => {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'users.csv')
    await writeFile(file, `login,email,first_name,last_name,kind\n${login},${email},Ada,Byron,student\n`)
    const { database, config } = world
    const options = { hasOwnIds: false, takesGoodRows: false, isTrial: false, sendsWebhooks: true, key: 'login' }
    const sealing = async () => createSealing(undefined)
    const report = await importForCommand(
      { database, config, sealing },
      { resource: 'users', file, mappingFile: undefined, ...options },
      () => {},
    )
    await folder.remove()
    assert.equal(report.updated, 1, JSON.stringify(report))
  },
  'a mirror': ({ id }, email) =>
    world.database.transaction(async (tx) => {
      const shape = (await readShapes(tx)).get('users')
      assert.ok(shape)
      const rows = [{ id, columns: { email } }]
      const writing = { table: 'users', shape, comeLater: new Set<string>(), missing: () => undefined }
      assert.equal((await writeRows(tx, rows, writing)).written, 1)
    }),
  anonymizing: ({ id }) => anonymizeUser(world.database, { userId: id, ...BY_NOBODY, now: now() }),
}

describe('a verified address', () => {
  for (const [by, changeBy] of Object.entries(CHANGES)) {
    it(`is unverified after a change by ${by}`, async () => {
      await verify()
      const email = `${person.login}@new.test`
      await changeBy(person, email)
      const [row] = await world.database.rows('select email, email_verified_at from users where id = $1', [person.id])
      assert.notEqual(row?.[0], emailOf(person))
      assert.equal(row?.[1], null)
    })
  }

  it('stays verified when other fields change, or the same address is sent again', async () => {
    await verify()
    const user = { email: emailOf(person), last_name: 'Lovelace' }
    assert.equal((await world.director.patch(`/v2/users/${person.id}`, { user })).status, 204)
    assert.equal(await isVerified(), true)
  })
})
