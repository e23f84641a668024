import type { Database } from '@campus/engine/database/database'
import type { Request } from 'autocannon'
import { type Dialect, type PageOf, PER_PAGE } from './servers.ts'

/** A line of the benchmark: the same question in the form that each server expects. */
export type Question = {
  readonly name: string
  readonly isWrite?: boolean
  /** The page that is asked for, whose rows must be the same everywhere. */
  readonly page?: PageOf
  ask(dialect: Dialect): readonly Request[] | (() => Request)
}

const HOUR = 3_600_000
/** So many records are asked for in turn. */
const RECORDS = 200
const WRITTEN = 'bench-peers-'

/** Every question, for the rows that the database holds. */
export async function questionsFor(database: Database): Promise<Question[]> {
  const [row] = await database.rows('select count(*) from locations')
  const last = Math.ceil(Number(row?.[0]) / PER_PAGE)
  const users = await chooseIds(database, 'users')
  const locations = await chooseIds(database, 'locations')
  const place = { user_id: users[0], campus_id: 1 }
  return [
    pageOf(`${PER_PAGE} users and their total`, { table: 'users', withTotal: true }),
    pageOf(`${PER_PAGE} users`, { table: 'users', withTotal: false }),
    pageOf(`${PER_PAGE} locations with their users, and the total`, { table: 'locations', withTotal: true }),
    pageOf(`${PER_PAGE} locations with their users`, { table: 'locations', withTotal: false }),
    pageOf('the same of one campus, and the exact total', { table: 'locations', campusId: 1, withTotal: true }),
    { name: 'one location with its user', ask: ({ one }) => locations.map((id) => one('locations', id)) },
    { name: 'one user', ask: ({ one }) => users.map((id) => one('users', id)) },
    pageOf(`page ${(last >> 1).toLocaleString('en')} of the locations, the middle`, {
      table: 'locations',
      page: last >> 1,
      withTotal: false,
    }),
    pageOf(`page ${last.toLocaleString('en')}, the last`, { table: 'locations', page: last, withTotal: false }),
    { name: 'a location written', isWrite: true, ask: ({ write }) => writesOf(write, place) },
  ]
}

/** Questions that are repeated while nothing changes. */
export const AGAIN: readonly Question[] = [
  pageOf(`${PER_PAGE} users and their total`, { table: 'users', withTotal: true }),
  pageOf('locations of one campus, and the exact total', { table: 'locations', campusId: 1, withTotal: true }),
]

/** Takes away what the questions have written. */
export async function removeWritten(database: Database): Promise<void> {
  await database.background.rows(`delete from locations where host like '${WRITTEN}%'`)
}

function pageOf(name: string, page: PageOf): Question {
  return { name, page, ask: (dialect) => [dialect.page(page)] }
}

/** Chooses ids of open accounts, which all callers may see. */
async function chooseIds(database: Database, table: PageOf['table']): Promise<number[]> {
  const where = table === 'users' ? 'where closed_at is null' : ''
  const rows = await database.rows(`select id from ${table} ${where} order by md5(id::text) limit ${RECORDS}`)
  return rows.map(([id]) => Number(id))
}

function writesOf(write: Dialect['write'], place: object): () => Request {
  const begin_at = new Date(Date.now() - HOUR).toISOString()
  let made = 0
  return () => {
    made += 1
    return write({ ...place, host: `${WRITTEN}${made}`, begin_at, end_at: new Date().toISOString() })
  }
}
