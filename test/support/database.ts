import { join } from 'node:path'
import { demonstrationFiles } from '@campus/demo/demonstration-files'
import { seed } from '@campus/demo/seeds/seed'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { addressFrom, runFolder } from './databases.ts'
import { copyTree } from './folder.ts'

export type TestDatabase = Database & { readonly url: string }

/** Size and time of a demonstration school to seed. A location is a stay at a seat. */
export type School = { readonly users: number; readonly locations: number; readonly now: Date }

/** Creates a migrated database. Closing it drops it. */
export const testDatabase = (): Promise<TestDatabase> => databaseFrom('campus_migrated', makeMigrated)

/** Creates a migrated database without open connections. */
export const unusedDatabase = (): Promise<{ readonly url: string; close(): Promise<unknown> }> =>
  addressFrom('campus_migrated', makeMigrated)

/** Creates a database without tables. */
export const emptyDatabase = (): Promise<TestDatabase> => databaseFrom('campus_empty', async () => {})

/** Creates a database without tables and without open connections. */
export const emptyUnusedDatabase = () => addressFrom('campus_empty', async () => {})

/** Creates a database without tables in another encoding. Returns its URL. */
export const databaseOfEncoding = (encoding: string) =>
  addressFrom(`campus_${encoding.toLowerCase()}`, async () => {}, `encoding '${encoding}' locale 'C'`)

/**
 * Creates a migrated database with another locale. `locale` is the end of the statement, after `create database NAME`.
 */
export const databaseOfLocale = (name: string, locale: string): Promise<TestDatabase> =>
  databaseFrom(`campus_migrated_${name}`, makeMigrated, locale)

/**
 * Creates a database with the school, and stores its files in the folder `files` if it is set. Each school is seeded
 * once per run and then copied, since seeding takes seconds.
 */
export async function seededDatabase(school: School, files?: string): Promise<TestDatabase> {
  const name = `campus_school_${school.users}_${school.locations}_${school.now.getTime()}`
  const original = join(runFolder(), name)
  const database = await databaseFrom(name, async (url) => {
    await makeMigrated(url)
    const made = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url })
    await seed(made, { ...school, files: demonstrationFiles(made, { files: original, s3: undefined }) })
    await made.close()
  })
  if (files) await copyTree(original, files)
  return database
}

async function databaseFrom(
  template: string,
  fill: (url: string) => Promise<void>,
  locale = '',
): Promise<TestDatabase> {
  const { url, close } = await addressFrom(template, fill, locale)
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url })
  return { ...database, url, close: () => database.close().finally(close) }
}

async function makeMigrated(url: string): Promise<void> {
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url })
  await migrate(database.kysely, storageOfResources())
  await database.close()
}
