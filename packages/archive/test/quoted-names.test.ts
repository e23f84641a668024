import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findOutdatedTriggers } from '@campus/engine/database/apply-change-triggers'
import { migrate, migrateAsFarAs } from '@campus/engine/database/migrate'
import { knownMigrations } from '@campus/engine/database/migrations'
import { anyDatabase } from '@campus/engine/database/tables'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { runCommand } from '@campus/test/support/run-command'
import pg from 'pg'
import { readArchive } from '../read-archive.ts'
import { backUpTo, type Installation, restoreFrom } from './installation.ts'
import { emptyInstallation, smallSchool, urlOf } from './small-school.ts'

const quoted = pg.escapeIdentifier
/** The first characters of a name, so that the name fits with a suffix. */
const startOf = (name: string) => [...name].slice(0, 11).join('')

/** Names that an operator may give to a table, a column or a sequence. The last ones have 63 bytes. */
const NAMES = [
  'users-old',
  'élèves',
  'Shoe size',
  'a-b',
  'Capitals',
  'dotted.name',
  'sla/sh',
  '../../etc/passwd',
  'x"; drop table users; --',
  'say "hi"',
  '"',
  "apostrophe's",
  'back\\slash',
  'tab\tand\nline',
  '__proto__',
  'constructor',
  'select',
  '1st',
  '%41 %s %',
  '~1',
  'é'.repeat(31),
  '\u{1f393}'.repeat(15),
  'x'.repeat(63),
]

describe('tables, columns and sequences of an operator, whose names need quotes', () => {
  let school: Installation
  const opened: Installation[] = []
  before(async () => {
    school = await smallSchool()
    for (const name of NAMES) {
      await school.database.rows(`create table ${quoted(name)} (id serial primary key, ${quoted(name)} text)`)
      await school.database.rows(`insert into ${quoted(name)} (${quoted(name)}) values ($1), (null)`, [`of ${name}`])
      await school.database.rows(`create sequence ${quoted(`${startOf(name)} seq`)} start 7`)
      await school.database.rows(`alter table users add column ${quoted(`${startOf(name)} col`)} text default 'x'`)
    }
  })
  after(async () => {
    for (const one of [school, ...opened]) await one.close()
  })

  async function empty(): Promise<Installation> {
    const one = await emptyInstallation()
    opened.push(one)
    return one
  }

  for (const passphrase of [undefined, 'open sesame, please'])
    it(`are in an archive that can be checked and restored, ${passphrase ? 'encrypted' : 'not encrypted'}`, async () => {
      const file = join(school.config.data, 'school.campus')
      await backUpTo(file, school, passphrase)
      const opening = passphrase === undefined ? undefined : { passphrase }
      const { head, manifest } = await readArchive(file, { opening, progress: () => {}, step: 'checked' })
      for (const name of NAMES) {
        assert.ok(head.tables.some((table) => table.name === name && table.columns[1]?.name === name))
        assert.equal(new Map(Object.entries(manifest.tables)).get(name)?.rows, 2)
      }
    })

  it('are backed up, checked and restored by the commands, which name what a restore leaves out', async () => {
    const target = await empty()
    const file = join(school.config.data, 'by-command.campus')
    const CAMPUS_BACKUP_PASSPHRASE = 'open sesame, please'
    const run = async (one: Installation, ...words: readonly string[]) =>
      runCommand(words, {
        CAMPUS_DATA: one.config.data,
        DATABASE_URL: await urlOf(one.database),
        CAMPUS_BACKUP_PASSPHRASE,
      })
    assert.equal((await run(school, 'backup', file)).code, 0)
    assert.match((await run(target, 'restore', file, '--check')).stdout, /^It is whole/)
    const { code, stderr, stdout } = await run(target, 'restore', file, '--json')
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    const leftOut: readonly string[] = JSON.parse(stdout).left_out
    for (const name of NAMES) {
      assert.ok(leftOut.includes(name), name)
      assert.ok(leftOut.includes(`users.${startOf(name)} col`), name)
    }
    assert.equal(leftOut.length, 2 * NAMES.length)
    assert.deepEqual(
      await target.database.rows('select login, wallet from users order by id'),
      await school.database.rows('select login, wallet from users order by id'),
    )
  })

  it('do not stop a start, which creates the triggers and functions of all tables anew', async () => {
    await migrate(school.database.kysely, storageOfResources())
    assert.deepEqual(await findOutdatedTriggers(anyDatabase(school.database.kysely), storageOfResources()), [])
  })

  it('are restored with their rows and sequences if they are made in the empty database before', async () => {
    const target = await empty()
    const { database } = target
    await migrateAsFarAs(database.kysely, SCHOOL_MIGRATIONS, await knownMigrations(SCHOOL_MIGRATIONS))
    for (const name of NAMES) {
      await database.rows(`create table ${quoted(name)} (id serial primary key, ${quoted(name)} text)`)
      await database.rows(`create sequence ${quoted(`${startOf(name)} seq`)}`)
      await database.rows(`alter table users add column ${quoted(`${startOf(name)} col`)} text`)
    }
    const file = join(school.config.data, 'again.campus')
    await backUpTo(file, school, 'open sesame, please')
    const { leftOut } = await restoreFrom(file, target, { passphrase: 'open sesame, please' })
    assert.deepEqual(leftOut, [])
    for (const name of NAMES) {
      const read = `select id, ${quoted(name)} from ${quoted(name)} order by id`
      assert.deepEqual(await database.rows(read), [
        ['1', `of ${name}`],
        ['2', null],
      ])
      const column = quoted(`${startOf(name)} col`)
      assert.deepEqual(await database.rows(`select distinct ${column} from users`), [['x']])
      const [sequence] = await database.rows(
        `select nextval('${quoted(`${startOf(name)} seq`).replaceAll("'", "''")}')`,
      )
      assert.equal(sequence?.[0], '7')
      const [next] = await database.rows(`insert into ${quoted(name)} default values returning id`)
      assert.equal(next?.[0], '3')
    }
  })
})
