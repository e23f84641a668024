/** Asks a new process for everything that it has to read, each once, and writes how long that held its event loop. */
import { request as send } from 'undici'
import { PAGES } from '../../../src/pages/index.ts'
import { campus } from '../campus.ts'
import { signedInOf } from '../people.ts'
import { costOf, slowness } from './measure.ts'

/** How many milliseconds the first request for a path held the event loop. */
export type FirstRequest = { readonly path: string; readonly held: number }

/** What the process writes. */
export type FirstRequests = { readonly slowness: number; readonly requests: readonly FirstRequest[] }

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
await world.close()
process.stdout.write(JSON.stringify({ slowness: slowness(), requests } satisfies FirstRequests))
