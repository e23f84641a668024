import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

type Place = { readonly url: string; close(): Promise<unknown> }

/**
 * Copies a database on the server of the run. `fill` makes the template once per run. `locale` is the end of the
 * statement, after `create database NAME`.
 */
export async function addressFrom(
  template: string,
  fill: (url: string) => Promise<void> = async () => {},
  locale = '',
): Promise<Place> {
  await makeTemplate(template, fill, locale)
  const url = await createDatabase(template)
  return { url, close: () => dropDatabase(url) }
}

/** Keys of advisory locks on the server of the run: for templates, and for values recorded once per run. */
const TEMPLATE_LOCK = 20
const RECORDING_LOCK = 21

/** Returns the JSON of a file of the run. The first caller creates the file while others wait. */
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

/** Copies the template on the server of the run. Returns the URL of the copy. */
async function createDatabase(template: string): Promise<string> {
  const name = `campus_test_${randomBytes(6).toString('hex')}`
  await onServer((client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return urlOf(name)
}

const dropDatabase = (url: string) =>
  onServer((client) => client.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`))

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
/** Folder that all processes of a run share. */
export const runFolder = () => variable('CAMPUS_TEST_FOLDER')

function variable(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error('Tests need the PostgreSQL server of their run: start them by "npm test -- FILE".')
}
