import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { fold } from '@campus/engine/base/text/fold'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { emptyDatabase, type TestDatabase, testDatabase } from '@campus/test/support/database'
import pg from 'pg'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

/** Code points that folding changes, with the result. Surrogates are left out. */
const FOLDED = Array.from({ length: 0x10ffff }, (_, at) => at + 1)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((letter) => fold(letter) !== letter)
  .map((letter) => [letter, fold(letter)])

const BY_DATABASE = `
  select chr(n), lower(chr(n) collate "C") from generate_series(1, 1114111) n
  where n not between 55296 and 57343 and lower(chr(n) collate "C") <> chr(n) order by n`

/** How databases of schools may have been made: they decide what \`lower\` does without a collation. */
const LOCALES = [
  `locale_provider libc locale 'C'`,
  `locale_provider libc locale 'C.UTF-8'`,
  `locale_provider icu icu_locale 'tr-TR' locale 'C'`,
  `locale_provider icu icu_locale 'und' locale 'C'`,
]
/** Not every server and system has these. */
const OTHER_LOCALES = [
  `locale_provider libc locale 'fr_FR.UTF-8'`,
  `locale_provider libc locale 'tr_TR.UTF-8'`,
  `locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'`,
]

describe('logins and addresses are the same', () => {
  let server: TestDatabase
  before(async () => {
    server = await emptyDatabase()
  })
  after(() => server.close())

  /** Gives what the work gives on a database of this locale. */
  async function within<T>(locale: string, work: (database: Database) => Promise<T>): Promise<T> {
    const name = `fold_${randomUUID().replaceAll('-', '')}`
    await server.rows(`create database ${name} template template0 encoding 'UTF8' ${locale}`)
    const url = new URL(server.url)
    url.pathname = `/${name}`
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: url.href, poolSize: 1 })
    try {
      return await work(database)
    } finally {
      await database.close()
      await server.rows(`drop database ${name} with (force)`)
    }
  }

  it('for the service exactly where they are for the database, for every code point and whatever its locale', async (t) => {
    assert.deepEqual(
      FOLDED.map(([letter]) => letter),
      [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
    )
    const assertSame = async (locale: string) =>
      assert.deepEqual(await within(locale, (database) => database.rows(BY_DATABASE)), FOLDED, locale)
    for (const locale of LOCALES) await assertSame(locale)
    for (const locale of OTHER_LOCALES)
      await assertSame(locale).catch((error) => {
        if (!(error instanceof pg.DatabaseError)) throw error
        t.diagnostic(`SKIPPED ${locale}: ${error.message}`)
      })
  })

  it('for the unique index of addresses, in a Turkish database, too', async () => {
    const retained = await within(LOCALES[2] as string, async (database) => {
      await database.rows('create table users (email text collate "C")')
      await database.rows('create unique index on users (lower(email))')
      const added = []
      for (const email of ['\u212aate@x.test', 'kate@x.test', 'Kate@x.test', 'I@x.test', 'ı@x.test', 'i@x.test']) {
        const rows = await database.rows('insert into users values ($1) on conflict do nothing returning email', [
          email,
        ])
        added.push(...rows.flat())
      }
      return added
    })
    assert.deepEqual(retained, ['\u212aate@x.test', 'kate@x.test', 'I@x.test', 'ı@x.test'])
  })

  it('by columns that have the collation "C", all of them', async () => {
    const database = await testDatabase()
    const others = await database.rows(
      `select c.relname || '.' || a.attname || ' ' || l.collname from pg_attribute a join pg_class c on c.oid = a.attrelid
       join pg_collation l on l.oid = a.attcollation
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'kysely_migration' and l.collname <> 'C'
         and a.attname in ('login', 'email', 'slug', 'uid', 'name', 'subject', 'issuer', 'key')
       order by 1`,
    )
    assert.deepEqual(others.flat(), [])
    await database.close()
  })
})
