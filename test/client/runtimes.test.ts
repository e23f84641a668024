/** The package as it is published, in Node.js, Deno, Bun and a browser: the same tour, the same results. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, transform } from 'esbuild'
import { createApplication } from '../support/application.ts'
import { openBrowser, type TestBrowser, withoutBrowser } from '../support/browser.ts'
import { campus, type World } from '../support/campus.ts'
import { canRun } from '../support/can-run.ts'
import { freePort } from '../support/free-port.ts'
import { flowOf } from '../support/oauth-flow.ts'
import { NO_OLDEST_NODE, OLDEST_NODE } from '../support/oldest-node.ts'
import { type FailingService, failingService, QUICKLY } from './failing-service.ts'
import { packedClient } from './packed-client.ts'
import type { tour } from './tour.ts'

const run = promisify(execFile)
const TOUR = fileURLToPath(new URL('tour.ts', import.meta.url))
/** A program that goes on the tour, in any runtime that knows files. */
const PROGRAM = `import * as client from 'campus-intranet-client'
import { tour } from './tour.js'
import given from './given.json' with { type: 'json' }
console.log(JSON.stringify(await tour(client, given)))
`
const BROWSER_PAGE = `<!doctype html><meta charset="utf-8"><title>Tour</title>
<script type="importmap">{ "imports": {
  "campus-intranet-client": "/node_modules/campus-intranet-client/dist/index.js",
  "openapi-fetch": "/node_modules/openapi-fetch/dist/index.mjs"
} }</script>`

type Given = Parameters<typeof tour>[1]

const without = (name: string, hint: string) => (canRun(name, '--version') ? false : `SKIPPED: no ${name} (${hint})`)

describe('the client in every runtime', () => {
  let world: World
  let failing: FailingService
  let project: Awaited<ReturnType<typeof packedClient>>
  let users: number
  before(async () => {
    world = await campus({ seeded: { users: 250, locations: 2000 } })
    failing = await failingService()
    project = await packedClient()
    await writeFile(join(project.path, 'ca.pem'), world.ca + failing.ca)
    // Neither browsers nor the oldest Node.js take types.
    const { code } = await transform(await readFile(TOUR, 'utf8'), { loader: 'ts' })
    await writeFile(join(project.path, 'tour.js'), code)
    await writeFile(join(project.path, 'tour.mjs'), PROGRAM)
    users = Number((await world.visitor.get('/v2/users')).headers.get('x-total'))
  })
  after(async () => {
    await project?.remove()
    await failing.close()
    await world.close()
  })

  async function given(): Promise<Given> {
    const plenty = { rate_per_second: 100_000, rate_per_hour: 1_000_000 }
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Tour', ...plenty, roles: ['Advanced Staff'], scopes: ['public'] }),
    )
    const group = await world.director.post('/v2/groups', { group: { name: `Group of ${uid}`.slice(0, 60) } })
    return {
      real: { url: world.url, clientId: uid, clientSecret: String(secret) },
      failing: { url: failing.url, clientId: 'a', clientSecret: 'b' },
      closed: `https://localhost:${await freePort()}`,
      campusId: '1',
      groupId: group.json.id,
      paths: {
        comesBack: failing.path('drop', 'cut', '503~0', '200') + QUICKLY,
        hangs: failing.path('hang') + QUICKLY,
        drips: failing.path('drip') + QUICKLY,
        waits: failing.path('503~100') + QUICKLY,
        slow: failing.path('hang') + QUICKLY,
      },
    }
  }

  /** Checks the results of a tour. Browsers give no reason for a failed request. */
  function assertToured(
    found: Awaited<ReturnType<typeof tour>>,
    { closed, groupId }: Given,
    reason = /refused|connect/i,
  ) {
    const { refused, ...others } = found
    assert.deepEqual(others, {
      ...{ login: 'string', inOrder: true, all: users, totals: [users], campus: 1 },
      ...{
        seen: ['page', `Name 1 of ${groupId}`, `Name 2 of ${groupId}`],
        afterwards: null,
        comesBack: { done: true },
      },
      ...{ missing: [404, 1, 'string'], late: 2, stopped: [true, true, true], walked: [3, 'AbortError'] },
    })
    assert.ok(String(refused).startsWith(`No answer from ${closed}: `), String(refused))
    assert.match(String(refused), reason)
  }

  async function tourWith(program: string, words: readonly string[], env: Readonly<Record<string, string>>) {
    const wanted = await given()
    await writeFile(join(project.path, 'given.json'), JSON.stringify(wanted))
    const { stdout } = await run(program, [...words, 'tour.mjs'], {
      cwd: project.path,
      env: { PATH: process.env.PATH, HOME: project.path, ...env },
    })
    assertToured(JSON.parse(stdout), wanted)
  }

  test('Node.js', () => tourWith(process.execPath, [], { NODE_EXTRA_CA_CERTS: 'ca.pem' }))

  test('the oldest Node.js', { skip: NO_OLDEST_NODE }, () =>
    tourWith(String(OLDEST_NODE), ['--no-warnings'], { NODE_EXTRA_CA_CERTS: 'ca.pem' }),
  )

  // Nothing but the network is allowed there.
  const ALLOWED = ['run', '--allow-net', '--no-lock', '--node-modules-dir=manual', '--cached-only']
  test('Deno', { skip: without('deno', 'npm install --global deno') }, () =>
    tourWith('deno', ALLOWED, { DENO_CERT: 'ca.pem', DENO_DIR: join(project.path, 'deno'), DENO_NO_UPDATE_CHECK: '1' }),
  )

  test('Bun', { skip: without('bun', 'npm install --global bun') }, () =>
    tourWith('bun', ['run'], { NODE_EXTRA_CA_CERTS: 'ca.pem' }),
  )

  describe('a browser', { skip: withoutBrowser }, () => {
    let browser: TestBrowser
    let files: Server
    let origin: string
    before(async () => {
      browser = await openBrowser(world)
      files = createServer(async ({ url = '/' }, response) => {
        if (url === '/') return response.setHeader('content-type', 'text/html').end(BROWSER_PAGE)
        const text = await readFile(join(project.path, url)).catch(() => undefined)
        const type = extname(url) === '.html' ? 'text/html' : 'text/javascript'
        response.writeHead(text ? 200 : 404, { 'content-type': type }).end(text)
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => files.once('listening', resolve))
      origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
    })
    after(async () => {
      await browser?.close()
      files?.closeAllConnections()
      files?.close()
    })

    test('as modules of a page of another origin', async () => {
      const wanted = await given()
      const { page } = await browser.window()
      await page.goto(origin)
      const found = await page.evaluate(async (settings) => {
        // The browser resolves these, not the compiler.
        const load = (name: string) => import(name)
        const [client, { tour }] = await Promise.all([load('campus-intranet-client'), load('/tour.js')])
        return tour(client, settings)
      }, wanted)
      assertToured(found, wanted, /fetch/i)
    })

    test('as one file of a bundler, which leaves out what is not used', async () => {
      const bundle = async (contents: string) => {
        const options = { bundle: true, format: 'esm', platform: 'browser', minify: true, write: false } as const
        const stdin = { contents, resolveDir: project.path }
        const { outputFiles, warnings } = await build({ ...options, stdin })
        assert.deepEqual(warnings, [])
        return String(outputFiles[0]?.text)
      }
      const whole = await bundle(`export { campusClient } from 'campus-intranet-client'`)
      assert.ok(whole.length < 24_000, `${whole.length} bytes`)
      assert.doesNotMatch(whole, /["']node:/)
      const part = await bundle(`export { NotFoundError } from 'campus-intranet-client'`)
      assert.ok(part.length < whole.length / 4, `${part.length} bytes`)
    })

    test('for a person who signed in, without a secret', async () => {
      const flow = flowOf(world)
      const [person, app] = [await flow.person({ login: 'surfer' }), await flow.application({ confidential: false })]
      assert.equal(app.secret, null)
      const { refresh_token: refreshToken } = await flow.tokens(person, app)
      const { page } = await browser.window()
      await page.goto(origin)
      const me = await page.evaluate(
        async (options) => {
          const load = (name: string) => import(name)
          const { campusClient } = await load('campus-intranet-client')
          return campusClient(options).get('/v2/me')
        },
        { url: world.url, clientId: app.uid, refreshToken },
      )
      assert.equal(me.login, 'surfer')
    })
  })
})
