import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { demonstrationFiles } from '../../src/demo/demonstration-files.ts'
import { seed } from '../../src/demo/seeds/seed.ts'
import { storageOfResources } from '../../src/resources/declared.ts'
import { SCHOOL_MIGRATIONS } from '../../src/resources/migrations.ts'
import { copyTree } from './folder.ts'

export type TestDatabase = Database & { readonly url: string }

/** A school to seed: so many people and stays at a seat, at that time. */
export type School = { readonly users: number; readonly locations: number; readonly now: Date }

/** A migrated database of its own, gone when it is closed. */
export const testDatabase = (): Promise<TestDatabase> => databaseFrom('campus_migrated', makeMigrated)

/** A migrated database that nobody is connected to. */
export const unusedDatabase = (): Promise<{ readonly url: string; close(): Promise<unknown> }> =>
  addressFrom('campus_migrated', makeMigrated)

/** A database without tables. */
export const emptyDatabase = (): Promise<TestDatabase> => databaseFrom('campus_empty', async () => {})

/** An empty database without open connections. */
export const emptyUnusedDatabase = () => addressFrom('campus_empty', async () => {})

/** The address of an empty database in another encoding. */
export const databaseOfEncoding = (encoding: string) =>
  addressFrom(`campus_${encoding.toLowerCase()}`, async () => {}, `encoding '${encoding}' locale 'C'`)

/** A migrated database with another locale. `locale` is what follows the name in `create database`. */
export const databaseOfLocale = (name: string, locale: string): Promise<TestDatabase> =>
  databaseFrom(`campus_migrated_${name}`, makeMigrated, locale)

/**
 * A database with the school in it, and its files in the folder `files` where one is named. Making a school takes seconds, so the same one is made
 * once in a run, and copied.
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

/** A copy of the template on the server of the run. Gives its address. */
async function createDatabase(template: string): Promise<string> {
  const name = `campus_test_${randomBytes(6).toString('hex')}`
  await onServer((client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return urlOf(name)
}

const dropDatabase = (url: string) =>
  onServer((client) => client.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`))

async function databaseFrom(
  template: string,
  fill: (url: string) => Promise<void>,
  locale = '',
): Promise<TestDatabase> {
  const { url, close } = await addressFrom(template, fill, locale)
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url })
  return { ...database, url, close: () => database.close().finally(close) }
}

async function addressFrom(template: string, fill: (url: string) => Promise<void>, locale = '') {
  await makeTemplate(template, fill, locale)
  const url = await createDatabase(template)
  return { url, close: () => dropDatabase(url) }
}

/** Keys of advisory locks on the server of the run: of templates, and of what is recorded once in a run. */
const TEMPLATE_LOCK = 20
const RECORDING_LOCK = 21

/** Returns what is stored in a file of the run, which the first process that asks makes while others wait. */
export async function madeOnce<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = join(runFolder(), name)
  return onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [RECORDING_LOCK])
    if (!existsSync(file)) await writeFile(file, JSON.stringify(await make()))
    return JSON.parse(await readFile(file, 'utf8'))
  })
}

async function makeTemplate(name: string, fill: (url: string) => Promise<void>, locale: string): Promise<void> {
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    const making = `${name}_making`
    await client.query(`drop database if exists ${making} with (force)`)
    await client.query(`create database ${making} template template0 ${locale}`)
    await fill(urlOf(making))
    await client.query(`alter database ${making} rename to ${name}`)
  })
}

async function makeMigrated(url: string): Promise<void> {
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url })
  await migrate(database.kysely, storageOfResources())
  await database.close()
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const urlOf = (name: string) => Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href

const serverUrl = () => variable('CAMPUS_TEST_DATABASE_URL')
/** A folder of the whole run. */
export const runFolder = () => variable('CAMPUS_TEST_FOLDER')

function variable(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error('Tests need the PostgreSQL server of their run: start them by "npm test -- FILE".')
}
