import type { TextRow } from '@campus/engine/database/text-query'
import { boolean, text, time } from './json.ts'
import type { Rows, Statement } from './rows.ts'
import { USER_COLUMNS, USER_WIDTH, writeOpenUser } from './user.ts'

type Known = { readonly rows: Rows; readonly baseUrl: string }
export type SentLocation = Readonly<Record<'user_id' | 'campus_id' | 'host' | 'begin_at' | 'end_at', unknown>>

/** A table like that of the locations, with its indexes and without triggers and references. */
export const MAKE_BARE_TABLE = 'create table if not exists bare_locations (like locations including all)'

const COLUMNS = `${USER_COLUMNS}, l.id, l.begin_at, l.end_at, l.primary, l.floor, l.row, l.post, l.host, l.campus_id`

/**
 * The page first, and only of its rows the users. The selects around the values keep the database from planning anew
 * each time for values that it could look at.
 */
const LOCATIONS: Statement = {
  name: 'locations',
  text: `select ${COLUMNS}
    from (
      select * from locations
      where campus_id = (select $1::integer)
        and begin_at between (select $2::timestamptz) and (select $3::timestamptz)
      order by begin_at desc, id desc limit 30
    ) l join users u on u.id = l.user_id
    order by l.begin_at desc, l.id desc`,
}

const INSERT: Statement = {
  name: 'insert',
  text: `with l as (
      insert into bare_locations (user_id, campus_id, host, begin_at, end_at) values ($1, $2, $3, $4, $5) returning *
    )
    select ${COLUMNS} from l join users u on u.id = l.user_id`,
}

/** The page of locations at a campus and in a time. */
export async function writeLocations({ rows, baseUrl }: Known, url: string): Promise<string[]> {
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  const bounds = query.get('range[begin_at]')?.split(',') ?? []
  const found = await rows(LOCATIONS, [query.get('filter[campus_id]'), ...bounds])
  return found.map((row) => writeLocation(row, baseUrl))
}

/** Inserts what was sent; the location that it became. */
export async function insertLocation({ rows, baseUrl }: Known, location: SentLocation): Promise<string> {
  const { user_id, campus_id, host, begin_at, end_at } = location
  const [row] = await rows(INSERT, [user_id, campus_id, host, begin_at, end_at])
  return writeLocation(row as TextRow, baseUrl)
}

function writeLocation(row: TextRow, baseUrl: string): string {
  const [id, beginAt, endAt, primary, floor, seatRow, post, host, campusId] = row.slice(USER_WIDTH)
  return (
    `{"id":${id},"begin_at":${time(beginAt)},"end_at":${time(endAt)},"primary":${boolean(primary)},` +
    `"floor":${text(floor)},"row":${text(seatRow)},"post":${text(post)},"host":${text(host)},` +
    `"campus_id":${campusId},"user":${writeOpenUser(row, 0, baseUrl)}}}`
  )
}
