import { join } from 'node:path'
import { freePort } from '@campus/test/support/free-port'
import { type Dialect, type PageOf, PER_PAGE, POOL, type Running, USER_COLUMNS } from './servers.ts'
import { startProcess } from './start-process.ts'

const SORT: Readonly<Record<PageOf['table'], string>> = {
  users: '$sort[id]=-1',
  locations: '$sort[begin_at]=-1&$sort[id]=-1',
}

export const feathersDialect: Dialect = {
  page: ({ table, campusId, page = 1, withTotal }) => {
    const where = campusId === undefined ? '' : `&campus_id=${campusId}`
    const total = withTotal ? '' : '&$total=0'
    return { path: `/${table}?$limit=${PER_PAGE}&$skip=${(page - 1) * PER_PAGE}&${SORT[table]}${where}${total}` }
  },
  one: (table, id) => ({ path: `/${table}/${id}` }),
  write: (location) => ({
    method: 'POST',
    path: '/locations',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(location),
  }),
  read(body) {
    const page = JSON.parse(body)
    const records: readonly { id: number }[] = page.data ?? page
    return { ids: records.map(({ id }) => id), total: page.total }
  },
}

/** Feathers in a process of its own. */
export async function startFeathers(databaseUrl: string): Promise<Running> {
  const port = await freePort()
  const settings = { databaseUrl, port, pool: POOL, perPage: PER_PAGE, userColumns: USER_COLUMNS }
  const url = `http://127.0.0.1:${port}`
  const server = await startProcess(
    [join(import.meta.dirname, 'feathers/server.js'), JSON.stringify(settings)],
    {},
    () => fetch(url),
  )
  return { ...server, target: { url, headers: {} } }
}
