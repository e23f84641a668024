import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { foldSql, sameName } from '@campus/engine/database/same-name'
import { HttpError } from '@campus/engine/errors'
import { Registry } from '@campus/engine/rest/declare/registry'
import { findByName } from '@campus/engine/rest/import/find-records'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { databaseOfLocale, type TestDatabase } from '@campus/test/support/database'
import { builderOf } from '@campus/test/support/row-builder'
import { createPasswordReset, requestPasswordReset } from '../../access/password-resets.ts'
import { hashPassword } from '../../access/passwords.ts'
import { matchIdentity } from '../../access/school-identities.ts'
import { authenticateByPassword } from '../../access/sign-in.ts'
import { createNamedApplication } from '../../oauth/applications/by-operators.ts'
import { findRoles } from '../../oauth/applications/values.ts'
import { accountOf } from '../../school/domain/accounts/accounts.ts'
import { takenEmails, takenLogins } from '../../school/domain/accounts/check-accounts.ts'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { type AuditFilter, findAuditRecords } from '../../services/audit/find-audit-records.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { listDeliveries } from '../../webhooks/delivery-log.ts'
import { createSealing } from '../../webhooks/sealing.ts'

/** Clauses of `create database`. JavaScript folds as Unicode does; Turkish folds differently. */
const LOCALES = {
  c_utf8: "locale 'C.UTF-8'",
  icu_turkish: "locale_provider icu icu_locale 'tr-TR' locale 'C.UTF-8'",
}

const NOW = new Date('2026-03-02T10:00:00.000Z')
const sealer = new Sealer(Buffer.alloc(32, 7))
const registry = new Registry(resources(sealer, createSealing()), COMMON_ACCESS)

/** Letters that some fold makes the letters of `isk`. */
const IMPOSTORS = { i: ['\u0130', '\u0131'], s: ['\u017f'], k: ['\u212a'] }

/** The person `isk`, and an application, a role and a delivery of that name. */
async function peopleOf(database: TestDatabase): Promise<number> {
  const build = builderOf(database)
  const password_digest = await hashPassword(PASSWORD)
  const id = await build.user({ login: 'isk', email: 'Isk@campus.test', password_digest })
  await database.rows(
    `insert into applications (name, uid, secret_digest, owner_id) values ('isk', 'u', '\\x00', $1) returning id`,
    [id],
  )
  const events = [
    "insert into audit_events (kind, actor_id, subject_id, created_at) values ('account_created', $1, $1, $2)",
  ]
  for (const event of events) await database.rows(event, [id, NOW])
  await build.record('roles', { name: 'isk', description: 'A role.' })
  const endpoint_id = await build.record('endpoints', { url: 'https://hook.test' })
  await build.record('deliveries', { endpoint_id, user_id: id, login: 'isk', event: 'created', record: '{}' })
  await database.rows("insert into mail_senders (until) values ('infinity')")
  return id
}

const PASSWORD = 'correct horse battery'

/** Gives whether the name finds the person, or what is theirs. */
type Finds = (database: TestDatabase, name: string) => Promise<boolean>

const unlessRefused = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return false
    throw error
  }
}

const tallyOf = (database: TestDatabase) => ({ handle: database, sealer, now: NOW })
const isInLog = async (database: TestDatabase, wanted: AuditFilter) =>
  (await findAuditRecords(database, wanted, { limit: 1, offset: 0 })).length > 0
const isMailed: Finds = async (database, who) => {
  await database.rows('delete from attempts')
  await requestPasswordReset(database, tallyOf(database), who)
  return (await database.rows('delete from mails returning id')).length > 0
}
const findIn =
  (field: string, ending = ''): Finds =>
  async (database, name) => {
    const given = name + ending
    const found = await findByName(database, registry.get('users'), field, [given])
    return (found.get(given) ?? []).length > 0
  }

const COMPARISONS: Readonly<Record<string, Finds>> = {
  'sign-in by a password': async (database, login) => {
    await database.rows('delete from attempts')
    const origin = { address: '192.0.2.1', browserKey: undefined }
    return unlessRefused(authenticateByPassword(tallyOf(database), { login, password: PASSWORD }, origin))
  },
  'the limit of attempts at an account': async (database, login) => {
    await database.rows('delete from attempts')
    const attempt = (name: string) =>
      unlessRefused(
        authenticateByPassword(
          tallyOf(database),
          { login: name, password: 'wrong' },
          { address: '192.0.2.1', browserKey: undefined },
        ),
      )
    await attempt('isk')
    const before = await database.rows('select count(*) from attempts')
    await attempt(login)
    return String(await database.rows('select count(*) from attempts')) === String(before)
  },
  'a link for a login that was forgotten': isMailed,
  'a link for an address that was forgotten': (database, name) => isMailed(database, `${name}@campus.test`),
  'an address that the school’s provider verifies': (database, name) => {
    const email = `${name}@campus.test`
    const identity = { issuer: 'https://school.test', subject: 'same', email, isEmailVerified: true }
    return unlessRefused(
      database.transaction(async (tx) => {
        await matchIdentity(tx, NOW, identity, '192.0.2.1')
        await tx.rows('delete from school_identities')
      }),
    )
  },
  'the login of a command': (database, login) => unlessRefused(accountOf(database, login)),
  'a reset link of a command': (database, login) =>
    unlessRefused(database.transaction((tx) => createPasswordReset(tx, NOW, { login, actor: { userId: null } }))),
  'the owner of an application': (database, owner) =>
    unlessRefused(
      database.transaction(async (tx) => {
        const by = { actor: { userId: null }, now: NOW }
        return createNamedApplication(tx, { name: 'Cluster map', redirect_uris: ['https://a.test/'], owner }, by)
      }),
    ),
  'a login that is taken': async (database, login) => (await takenLogins(database, [login])).size > 0,
  'an address that is taken': async (database, name) => (await takenEmails(database, [`${name}@campus.test`])).size > 0,
  'a login of an import': findIn('login'),
  'an address of an import': findIn('email', '@campus.test'),
  'who did something in the audit log': (database, actor) => isInLog(database, { actor }),
  'to whom it was done': (database, about) => isInLog(database, { about }),
  'a role of an application': async (database, name) =>
    (await findRoles(database, new ValidationErrors(), [name])).length > 0,
  'the login of a delivery': async (database, user) => (await listDeliveries(database, { user })).length > 0,
}

for (const [name, locale] of Object.entries(LOCALES)) {
  describe(`in a database of ${locale}`, () => {
    let database: TestDatabase
    before(async () => {
      database = await databaseOfLocale(name, locale)
      await peopleOf(database)
    })
    after(() => database.close())

    it('what is the same is so for the unique indexes, and nothing else is', async () => {
      const { rows, kysely } = database
      const indexed = await rows(
        `select pg_get_indexdef(i.indexrelid, 1, true), l.collname from pg_index i
         join pg_attribute a on a.attrelid = i.indexrelid and a.attnum = 1 join pg_collation l on l.oid = a.attcollation
         where i.indrelid = 'users'::regclass and i.indisunique and i.indexprs is not null order by 1`,
      )
      assert.deepEqual(indexed, [
        ['lower(email)', 'C'],
        ['lower(login)', 'C'],
      ])
      const plan = await rows(
        `explain select from users where ${foldSql('email')} = ${foldSql("'Isk@campus.test'")} limit 1`,
      )
      assert.match(String(plan), /Index .*users_email_key/)
      const found = await kysely.selectFrom('users').select('id').where(sameName('login', 'a\0b')).execute()
      assert.deepEqual(found, [])
      await assert.rejects(builderOf(database).user({ login: 'ISK', email: 'x@campus.test' }), { code: '23505' })
    })

    for (const [what, finds] of Object.entries(COMPARISONS)) {
      it(`${what} takes capitals from A to Z for small letters, and no other letter for them`, async () => {
        for (const same of ['isk', 'ISK', 'iSk']) assert.equal(await finds(database, same), true, same)
        for (const [letter, others] of Object.entries(IMPOSTORS)) {
          for (const other of others) {
            const name = 'isk'.replace(letter, other)
            assert.equal(await finds(database, name), false, JSON.stringify(name))
          }
        }
      })
    }

    it('an address that a provider verifies finds one beyond ASCII only as it stands', async () => {
      const match = (subject: string, email: string) =>
        database.transaction((tx) =>
          matchIdentity(tx, NOW, { issuer: 'https://school.test', subject, email, isEmailVerified: true }, '192.0.2.1'),
        )
      const user = await builderOf(database).user({ login: 'elodie', email: 'Élodie@campus.test' })
      for (const other of [
        'élodie@campus.test',
        'ÉLODIE@campus.test',
        'Élodie@Campus.test',
        'E\u0301lodie@campus.test',
      ])
        await assert.rejects(match('other', other), { status: 422 })
      await assert.rejects(match('half', '\ud800lodie@campus.test'), { status: 422 })
      assert.equal(await match('own', 'Élodie@campus.test'), user)
    })
  })
}
