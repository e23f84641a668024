import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Jobs } from '@campus/engine/base/metrics/jobs'
import { WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { mailServer, type ReceivedMail } from '@campus/test/support/mail-server'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { createAccount } from '../../school/domain/accounts/accounts.ts'
import { writeMail } from '../../school/domain/mails/write-mail.ts'
import { email } from '../../school/resources/texts.ts'
import { queueMail } from '../../services/mail/queue-mail.ts'
import { sendMails } from '../../services/mail/send-mails.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { ENGLISH } from '../../settings/languages.ts'
import { createSealing } from '../../webhooks/sealing.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const clock = { now: () => NOW }

/** Texts that add a header, an address or a command where they are not held together. */
const INJECTED = 'Bcc: evil@evil.test'
const NAMES = [
  `Ada\r\n${INJECTED}`,
  `Ada\n${INJECTED}\n\n<b>evil</b>`,
  `Ada\r${INJECTED}`,
  `Ada\r\n.\r\nMAIL FROM:<evil@evil.test>\r\nRCPT TO:<evil@evil.test>\r\nDATA\r\n${INJECTED}`,
  `Ada\u0085${INJECTED}`,
  `Ada\u2028${INJECTED}\u2029`,
  '=?utf-8?q?Ada=0D=0ABcc=3A_evil=40evil=2Etest?=',
  '"Ada" <evil@evil.test>, evil@evil.test',
  'Ada {link} {login} $& \\r\\n',
  'é'.repeat(255),
  'A'.repeat(2000),
]

/** Addresses of which some program makes another address, a list of them, or a header. */
const ADDRESSES = [
  'ada,evil@evil.test',
  'ada;evil@evil.test',
  'ada<evil@evil.test>',
  'ada@school.test<evil@evil.test>',
  'evil@evil.test(ada)',
  '(ada)evil@evil.test',
  'ada:evil@evil.test;',
  '"ada@school.test"evil@evil.test',
  '"ada\\"@school.test',
  '[ada]@school.test',
  'ada@[127.0.0.1]',
  'ada@school.test,evil@evil.test',
  `ada@school.test\r\n${INJECTED}`,
  `ada\n@school.test`,
  'ada\u2028evil@evil.test',
  'ada\u0085Bcc:evil@evil.test',
  'ada\u0001@school.test',
  'ada@school.test?bcc=evil',
  'ada@school\u200b.test',
  'ada@evil.test\u3002school.test',
]

/** Headers of each mail. There are no others. */
const HEADERS = [
  'Auto-Submitted',
  'Content-Language',
  'Content-Transfer-Encoding',
  'Content-Type',
  'Date',
  'From',
  'MIME-Version',
  'Message-ID',
  'Subject',
  'To',
]

describe('a mail holds together whatever people and applications are called', () => {
  let database: TestDatabase
  let build: Builder
  let server: Awaited<ReturnType<typeof mailServer>>
  before(async () => {
    database = await testDatabase()
    build = builderOf(database)
    server = await mailServer()
    await database.rows("insert into mail_senders (until) values ('infinity')")
  })
  after(async () => {
    await database.close()
    await server.close()
  })
  beforeEach(async () => {
    server.received.length = 0
    await database.rows('delete from mails')
  })

  /** Sends what is queued, and gives what became of each mail. */
  async function deliver(from = 'Campus <campus@school.test>') {
    const sealer = new Sealer(Buffer.alloc(32, 7))
    const writing = {
      database,
      sealer,
      baseUrl: 'https://campus.test',
      timeZone: 'UTC',
      languages: { ofSchool: [ENGLISH] },
      now: NOW,
    }
    const left = new Set((await database.rows('select id from mails')).map(([id]) => id))
    const all = Promise.withResolvers<void>()
    const results: string[] = []
    const stop = sendMails({
      ...{ database, clock, mail: { url: server.url, from, name: 'campus.test' }, jobs: new Jobs() },
      write: (mail) => writeMail(writing, mail),
      onError: () => {},
      onOutcome: (_kind, result) => {
        results.push(result)
        if (results.length === left.size) all.resolve()
      },
    })
    await all.promise
    await stop()
    return results
  }

  const queue = (userId: number) =>
    database.transaction((tx) => queueMail(tx, { kind: 'reset_link', userId, details: {}, now: NOW }))

  function headOf({ raw }: ReceivedMail): ReadonlyMap<string, string> {
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
    const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
    for (const line of lines) assert.match(line, /^[A-Z][A-Za-z-]+: [^\r\n]*$/)
    return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
  }

  it('with names of people and applications that hold lines, headers and commands', async () => {
    for (const name of NAMES) {
      const id = await build.user({ first_name: name, email: 'ada@school.test' })
      const application = await build.record('applications', {
        name,
        uid: String(id),
        secret_digest: Buffer.from('x'),
        owner_id: id,
        previous_secret_valid_until: new Date(NOW.getTime() + 1000),
      })
      await queue(id)
      const details = { applicationId: application, until: new Date(NOW.getTime() + 1000).toISOString() }
      await database.transaction((tx) => queueMail(tx, { kind: 'secret_ending', userId: id, details, now: NOW }))
      server.received.length = 0
      assert.deepEqual(await deliver(), ['sent', 'sent'], name)
      assert.equal(server.received.length, 2)
      for (const mail of server.received) {
        assert.deepEqual([mail.from, mail.to], ['campus@school.test', ['ada@school.test']])
        const head = headOf(mail)
        assert.deepEqual([...head.keys()].toSorted(), HEADERS)
        assert.equal(head.get('To'), 'ada@school.test')
        assert.doesNotMatch(mail.raw, new RegExp(`^(${INJECTED}|MAIL FROM|RCPT TO)`, 'm'))
      }
      await database.rows('delete from mails')
      await database.rows('delete from applications')
      await database.rows('delete from password_resets')
      await database.rows('delete from users')
    }
  })

  it('with an address that is not one address: no mail goes out, and it is not tried again', async () => {
    for (const address of ADDRESSES) {
      const id = await build.user({ email: address })
      await queue(id)
      assert.deepEqual(await deliver(), ['refused'], JSON.stringify(address))
      const [[error, decided] = []] = await database.rows('select error, decided_at is not null from mails')
      assert.deepEqual([error, decided], ['the address is none that mail can be sent to', 't'])
      await database.rows('delete from mails')
    }
    assert.deepEqual(server.received, [])
  })

  it('with addresses that nobody is given: new people and changes are refused by the same rule', async () => {
    const { kind } = email().stored ?? {}
    const actor = { userId: null }
    for (const address of ADDRESSES) {
      const values = { first_name: 'Ada', last_name: 'Byron', email: address }
      const created = database.transaction((tx) => createAccount(tx, createSealing(), { values, actor, now: NOW }))
      await assert.rejects(created, { status: 422 }, JSON.stringify(address))
      assert.throws(() => kind?.read(address), WrongValue, JSON.stringify(address))
    }
  })

  it('with what addresses may hold', async () => {
    for (const address of ["o'brien+x@school.test", 'a!#$%&*/=?^_`{|}~@school.test', '-ada.b@school-1.test']) {
      await queue(await build.user({ email: address }))
      assert.deepEqual(await deliver(), ['sent'], address)
      assert.deepEqual(
        server.received.at(-1)?.to.map((to) => to.replace(/^"(.*)"@/, '$1@')),
        [address],
      )
      await database.rows('delete from mails')
    }
  })

  it('with a sender whose name has a comma', async () => {
    await queue(await build.user({ email: 'grace@school.test' }))
    assert.deepEqual(await deliver('Campus, Lyon <campus@school.test>'), ['sent'])
    const [mail] = server.received
    assert.equal(mail?.from, 'campus@school.test')
    assert.equal(mail && headOf(mail).get('From'), '"Campus, Lyon" <campus@school.test>')
  })
})
