import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Jobs } from '@campus/engine/base/metrics/jobs'
import { Captures } from '@campus/engine/changes/capture'
import { campus, type World } from '@campus/test/support/campus'
import { mailServer } from '@campus/test/support/mail-server'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { sampleOf, scrape } from '@campus/test/support/scrape'
import { visitorOf } from '@campus/test/support/visitor'
import { createApplication } from '../../oauth/applications/create.ts'
import { rotateSecret } from '../../oauth/applications/secrets.ts'
import { createWebhook } from '../../oauth/applications/webhooks.ts'
import { writeMail } from '../../school/domain/mails/write-mail.ts'
import { declaredRegistry, storageOfResources } from '../../school/resources/declared.ts'
import { queueMailToOwnersOf, queueMailToStaffOf } from '../../services/mail/queue-mail.ts'
import { type MailError, type MailResult, sendMails } from '../../services/mail/send-mails.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { modelsOf } from '../../webhooks/applications/models.ts'

const NOBODY = { userId: null }
const FROM = 'Campus <campus@school.test>'

describe('mails', () => {
  let world: World
  let server: Awaited<ReturnType<typeof mailServer>>
  let failures: MailError[]
  let results: MailResult[]
  before(async () => {
    server = await mailServer()
    world = await campus({ env: { CAMPUS_MAIL_URL: server.url, CAMPUS_MAIL_FROM: FROM, CAMPUS_LANGUAGES: 'en,fr' } })
  })
  after(async () => {
    await world.close()
    await server.close()
  })
  beforeEach(async () => {
    await forgetMails()
    server.received.length = 0
    server.behaviour.refuse = undefined
    failures = []
    results = []
  })

  /** Waits for mails in progress before it forgets all. */
  async function forgetMails(): Promise<void> {
    for (let left = 1; left > 0; ) {
      await world.database.rows('delete from mails where decided_at is not null or tries = 0 or error is not null')
      left = (await world.database.rows('select id from mails')).length
    }
  }

  /** Sends what is due, or those mails of it, beside the service, which does so by itself every few seconds. */
  async function deliver(which = 'true'): Promise<void> {
    const { database, clock, config } = world
    const stop = sendMails({
      database,
      clock,
      mail: { url: server.url, from: FROM, name: 'campus.test' },
      write: (mail) =>
        writeMail({ ...config, database, sealer: new Sealer(Buffer.alloc(32, 7)), now: clock.now() }, mail),
      onError: (failure) => failures.push(failure),
      jobs: new Jobs(),
      onOutcome: (_kind, result) => results.push(result),
    })
    await decided(which)
    await stop()
  }

  async function decided(which: string): Promise<void> {
    for (;;) {
      const left = await world.database.rows(
        `select id from mails where decided_at is null and (due_at <= $1 or (tries > 0 and error is null)) and ${which}`,
        [world.clock.now()],
      )
      if (left.length === 0) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  const textOf = (raw = '') => {
    const [head = '', ...body] = raw.split('\r\n\r\n')
    const text = body.join('\n\n').replace(/\r\n/g, '\n')
    const isQuoted = /quoted-printable/i.test(head)
    return isQuoted
      ? Buffer.from(
          text
            .replace(/=\n/g, '')
            .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString()
      : text
  }

  test('a forgotten password is chosen anew by a link that is in the mail and nowhere else', async () => {
    const { login, id } = await personOf(world, { email: 'ada@campus.test', first_name: 'Ada' })
    const browser = visitorOf(world)
    assert.match((await browser.get('/sign-in')).text, /href="\/forgot-password"/)
    const asked = await browser.submit('/forgot-password', { who: 'ADA@campus.test' })
    assert.equal(asked.location, '/sign-in')
    assert.deepEqual(await world.database.rows('select digest from password_resets where user_id = $1', [id]), [])
    await deliver()
    const [mail, ...more] = server.received
    assert.ok(mail && more.length === 0)
    assert.deepEqual(mail.to, ['ada@campus.test'])
    assert.equal(mail.from, 'campus@school.test')
    assert.match(mail.raw, /^Auto-Submitted: auto-generated/m)
    const link = /https:\/\/\S+\/reset-password\?token=[\w-]{43}/.exec(textOf(mail.raw))?.[0]
    assert.ok(link, textOf(mail.raw))
    const path = link.slice(world.config.baseUrl.length)
    const chosen = await browser.submit(path, { password: 'battery staple', password_again: 'battery staple' })
    assert.equal(chosen.location, '/sign-in')
    assert.equal((await browser.signIn(login, 'battery staple')).status, 303)
  })

  test('asking for a link tells nobody who has an account, and fills nobody’s mailbox', async () => {
    const { login } = await personOf(world)
    const ask = (who: string) => visitorOf(world).submit('/forgot-password', { who })
    const [known, unknown] = [await ask(login), await ask('nobody-at-all')]
    assert.deepEqual([known.status, known.location], [unknown.status, unknown.location])
    for (let n = 0; n < 4; n += 1) assert.equal((await ask(login)).status, 303)
    const queued = await world.database.rows("select id from mails where kind = 'reset_link'")
    assert.equal(queued.length, 3)
    const closed = await personOf(world, { closed_at: world.clock.now() })
    await ask(closed.login)
    assert.equal((await world.database.rows('select id from mails')).length, 3)
  })

  test('a sign-in in a new browser is told, one in a known browser is not; those who want no mail get none', async () => {
    const { login } = await personOf(world, { email: 'new@campus.test', first_name: 'Nell' })
    const browser = visitorOf(world)
    await browser.signIn(login, PASSWORD)
    await browser.submit('/', {}, '/sign-out')
    await browser.signIn(login, PASSWORD)
    const quiet = await personOf(world, { email_stop: true })
    await visitorOf(world).signIn(quiet.login, PASSWORD)
    await deliver()
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [['new@campus.test']],
    )
    assert.match(
      textOf(server.received[0]?.raw),
      /Hello Nell,.*signed in to your account.*, from (127\.0\.0\.1|::1), /s,
    )
  })

  test('a mail has its times by the clocks of the reader’s campus, and names their zone', async () => {
    const { id } = await personOf(world, { email: 'gre@campus.test', first_name: 'Grete' })
    const at = '2026-03-02T14:00:00.000Z'
    const { database, config } = world
    const write = (kind: string, details: object) =>
      writeMail(
        { ...config, database, sealer: new Sealer(Buffer.alloc(32, 7)), now: new Date(at) },
        { id: 1, kind, user_id: id, details },
      )
    const cancelled = { kind: 'evaluation_cancelled', details: { evaluationId: 1, scale: 'Libft', at } }
    assert.match((await write('notification', cancelled))?.text ?? '', /2 March 2026 at 14:00 \(UTC\) is cancelled/)
    const campus_id = await world.build.campus({ name: 'Grenoble', slug: 'grenoble', time_zone: 'Europe/Paris' })
    await world.build.record('campus_users', { user_id: id, campus_id, is_primary: true })
    const evaluation = cancelled.details
    const address = '192.0.2.1'
    for (const [kind, details] of [
      ['notification', cancelled],
      ['notification', { kind: 'evaluation_booked', details: evaluation }],
      ['notification', { kind: 'evaluation_soon', details: evaluation }],
      ['new_sign_in', { at, address, browser: 'Firefox' }],
      ['account_changed', { at, what: 'password_changed', address }],
      ['codes_guessed', { at, address }],
      ['second_factor_added', { at, address, what: 'app', name: '' }],
      ['passkey_suspected', { at, address, name: 'Key' }],
    ] as const)
      assert.match((await write(kind, details))?.text ?? '', /2 March 2026 at 15:00 \(Europe\/Paris\)/, kind)
    assert.match((await write('notification', cancelled))?.subject ?? '', /15:00 \(Europe\/Paris\)/)
    for (const kind of ['reset_link', 'verify_email'])
      assert.match((await write(kind, {}))?.text ?? '', /2026 at \d\d:\d\d \(Europe\/Paris\)/, kind)
  })

  test('a mail is in the first of the school’s languages that the person speaks', async () => {
    const { id, login } = await personOf(world, { email: 'fr@campus.test', first_name: 'Zoé' })
    for (const [identifier, position] of [
      ['de', 1],
      ['fr', 2],
      ['en', 3],
    ] as const) {
      const [known] = await world.database.rows('select id from languages where identifier = $1', [identifier])
      const language_id = known
        ? Number(known[0])
        : await world.build.record('languages', { name: identifier, identifier })
      await world.build.record('languages_users', { user_id: id, language_id, position })
    }
    await visitorOf(world).signIn(login, PASSWORD)
    await deliver()
    assert.match(textOf(server.received[0]?.raw), /^Bonjour Zoé,.*Un navigateur, depuis .*, 2 mars 2026 à 10:00/s)
    assert.match(server.received[0]?.raw ?? '', /^Content-Language: fr/m)
  })

  test('the owner of a rotated secret is told two days before the former one ends, unless it has ended already', async () => {
    const { id: ownerId } = await personOf(world, { email: 'owner@campus.test' })
    const by = { actor: { userId: null }, now: world.clock.now() }
    const { id } = await world.database.transaction((tx) =>
      createApplication(tx, { values: { name: 'Bus times', scopes: [] }, ownerId, ...by }),
    )
    const rotate = (graceDays: number) => world.database.transaction((tx) => rotateSecret(tx, { id, graceDays, ...by }))
    await rotate(7)
    await deliver()
    assert.equal(server.received.length, 0)
    world.clock.advance(5 * 86_400)
    await deliver()
    assert.match(textOf(server.received[0]?.raw), /"Bus times" was changed; the former one is accepted until/)
    by.now = world.clock.now()
    await rotate(7)
    await rotate(0)
    world.clock.advance(6 * 86_400)
    await deliver()
    assert.equal(server.received.length, 1)
  })

  test('a webservice that was switched off is told to the staff of its campuses, else to all staff', async () => {
    const endpoint = await world.build.record('endpoints', {
      url: 'https://store.campus.test/hooks',
      active: false,
      switched_off_because: 'gone',
      secret: Buffer.from('x'),
    })
    const boss = await personOf(world, { kind: 'admin', email: 'boss@campus.test' })
    const log = () => world.database.transaction((tx) => queueMailToStaffOf(tx, world.clock.now(), [endpoint]))
    await log()
    await deliver()
    assert.ok(server.received.some(({ to }) => to[0] === 'boss@campus.test'))
    assert.match(
      textOf(server.received[0]?.raw),
      /store\.campus\.test\/hooks gets no more calls, since it answered 410 Gone/,
    )
    server.received.length = 0
    const campus_id = await world.build.campus({ name: 'Lyon', endpoint_id: endpoint })
    await personOf(world, { kind: 'admin', email: 'elsewhere@campus.test' })
    await world.build.record('campus_users', { user_id: boss.id, campus_id })
    await log()
    await deliver()
    assert.deepEqual(
      server.received.map(({ to }) => to[0]),
      ['boss@campus.test'],
    )
  })

  test('the owner of a webhook that was switched off gets a mail, unless it works again', async () => {
    const { database, clock } = world
    const owner = await personOf(world, { email: 'hooks@campus.test' })
    const sealer = new Sealer(Buffer.alloc(32, 7))
    const captures = new Captures(database, storageOfResources())
    const models = () => modelsOf(declaredRegistry().resources)
    const make = async (ownerId: number | null) => {
      const by = { actor: NOBODY, now: clock.now() }
      const { id } = await database.transaction((tx) =>
        createApplication(tx, { values: { name: 'Bus board' }, ownerId, ...by }),
      )
      const values = { model: 'location', event: 'close', url: 'https://bus.campus.test/hook' }
      const capture = captures.captureWithin.bind(captures)
      const made = await database.transaction((tx) =>
        createWebhook(tx, { ...values, applicationId: id }, { models, sealer, capture, ...by }),
      )
      await database.rows("update webhooks set active = false, switched_off_because = 'gone' where id = $1", [made.id])
      return made.id
    }
    const ids = [await make(owner.id), await make(null)]
    const queue = () => database.transaction((tx) => queueMailToOwnersOf(tx, clock.now(), ids))
    await queue()
    await deliver()
    assert.deepEqual(
      server.received.map(({ to }) => to[0]),
      ['hooks@campus.test'],
    )
    const text = textOf(server.received[0]?.raw)
    assert.match(text, /bus\.campus\.test\/hook gets no more webhooks about location close, since it answered 410 Gone/)
    assert.match(text, /\/applications\/\d+\/webhooks\/\d+/)
    server.received.length = 0
    await queue()
    await database.rows('update webhooks set active = true, switched_off_because = null')
    await deliver()
    assert.deepEqual(server.received, [])
  })

  const late = async () => sampleOf(await scrape(world.anonymous), 'campus_mails_late')

  /** By this test and by the service, which may be the sooner. */
  const countOf = async (result: MailResult) =>
    results.filter((one) => one === result).length +
    sampleOf(await scrape(world.anonymous), 'campus_mail_attempts_total', { kind: 'new_sign_in', result })

  test('metrics tell what comes of mails, and how many are late', async () => {
    const { login } = await personOf(world, { email: 'counted@campus.test' })
    const all = () => Promise.all((['sent', 'deferred', 'refused', 'unneeded'] as const).map(countOf))
    const former = await all()
    await visitorOf(world).signIn(login, PASSWORD)
    server.behaviour.refuse = { code: 451, message: 'later' }
    await deliver()
    assert.equal(await late(), 1)
    server.behaviour.refuse = undefined
    world.clock.advance(120)
    await deliver()
    assert.equal(await late(), 0)
    await visitorOf(world).signIn(login, PASSWORD)
    server.behaviour.refuse = { code: 550, message: 'unknown' }
    await deliver()
    assert.equal(await late(), 0)
    const now = await all()
    assert.deepEqual(
      now.map((count, at) => count - (former[at] as number)),
      [1, 1, 1, 0],
    )
  })

  test('a mail that another process has leased is sent by nobody else until the lease ends', async () => {
    const { database, clock } = world
    const leased = await personOf(world, { email: 'leased@campus.test' })
    const { login } = await personOf(world, { email: 'free@campus.test' })
    await database.rows(
      `insert into mails (kind, user_id, due_at, created_at, tries, error, lease, leased_until)
       values ('reset_link', $1, $2, $2, 1, 'it died', gen_random_uuid(), clock_timestamp() + interval '1 minute')`,
      [leased.id, clock.now()],
    )
    const recipients = () => server.received.map(({ to }) => to[0])
    await visitorOf(world).signIn(login, PASSWORD)
    await deliver("kind <> 'reset_link'")
    assert.deepEqual(recipients(), ['free@campus.test'])
    await database.rows(`update mails set leased_until = clock_timestamp() where kind = 'reset_link'`)
    await deliver()
    assert.deepEqual(recipients(), ['free@campus.test', 'leased@campus.test'])
    const rows = await database.rows("select tries, sent, error, lease from mails where kind = 'reset_link'")
    assert.deepEqual(rows, [['2', 't', null, null]])
  })

  test('a server that refuses for the moment is asked again, one that refuses for good is not, and no address is told', async () => {
    const { login } = await personOf(world, { email: 'later@campus.test' })
    await visitorOf(world).signIn(login, PASSWORD)
    server.behaviour.refuse = { code: 451, message: 'later@campus.test is greylisted' }
    await deliver()
    assert.doesNotMatch(String(failures[0]?.error), /later@campus/)
    assert.deepEqual(await world.database.rows('select tries, sent, error from mails'), [
      ['1', 'f', 'the mail server DATA 451'],
    ])
    server.behaviour.refuse = undefined
    world.clock.advance(120)
    await deliver()
    assert.equal(server.received.length, 1)
    await visitorOf(world).signIn(login, PASSWORD)
    server.behaviour.refuse = { code: 550, message: 'unknown' }
    await deliver()
    world.clock.advance(86_400)
    server.behaviour.refuse = undefined
    await deliver()
    assert.equal(server.received.length, 1)
  })
})

test('a school without a mail server has no such page, and no mails pile up', async () => {
  const world = await campus()
  const { login } = await personOf(world)
  await visitorOf(world).signIn(login, PASSWORD)
  assert.equal((await visitorOf(world).get('/forgot-password')).status, 404)
  assert.deepEqual(await world.database.rows('select id from mails'), [])
  await world.close()
})
