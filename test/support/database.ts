import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { temporaryFolder } from './folder.ts'
import { copyMigratedFolder, createMigratedDatabase } from './migrated.ts'

/** A PostgreSQL server on which the tests may create databases; without it they run on the embedded database. */
const SERVER = process.env.CAMPUS_TEST_DATABASE_URL

/** A migrated database of its own, gone when it is closed. */
export async function testDatabase(): Promise<Database & { readonly url: string | undefined }> {
  return SERVER ? serverDatabase(SERVER) : embeddedDatabase()
}

async function embeddedDatabase() {
  const folder = await temporaryFolder()
  await copyMigratedFolder(folder.path)
  const database = await openDatabase({ folder: folder.path })
  return {
    ...database,
    url: undefined,
    async close() {
      await database.close()
      await folder.remove()
    },
  }
}

async function serverDatabase(server: string) {
  const name = `campus_test_${randomBytes(6).toString('hex')}`
  await createMigratedDatabase(server, name)
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const database = await openDatabase({ url })
  return {
    ...database,
    url,
    async close() {
      await database.close()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

async function onServer(server: string, sentence: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(sentence)
  await client.end()
}
