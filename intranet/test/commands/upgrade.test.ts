import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { migrateAsFarAs } from '@campus/engine/database/migrate'
import { knownMigrations } from '@campus/engine/database/migrations'
import { emptyDatabase, type TestDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { FORMER_MIGRATIONS, standAsFormer } from '@campus/test/support/former-migrations'
import { runCampus } from '@campus/test/support/run-campus'
import { runCommand } from '@campus/test/support/run-command'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

describe('a release on the database of another one', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let known: readonly string[]
  /** Migrations after the baseline. */
  let later: readonly string[]
  before(async () => {
    database = await emptyDatabase()
    folder = await temporaryFolder()
    known = await knownMigrations(SCHOOL_MIGRATIONS)
    later = known.filter((name) => name > SCHOOL_MIGRATIONS.squashed.last)
    await migrateAsFarAs(database.kysely, SCHOOL_MIGRATIONS, known.slice(0, known.indexOf('0010_webhooks')))
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  const campus = (...words: readonly string[]) => {
    const env = { CAMPUS_DATA: folder.path, DATABASE_URL: database.url, CAMPUS_PORT: '0', CAMPUS_PROCESSES: '1' }
    return words[0] === 'serve' ? runCampus(words, env) : runCommand(words, env)
  }
  const migrated = async () => (await database.rows('select name from kysely_migration order by 1')).flat()
  const tables = async () =>
    (await database.rows("select relname from pg_class where relnamespace = 'public'::regnamespace order by 1")).flat()

  it('does not serve where a migration fails, says which one, and leaves the database as it was', async () => {
    // This table blocks a later migration that creates it.
    await database.rows('create table callbacks (id integer)')
    const [names, made] = [await migrated(), await tables()]
    const { code, stdout, stderr } = await campus('serve', '--empty')
    assert.equal(code, 1)
    assert.doesNotMatch(stdout, /Ctrl-C/)
    assert.match(stderr, /0010_webhooks.*callbacks.*already exists/)
    assert.match(stderr, /What it would change is as it was/)
    assert.deepEqual([await migrated(), await tables()], [names, made])
  })

  it('goes on from there when what was in the way is gone', async () => {
    await database.rows('drop table callbacks')
    const { code, stderr } = await campus('migrate')
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(await migrated(), known)
  })

  it('takes one of the last unreleased version as it is, and says of any before what to do first', async () => {
    await standAsFormer(database.rows, { without: 1 })
    for (const words of [['serve', '--empty'], ['migrate'], ['user', 'list'], ['doctor']]) {
      const { code, stdout, stderr } = await campus(...words)
      assert.equal(code, 1)
      assert.match(stdout + stderr, /up to 0470_replayed_deliveries are of no release: .*commit [0-9a-f]{7}/)
    }
    assert.deepEqual(await migrated(), [...FORMER_MIGRATIONS.slice(0, -1), ...later])

    await standAsFormer(database.rows)
    assert.match((await campus('doctor')).stdout, /✔ database +up to date/)
    assert.deepEqual(await migrated(), [...FORMER_MIGRATIONS, ...later])
    const { code, stdout, stderr } = await campus('migrate')
    assert.deepEqual([code, stdout, stderr], [0, 'The database is up to date.\n', ''])
    assert.deepEqual(await migrated(), known)
  })

  it('refuses one of a newer release, and says so', async () => {
    await database.rows("insert into kysely_migration (name, timestamp) values ('9999_of_tomorrow', '2030-01-01')")
    for (const words of [['serve', '--empty'], ['migrate'], ['user', 'list']]) {
      const { code, stderr } = await campus(...words)
      assert.equal(code, 1)
      assert.match(stderr, /newer release.*9999_of_tomorrow/)
    }
  })
})
