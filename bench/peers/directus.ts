import { join } from 'node:path'
import { freePort } from '@campus/test/support/free-port'
import pg from 'pg'
import { type Dialect, LOCATION_COLUMNS, type PageOf, PER_PAGE, POOL, type Running, USER_COLUMNS } from './servers.ts'
import { runProcess, startProcess } from './start-process.ts'

/** Schema of Directus' own tables. */
const SCHEMA = 'bench_directus'
const PROGRAM = join(import.meta.dirname, 'directus/node_modules/directus/cli.js')
const ADMIN_TOKEN = 'benchmark-administrator'
const USER_TOKEN = 'benchmark-user'
const SECRET = 'benchmark-benchmark-benchmark-benchmark'

const CACHE: Readonly<Record<string, string>> = {
  CACHE_ENABLED: 'true',
  CACHE_STORE: 'memory',
  CACHE_TTL: '30m',
  CACHE_AUTO_PURGE: 'true',
}

const SORT: Readonly<Record<PageOf['table'], string>> = { users: '-id', locations: '-begin_at,-id' }
const FIELDS: Readonly<Record<PageOf['table'], string>> = {
  users: USER_COLUMNS.join(),
  locations: [
    ...LOCATION_COLUMNS.filter((column) => column !== 'user_id'),
    ...USER_COLUMNS.map((column) => `user_id.${column}`),
  ].join(),
}

export const directusDialect: Dialect = {
  page: ({ table, campusId, page = 1, withTotal }) => {
    const where = campusId === undefined ? '' : `&filter[campus_id][_eq]=${campusId}`
    const total = withTotal ? `&meta=${campusId === undefined ? 'total_count' : 'filter_count'}` : ''
    return {
      path: `/items/${table}?limit=${PER_PAGE}&page=${page}&sort=${SORT[table]}&fields=${FIELDS[table]}${where}${total}`,
    }
  },
  one: (table, id) => ({ path: `/items/${table}/${id}?fields=${FIELDS[table]}` }),
  write: (location) => ({
    method: 'POST',
    path: `/items/locations?fields=${FIELDS.locations}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(location),
  }),
  read(body) {
    const { data, meta } = JSON.parse(body)
    return { ids: (data as { id: number }[]).map(({ id }) => id), total: meta?.total_count ?? meta?.filter_count }
  },
}

/** Makes its own tables, and a user who may read and write what is measured. Gives what takes the tables away again. */
export async function prepareDirectus(databaseUrl: string): Promise<() => Promise<void>> {
  const dropSchema = () => runSql(databaseUrl, `drop schema if exists ${SCHEMA} cascade`)
  await dropSchema()
  await runSql(databaseUrl, `create schema ${SCHEMA}`)
  const admin = { ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: SECRET, ADMIN_TOKEN }
  await runProcess([PROGRAM, 'bootstrap'], { ...settingsOf(databaseUrl, await freePort()), ...admin })
  const server = await startDirectus(databaseUrl)
  try {
    await registerUser(server.target.url)
  } finally {
    await server.stop()
  }
  return dropSchema
}

/** Directus in a process of its own, `caching` for answers kept in memory until anything is written through it. */
export async function startDirectus(databaseUrl: string, caching = false): Promise<Running> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startProcess(
    [PROGRAM, 'start'],
    { ...settingsOf(databaseUrl, port), ...(caching ? CACHE : {}) },
    async () => {
      const { status } = await fetch(`${url}/server/ping`)
      if (status !== 200) throw new Error(`answered ${status}`)
    },
  )
  return { ...server, target: { url, headers: { authorization: `Bearer ${USER_TOKEN}` } } }
}

/** Settings of production, without logs, telemetry and rate limits, which the other servers do not have either. */
const settingsOf = (databaseUrl: string, port: number) => ({
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SECRET,
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: databaseUrl,
  DB_SEARCH_PATH: `array:${SCHEMA},public`,
  DB_POOL__MIN: String(POOL),
  DB_POOL__MAX: String(POOL),
  LOG_LEVEL: 'error',
  SERVE_APP: 'false',
  // Else each request copies what it knows of all our tables.
  CACHE_SCHEMA_FREEZE_ENABLED: 'true',
  TELEMETRY: 'false',
  PRESSURE_LIMITER_ENABLED: 'false',
  RATE_LIMITER_ENABLED: 'false',
})

/** A user who may read all users and places, and create places; nothing is recorded. */
async function registerUser(url: string): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Directus answered ${method} ${path} with ${response.status}: ${text}`)
    return JSON.parse(text).data
  }
  for (const collection of ['users', 'locations']) {
    await send('PATCH', `/collections/${collection}`, { meta: { accountability: null } })
  }
  const policy = await send('POST', '/policies', { name: 'Benchmark', admin_access: false, app_access: false })
  // Rules of single fields and rows need a licence.
  const allowed = { policy: policy.id, fields: ['*'] }
  await send('POST', '/permissions', [
    { ...allowed, collection: 'users', action: 'read' },
    { ...allowed, collection: 'locations', action: 'read' },
    { ...allowed, collection: 'locations', action: 'create' },
  ])
  const role = await send('POST', '/roles', { name: 'Benchmark', policies: [{ policy: policy.id }] })
  await send('POST', '/users', { email: 'reader@example.org', role: role.id, token: USER_TOKEN })
}

async function runSql(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
