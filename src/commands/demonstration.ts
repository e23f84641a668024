import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { createApplication, isCurrentSecret } from '../oauth/applications.ts'
import { readIfPresent, replacePrivateFile } from '../private-files.ts'
import { createSealing } from '../webhooks/sealing.ts'
import { runOperation } from './operations.ts'
import type { ShowProgress } from './progress-bar.ts'

/** The application that a newcomer tries the service with. */
export type Demonstration = { readonly uid: string; readonly secret: string | undefined }

const APPLICATION = {
  name: 'Demonstration',
  scopes: ['public', 'projects', 'profile', 'elearning', 'tig', 'forum'],
  roles: ['Basic Staff', 'Advanced Tutor'],
  rate_per_second: 50,
  rate_per_hour: 60_000,
}

/** Any number that no other program is likely to lock by. */
const FIRST_START_LOCK = 1_128_353_875

/** Fills a database that nobody has used yet; of several servers that start together on one, the first does. */
export async function fillIfNew(config: Config, database: Database, showProgress: ShowProgress): Promise<void> {
  if (!config.databaseUrl) return fill(config, database, showProgress)
  const guard = new pg.Client({ connectionString: config.databaseUrl })
  guard.on('error', () => {}) // The lock is lost then, and the seed itself refuses a database with people in it.
  await guard.connect()
  try {
    await guard.query('select pg_advisory_lock($1)', [FIRST_START_LOCK])
    await fill(config, database, showProgress)
  } finally {
    await guard.end()
  }
}

async function fill(config: Config, database: Database, showProgress: ShowProgress): Promise<void> {
  const [used] = await database.rows('select 1 from users union all select 1 from applications limit 1')
  if (used) return
  await showProgress('Making a demonstration campus', (progress) =>
    runOperation({ database, sealing: createSealing() }, 'seed', {}, progress),
  )
  const { uid, secret } = await database.transaction((tx) => createApplication(tx, APPLICATION))
  await replacePrivateFile(credentialsPath(config), `${JSON.stringify({ uid, secret })}\n`)
}

/**
 * The demonstration application with its secret, as long as both are as they were made.
 * The secret is kept in clear, for this one application: it opens nothing but invented people, and whoever may
 * read the file may read the database beside it. A database that was not seeded here has no such file.
 */
export async function findDemonstration(config: Config, database: Database): Promise<Demonstration | undefined> {
  const credentials = await readCredentials(config)
  if (!credentials) return undefined
  if (await isCurrentSecret(database, credentials)) return credentials
  const row = await database.kysely
    .selectFrom('applications')
    .select('uid')
    .where('uid', '=', credentials.uid)
    .executeTakeFirst()
  return row && { uid: row.uid, secret: undefined }
}

const credentialsPath = ({ data }: Config) => join(data, 'demo-credentials.json')

async function readCredentials(config: Config): Promise<{ uid: string; secret: string } | undefined> {
  try {
    const { uid, secret } = JSON.parse((await readIfPresent(credentialsPath(config))) ?? '')
    return { uid: String(uid), secret: String(secret) }
  } catch {
    return undefined
  }
}
