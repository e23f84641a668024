import { join } from 'node:path'
import { freePort } from '@campus/test/support/free-port'
import { ask } from './ask.ts'
import { type Dialect, PER_PAGE, POOL, type Running } from './servers.ts'
import { runProcess, startProcess } from './start-process.ts'

const CAMPUS = join(import.meta.dirname, '../../build/campus.js')
/** More than any machine reaches: what is measured is the counting, not the refusing. */
const NO_LIMIT = '2000000000'

export const campusDialect: Dialect = {
  page: ({ table, campusId, page = 1 }) => ({
    path: `/v2/${table}?per_page=${PER_PAGE}&page=${page}${campusId === undefined ? '' : `&filter[campus_id]=${campusId}`}`,
  }),
  one: (table, id) => ({ path: `/v2/${table}/${id}` }),
  write: (location) => ({
    method: 'POST',
    path: '/v2/locations',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ location }),
  }),
  read: (body, headers) => ({
    ids: (JSON.parse(body) as { id: number }[]).map(({ id }) => id),
    total: Number(headers['x-total']),
  }),
}

/** The service as `campus serve` starts it, with one process. */
export async function startCampus(databaseUrl: string, data: string, cacheMebibytes?: number): Promise<Running> {
  const port = await freePort()
  const env = {
    DATABASE_URL: databaseUrl,
    CAMPUS_DATA: data,
    CAMPUS_HOST: '127.0.0.1',
    CAMPUS_PORT: String(port),
    CAMPUS_PROCESSES: '1',
    CAMPUS_DATABASE_POOL: String(POOL),
    CAMPUS_LOG_LEVEL: 'warn',
    ...(cacheMebibytes === undefined ? {} : { CAMPUS_RESPONSE_CACHE_MIB: String(cacheMebibytes) }),
  }
  const url = `https://127.0.0.1:${port}`
  const server = await startProcess([CAMPUS, 'serve'], env, () => ask({ url, headers: {} }, { path: '/health' }))
  const register = (roles: readonly string[]) => makeToken(url, env, roles)
  return { ...server, target: { url, headers: await register([]) }, writer: await register(['Basic Staff']) }
}

/** The header of an application of its own. */
async function makeToken(
  url: string,
  env: Readonly<Record<string, string>>,
  roles: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const rates = ['--rate-per-second', NO_LIMIT, '--rate-per-hour', NO_LIMIT]
  const words = [
    'app',
    'create',
    '--json',
    '--name',
    'Benchmark',
    ...rates,
    ...roles.flatMap((role) => ['--roles', role]),
  ]
  const { uid, secret } = JSON.parse(await runProcess([CAMPUS, ...words], env))
  const { body } = await ask(
    { url, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    {
      method: 'POST',
      path: '/oauth/token',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: uid, client_secret: secret }).toString(),
    },
  )
  return { authorization: `Bearer ${JSON.parse(body).access_token}` }
}
