import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'

/** A PostgreSQL server on which the tests may create databases; without it they run on the embedded database. */
const SERVER = process.env.CAMPUS_TEST_DATABASE_URL

/** A migrated database of its own, gone when it is closed. */
export async function testDatabase(): Promise<Database & { readonly url: string | undefined }> {
  if (!SERVER) {
    const database = await openDatabase({})
    await migrate(database.kysely)
    return { ...database, url: undefined }
  }
  const name = `campus_test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} template template0`)
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href
  const database = await openDatabase({ url })
  await migrate(database.kysely)
  return {
    ...database,
    url,
    async close() {
      await database.close()
      await onServer(`drop database ${name} with (force)`)
    },
  }
}

async function onServer(sentence: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  await client.query(sentence)
  await client.end()
}
