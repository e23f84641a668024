import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { migrateAsFarAs } from '../../src/database/migrate.ts'
import { knownMigrations } from '../../src/database/migration-files.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runCampus } from './run-campus.ts'
import { runCommand } from './run-command.ts'

describe('a release on the database of another one', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let known: readonly string[]
  before(async () => {
    database = await emptyDatabase()
    folder = await temporaryFolder()
    known = await knownMigrations()
    await migrateAsFarAs(database.kysely, known.slice(0, known.indexOf('0400_application_usage')))
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
    // Whatever a later migration makes is in its way.
    await database.rows('create table application_refusals (id integer)')
    const [names, made] = [await migrated(), await tables()]
    const { code, stdout, stderr } = await campus('serve', '--empty')
    assert.equal(code, 1)
    assert.doesNotMatch(stdout, /Ctrl-C/)
    assert.match(stderr, /0400_application_usage.*application_refusals.*already exists/)
    assert.match(stderr, /The database is as it was/)
    assert.deepEqual([await migrated(), await tables()], [names, made])
  })

  it('goes on from there when what was in the way is gone', async () => {
    await database.rows('drop table application_refusals')
    const { code, stderr } = await campus('migrate')
    assert.deepEqual([code, stderr], [0, ''])
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
