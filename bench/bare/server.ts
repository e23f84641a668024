import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { json } from 'node:stream/consumers'
import type { TextRow } from '@campus/engine/database/text-query'
import { writeProjectsUsers, writeScaleTeams, writeTeams } from './evaluations.ts'
import { LISTS } from './lists.ts'
import { insertLocation, type SentLocation, writeLocations } from './locations.ts'
import { type References, readReferences } from './references.ts'
import type { Rows, Statement } from './rows.ts'
import { USER_COLUMNS, USER_WIDTH, writeOpenUser } from './user.ts'

type Dependencies = {
  readonly rows: Rows
  readonly baseUrl: string
  readonly tls: { readonly cert: string; readonly key: string }
}

type Sent = { readonly location: SentLocation; readonly user: { readonly first_name: string } }

/**
 * Creates the reference server: the fastest hand-written code for these responses. It has no tokens, limits, totals or
 * links, and sends only the headers that HTTP needs.
 */
export async function createBareServer({ rows, baseUrl, tls }: Dependencies): Promise<Server> {
  const references = await readReferences(rows)

  const known = { rows, references, baseUrl }
  const pages: Readonly<Record<string, () => Promise<string[]>>> = {
    '/v2/scale_teams': () => writeScaleTeams(known),
    '/v2/teams': () => writeTeams(known),
    '/v2/projects_users': () => writeProjectsUsers(known),
  }

  async function read(url: string): Promise<string> {
    const page = pages[url]
    if (page) return list(await page())
    if (url === '/v2/users') return list((await rows(USERS)).map((row) => `${writeOpenUser(row, 0, baseUrl)}}`))
    if (url.startsWith('/v2/users/')) {
      const [row] = await rows(USER, [url.slice('/v2/users/'.length)])
      return writeFullUser(row as TextRow, references, baseUrl)
    }
    return list(await writeLocations(known, url))
  }

  async function answer(request: IncomingMessage): Promise<readonly [status: number, body?: string]> {
    const { method, url = '' } = request
    if (method === 'GET') return [200, await read(url)]
    const { location, user } = (await json(request)) as Sent
    if (method === 'POST') return [201, await insertLocation(known, location)]
    await rows(RENAME, [url.slice('/v2/users/'.length), user.first_name])
    return [204]
  }

  return createServer(tls, async (request, response) => {
    try {
      const [status, body] = await answer(request)
      if (body === undefined) {
        response.writeHead(status).end()
        return
      }
      response.writeHead(status, {
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

const USERS: Statement = { name: 'users', text: `select ${USER_COLUMNS} from users u order by id desc limit 30` }

const RENAME: Statement = {
  name: 'rename',
  text: 'update users set first_name = $2, updated_at = now() where id = $1',
}

const USER: Statement = {
  name: 'user',
  text: `select ${USER_COLUMNS}, ${LISTS.map(({ select }) => select).join(', ')} from users u where u.id = $1`,
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
