import { createServer, type Server } from 'node:https'
import type { TextRow } from '../../src/database/text-query.ts'
import { writeProjectsUsers, writeScaleTeams, writeTeams } from './evaluations.ts'
import { boolean, text, time } from './json.ts'
import { LISTS } from './lists.ts'
import { type References, readReferences } from './references.ts'
import type { Rows, Sentence } from './rows.ts'
import { USER_COLUMNS, USER_WIDTH, writeOpenUser } from './user.ts'

type Dependencies = {
  readonly rows: Rows
  readonly baseUrl: string
  readonly tls: { readonly cert: string; readonly key: string }
}

/**
 * What our service is measured against: the best that was found by hand for these answers, with nothing else
 * around it. It knows no tokens, limits, totals or links, and sends the headers that HTTP needs.
 */
export async function createBareServer({ rows, baseUrl, tls }: Dependencies): Promise<Server> {
  const references = await readReferences(rows)

  const known = { rows, references, baseUrl }
  const pages: Readonly<Record<string, () => Promise<string[]>>> = {
    '/v2/scale_teams': () => writeScaleTeams(known),
    '/v2/teams': () => writeTeams(known),
    '/v2/projects_users': () => writeProjectsUsers(known),
  }

  async function answer(url: string): Promise<string> {
    const page = pages[url]
    if (page) return list(await page())
    if (url === '/v2/users') return list((await rows(USERS)).map((row) => `${writeOpenUser(row, 0, baseUrl)}}`))
    if (url.startsWith('/v2/users/')) {
      const [row] = await rows(USER, [url.slice('/v2/users/'.length)])
      return writeFullUser(row as TextRow, references, baseUrl)
    }
    const query = new URLSearchParams(url.slice(url.indexOf('?')))
    const bounds = query.get('range[begin_at]')?.split(',') ?? []
    const found = await rows(LOCATIONS, [query.get('filter[campus_id]'), ...bounds])
    return list(found.map((row) => writeLocation(row, baseUrl)))
  }

  return createServer(tls, async (request, response) => {
    try {
      if (request.method === 'PATCH') {
        const { user } = JSON.parse(Buffer.concat(await request.toArray()).toString())
        await rows(RENAME, [request.url?.slice('/v2/users/'.length), user.first_name])
        response.writeHead(204).end()
        return
      }
      const body = await answer(request.url as string)
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
}

const list = (records: readonly string[]) => `[${records.join(',')}]`

const USERS: Sentence = { name: 'users', text: `select ${USER_COLUMNS} from users u order by id desc limit 30` }

/**
 * The page first, and only of its rows the users. The selects around the values keep the database from planning anew
 * each time for values that it could look at.
 */
const LOCATIONS: Sentence = {
  name: 'locations',
  text: `select ${USER_COLUMNS}, l.id, l.begin_at, l.end_at, l.primary, l.floor, l.row, l.post, l.host, l.campus_id
    from (
      select * from locations
      where campus_id = (select $1::integer)
        and begin_at between (select $2::timestamptz) and (select $3::timestamptz)
      order by begin_at desc, id desc limit 30
    ) l join users u on u.id = l.user_id
    order by l.begin_at desc, l.id desc`,
}

const RENAME: Sentence = {
  name: 'rename',
  text: 'update users set first_name = $2, updated_at = now() where id = $1',
}

const USER: Sentence = {
  name: 'user',
  text: `select ${USER_COLUMNS}, ${LISTS.map(({ select }) => select).join(', ')} from users u where u.id = $1`,
}

function writeLocation(row: TextRow, baseUrl: string): string {
  const [id, beginAt, endAt, primary, floor, seatRow, post, host, campusId] = row.slice(USER_WIDTH)
  return (
    `{"id":${id},"begin_at":${time(beginAt)},"end_at":${time(endAt)},"primary":${boolean(primary)},` +
    `"floor":${text(floor)},"row":${text(seatRow)},"post":${text(post)},"host":${text(host)},` +
    `"campus_id":${campusId},"user":${writeOpenUser(row, 0, baseUrl)}}}`
  )
}

function writeFullUser(row: TextRow, references: References, baseUrl: string): string {
  const open = writeOpenUser(row, 0, baseUrl)
  const known = { references, baseUrl, shortUser: `${open}}` }
  let out = open
  for (const [index, { key, write }] of LISTS.entries()) {
    const items: readonly never[] = JSON.parse(row[USER_WIDTH + index] as string)
    out += `,"${key}":[${items.map((item) => write(item, known)).join(',')}]`
  }
  return `${out}}`
}
