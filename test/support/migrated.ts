import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat, utimes } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { TEMPORARY } from './folder.ts'

/*
 * Creating and migrating a database takes longer than most tests. So it is done once for each version of the sources
 * that say what a database is, and tests start from copies.
 */

const SOURCES = fileURLToPath(new URL('../../src/database/', import.meta.url))
const KEPT = `${TEMPORARY}/campus-migrated/`
const UNUSED_FOR_MILLISECONDS = 3_600_000

const version = versionOf(SOURCES)

/** Makes `folder` an embedded database that has been migrated. */
export async function copyMigratedFolder(folder: string): Promise<void> {
  const original = `${KEPT}${version}`
  if (!existsSync(original)) await makeOriginal(original)
  await utimes(original, new Date(), new Date())
  cpSync(original, folder, { recursive: true })
}

/** Creates the database `name` on the PostgreSQL server at `server`, migrated. */
export async function createMigratedDatabase(server: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    const original = `campus_migrated_${version}`
    // One of the test files that start together makes the original; the others wait for it.
    await client.query('select pg_advisory_lock(20)')
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [original])
    if (!rowCount) await makeServerOriginal(client, server, original)
    await client.query(`create database ${name} template ${original}`)
  } finally {
    await client.end()
  }
}

async function makeOriginal(original: string): Promise<void> {
  await mkdir(KEPT, { recursive: true })
  await removeUnused()
  const folder = await mkdtemp(`${KEPT}making-`)
  const database = await openDatabase({ folder })
  await migrate(database.kysely)
  await database.close()
  // Another test file may have been quicker.
  await rename(folder, original).catch(() => rm(folder, { recursive: true }))
}

async function removeUnused(): Promise<void> {
  for (const name of readdirSync(KEPT)) {
    const { mtimeMs } = await stat(`${KEPT}${name}`)
    if (Date.now() - mtimeMs > UNUSED_FOR_MILLISECONDS) await rm(`${KEPT}${name}`, { recursive: true, force: true })
  }
}

async function makeServerOriginal(client: pg.Client, server: string, original: string): Promise<void> {
  const making = `${original}_making`
  await client.query(`drop database if exists ${making} with (force)`)
  await client.query(`create database ${making} template template0`)
  const database = await openDatabase({ url: Object.assign(new URL(server), { pathname: `/${making}` }).href })
  await migrate(database.kysely)
  await database.close()
  await client.query(`alter database ${making} rename to ${original}`)
}

function versionOf(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.ts') && !name.startsWith('seeds')) hash.update(readFileSync(`${folder}${name}`))
  }
  return hash.digest('hex').slice(0, 12)
}
