/** Sends each read to a new process once, and prints how long the request blocked the event loop. */
import { request as send } from 'undici'
import { campus } from '../campus.ts'
import { PAGES } from '../mounted-pages.ts'
import { signedInOf } from '../people.ts'
import { costOf, slowness } from './measure.ts'

/** Time in milliseconds for which the first request of a path blocked the event loop. */
export type FirstRequest = { readonly path: string; readonly held: number }

export type FirstRequests = { readonly slowness: number; readonly requests: readonly FirstRequest[] }

const callOf = (name: string, given: object) => ({ method: 'tools/call', params: { name, arguments: given } })

/** Messages of an assistant, in order. */
const MESSAGES = [
  {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'first', version: '1' } },
  },
  { method: 'tools/list' },
  callOf('who_am_i', {}),
  callOf('list_records', { resource: 'users' }),
  callOf('read_record', { resource: 'campus', id: 1 }),
  callOf('count_records', { resource: 'locations' }),
  callOf('graph_records', { resource: 'locations' }),
  callOf('describe_resource', { resource: 'users' }),
  callOf('search_reference', { query: 'users' }),
  callOf('read_reference', { page: '/apidoc/users' }),
]

const world = await campus({ seeded: true })
const { browser } = await signedInOf(world, { kind: 'admin' })
const ofBrowser = { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
const ofStaff = { authorization: `Bearer ${world.director.token}` }

const lists = Object.keys(world.document.paths)
  .filter((path) => path.startsWith('/v2/') && !path.includes('{'))
  .concat('/v2/openapi.json')
const reference = [
  ...['/apidoc', '/apidoc/search?q=users', '/apidoc/openapi.json', '/apidoc/openapi.yaml', '/llms.txt'],
  ...world.document.tags.flatMap(({ name }) => [`/apidoc/${name}`, `/apidoc/${name}.md`]),
]
const pages = PAGES.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/:\w+/g, '1'))

const requests: FirstRequest[] = []
for (const path of [...reference, ...pages, ...lists, '/metrics', '/health']) {
  const headers = { 'accept-encoding': 'br', ...(path.startsWith('/v2/') ? ofStaff : ofBrowser) }
  const { held } = await costOf(async () => {
    const { statusCode, body } = await send(world.url + path, { headers, dispatcher: world.agent })
    await body.dump({ limit: Number.POSITIVE_INFINITY })
    if (statusCode >= 500) throw new Error(`${path}: ${statusCode}`)
  })
  requests.push({ path, held })
}
for (const message of MESSAGES) {
  const { held } = await costOf(async () => {
    const headers = { ...ofStaff, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
    const sent = await send(`${world.url}/mcp`, { method: 'POST', headers, body, dispatcher: world.agent })
    const answer = await sent.body.text()
    if (sent.statusCode !== 200 || answer.includes('isError')) throw new Error(`${JSON.stringify(message)}: ${answer}`)
  })
  requests.push({ path: `/mcp ${JSON.stringify(message)}`, held })
}
await world.close()
process.stdout.write(JSON.stringify({ slowness: slowness(), requests } satisfies FirstRequests))
