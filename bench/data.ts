import { drawingPath } from '@campus/demo/drawing-path'
import { seed } from '@campus/demo/seeds/seed'
import type { Progress } from '@campus/engine/base/progress'
import type { Database } from '@campus/engine/database/database'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import type { Paths, ServersOptions } from './messages.ts'

const DEFAULT_USERS = 200_000
const LOCATIONS_PER_USER = 5
const SINGLE_USERS = 200
const MIXED_ADDRESSES = 2_000
/** One in this many mixed addresses is a page. */
const PAGES = 20
const DAY = 86_400_000

/** Migrates the database, and seeds it if it is empty. Returns the seconds that this took. */
export async function prepareData(
  database: Database,
  options: ServersOptions,
  progress: Progress,
): Promise<number | undefined> {
  await migrate(database.kysely, storageOfResources())
  const [used] = await database.rows('select 1 from users limit 1')
  if (used) return undefined
  const users = options.users ?? DEFAULT_USERS
  const begin = performance.now()
  await seed(database, { users, locations: options.locations ?? users * LOCATIONS_PER_USER }, progress)
  // Sets an image, since the bare server does not draw initials.
  await database.rows('update users set image = $1 where image is null', [drawingPath('users', 'portrait')])
  return (performance.now() - begin) / 1000
}

/** Chooses the paths to request. The locations are those of the last month at campus 1, without its last day. */
export async function choosePaths(database: Database): Promise<Paths> {
  const [newest] = await database.rows('select max(begin_at) from locations where campus_id = 1')
  if (!newest?.[0]) throw new Error('The benchmark needs locations at campus 1, and the database has none.')
  const last = new Date(newest[0]).getTime()
  const [from, to] = [last - 31 * DAY, last - DAY].map((time) => new Date(time).toISOString())
  const ids = await database.rows(
    // Excludes the first page of users, since a scenario requests that page with its ETag and these users are written.
    `select id from users where closed_at is null and id not in (select id from users order by id desc limit 30)
     order by md5(id::text) limit ${MIXED_ADDRESSES}`,
  )
  const locationsSince = (time: string) => `/v2/locations?filter[campus_id]=1&range[begin_at]=${time},${to}`
  const users = ids.map(([id]) => `/v2/users/${id}`)
  const since = (index: number) => new Date(last - 31 * DAY + index * 60_000).toISOString()
  return {
    usersPage: '/v2/users',
    locationsPage: locationsSince(from as string),
    richPages: ['/v2/scale_teams', '/v2/teams', '/v2/projects_users'],
    singleUsers: users.slice(0, SINGLE_USERS),
    seat: { user_id: Number(ids[0]?.[0]), campus_id: 1 },
    mixed: users.map((user, index) => (index % PAGES === PAGES - 1 ? locationsSince(since(index)) : user)),
  }
}

/** Returns the name and version of the database, and the numbers of rows of its tables. */
export async function describeData(database: Database) {
  const [version] = await database.rows('show server_version')
  const rows: Record<string, number> = {}
  for (const table of ['users', 'cursus_users', 'campus_users', 'locations']) {
    const [count] = await database.rows(`select count(*) from ${table}`)
    rows[table] = Number(count?.[0])
  }
  return { database: `PostgreSQL ${version?.[0]}`, rows }
}
