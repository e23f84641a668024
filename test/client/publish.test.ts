/** Publishing the clients by npm and twine themselves, to a registry of ours. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { serviceVersion } from '@campus/engine/base/service'
import { findPython } from '../../clients/python/scripts/find-python.ts'
import { RELEASE_ONLY } from '../support/release-only.ts'
import { clientCheckout } from './packed-client.ts'

const run = promisify(execFile)
const VERSION = serviceVersion()
const PYTHON = findPython(['build', 'httpx', 'setuptools', 'twine', 'wheel'])
const NO_PYTHON = PYTHON
  ? false
  : "SKIPPED publishing the Python client: no python3 with build, twine and httpx (install Debian's packages python3-build, python3-httpx and twine)"

type Upload = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

describe('publishing the clients', () => {
  let checkout: Awaited<ReturnType<typeof clientCheckout>>
  let registry: Server
  let url: string
  let uploads: Upload[]
  before(async () => {
    checkout = await clientCheckout()
    registry = createServer(async (request, response) => {
      const { method, headers } = request
      const body = await buffer(request)
      // Nothing was published before.
      if (method === 'GET') return response.writeHead(404).end('{}')
      uploads.push({ url: `${method} ${request.url}`, headers, body })
      response.writeHead(method === 'PUT' ? 201 : 200, { 'content-type': 'application/json' }).end('{}')
    }).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    const { port } = registry.address() as AddressInfo
    url = `http://127.0.0.1:${port}`
    await writeFile(join(checkout.path, 'npmrc'), `//127.0.0.1:${port}/:_authToken=of-a-test\n`)
  })
  beforeEach(() => {
    uploads = []
  })
  after(async () => {
    registry.closeAllConnections()
    registry.close()
    await checkout.remove()
  })

  /** `npm run publish:…`, as somebody types it in a checkout. */
  const publish = (name: string, ...words: readonly string[]) =>
    run('npm', ['run', `publish:${name}`, '--', ...words], {
      cwd: checkout.path,
      env: {
        ...{ PATH: process.env.PATH, HOME: checkout.path, NPM_CONFIG_USERCONFIG: join(checkout.path, 'npmrc') },
        ...{ TWINE_USERNAME: '__token__', TWINE_PASSWORD: 'of-a-test', NO_COLOR: '1' },
      },
    })

  test('the typed client: a dry run builds and checks it, and uploads nothing', { skip: RELEASE_ONLY }, async () => {
    const { stdout } = await publish('client', '--dry-run', '--registry', url)
    assert.match(stdout, /^All good!$/m)
    assert.match(stdout, new RegExp(`^\\+ campus-intranet-client@${VERSION}$`, 'm'))
    assert.deepEqual(uploads, [])
  })

  test('the typed client: npm uploads what was built', async () => {
    await publish('client', '--registry', url)
    assert.deepEqual(
      uploads.map((one) => [one.url, one.headers.authorization]),
      [['PUT /campus-intranet-client', 'Bearer of-a-test']],
    )
    const { 'dist-tags': tags, versions, _attachments: files } = JSON.parse(String(uploads[0]?.body))
    assert.deepEqual(tags, { latest: VERSION })
    const packed = Buffer.from(files[`campus-intranet-client-${VERSION}.tgz`].data, 'base64')
    assert.equal(versions[VERSION].dist.integrity, `sha512-${digest('sha512', packed).toString('base64')}`)
    const file = join(checkout.path, 'uploaded.tgz')
    await writeFile(file, packed)
    const names = await linesOf('tar', '-tzf', file)
    for (const name of ['dist/index.js', 'dist/index.d.ts', 'dist/schema.d.ts', 'README.md', 'LICENSE'])
      assert.ok(names.includes(`package/${name}`), name)
  })

  test('the typed client: one that publint refuses is not published', async () => {
    const file = join(checkout.path, 'clients/typescript/package.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('./dist/index.d.ts', './dist/missing.d.ts'))
    await assert.rejects(publish('client', '--registry', url), ({ stdout }) => /missing\.d\.ts/.test(stdout))
    assert.deepEqual(uploads, [])
    await writeFile(file, text)
  })

  describe('the Python client', () => {
    const dist = () => join(checkout.path, 'clients/python/dist')
    const FILES = [`campus_intranet_client-${VERSION}-py3-none-any.whl`, `campus_intranet_client-${VERSION}.tar.gz`]

    test('a dry run builds and checks wheel and archive, and uploads nothing', {
      skip: NO_PYTHON || RELEASE_ONLY,
    }, async () => {
      // The built package contains no file of an earlier build.
      const source = join(checkout.path, 'clients/python/src/campus_intranet')
      await mkdir(dist(), { recursive: true })
      await writeFile(join(dist(), 'campus_intranet_client-0.0.1.tar.gz'), '')
      await mkdir(join(source, '__pycache__'), { recursive: true })
      await writeFile(join(source, '__pycache__/old.cpython-311.pyc'), '')
      const { stdout } = await publish('python', '--dry-run')
      assert.deepEqual((await readdir(dist())).sort(), FILES)
      assert.equal(stdout.match(/PASSED/g)?.length, 2, stdout)
      assert.deepEqual(uploads, [])
      const [wheel, archive] = FILES.map((name) => join(dist(), name))
      const sources = (await readdir(source, { recursive: true }))
        .filter((name) => /\.py$|\.typed$/.test(name))
        .map((name) => `campus_intranet/${name}`)
      for (const part of ['types.py', 'aio/operations.py', 'sync/operations.py', 'sync/client.py'])
        assert.ok(sources.includes(`campus_intranet/${part}`), part)
      const inWheel = await linesOf(String(PYTHON), '-c', LIST, String(wheel))
      assert.deepEqual(inWheel.filter((name) => !name.includes('dist-info')).sort(), sources.sort())
      const inArchive = await linesOf('tar', '-tzf', String(archive))
      for (const name of sources)
        assert.ok(
          inArchive.some((one) => one.endsWith(`/src/${name}`)),
          name,
        )
    })

    test('twine uploads both', { skip: NO_PYTHON }, async () => {
      await publish('python', '--non-interactive', '--repository-url', `${url}/legacy/`)
      const authorization = `Basic ${Buffer.from('__token__:of-a-test').toString('base64')}`
      assert.deepEqual(
        uploads.map((one) => [one.url, one.headers.authorization]),
        FILES.map(() => ['POST /legacy/', authorization]),
      )
      for (const [at, name] of FILES.entries()) {
        const content = await readFile(join(dist(), name))
        const body = uploads[at]?.body ?? Buffer.alloc(0)
        assert.ok(body.includes(`filename="${name}"`) && body.includes(content), name)
        assert.ok(body.includes(digest('sha256', content).toString('hex')), name)
      }
    })

    test('the wheel, installed alone, has both clients and names what they need', { skip: NO_PYTHON }, async () => {
      const installed = join(checkout.path, 'installed')
      await run(String(PYTHON), ['-m', 'zipfile', '-e', join(dist(), String(FILES[0])), installed])
      const { stdout } = await run(String(PYTHON), ['-c', INSPECT], {
        cwd: checkout.path,
        env: { PATH: process.env.PATH, PYTHONPATH: installed },
      })
      assert.deepEqual(JSON.parse(stdout), {
        version: VERSION,
        needs: ['httpx'],
        file: join(installed, 'campus_intranet/__init__.py'),
        clients: ['get_me', 'get_me'],
        failed: 'ConnectionError',
      })
    })
  })
})

const digest = (algorithm: string, content: Buffer) => createHash(algorithm).update(content).digest()

async function linesOf(program: string, ...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(program, words)
  return stdout.trim().split('\n')
}

const LIST = 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\\n")'
/** The port is closed. */
const INSPECT = `
import asyncio, json, re
from importlib import metadata
import campus_intranet
from campus_intranet import AsyncCampus, Campus

async def fail():
    try:
        async with AsyncCampus("https://localhost:1", client_id="a", retries=0) as campus:
            await campus.get_me()
    except campus_intranet.ConnectionError as error:
        return type(error).__name__

print(json.dumps({
    "version": metadata.version("campus-intranet-client"),
    "needs": [re.match(r"[\\w-]+", one)[0] for one in metadata.requires("campus-intranet-client")],
    "file": campus_intranet.__file__,
    "clients": [Campus.get_me.__name__, AsyncCampus.get_me.__name__],
    "failed": asyncio.run(fail()),
}))
`
