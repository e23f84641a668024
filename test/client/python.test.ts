import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findPython, OLDEST_PYTHON } from '../../clients/python/scripts/find-python.ts'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'
import { flowOf } from '../support/oauth-flow.ts'
import { RELEASE_ONLY } from '../support/release-only.ts'
import { type FailingService, failingService } from './failing-service.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url))
const PYRIGHT = fileURLToPath(new URL('../../node_modules/pyright/index.js', import.meta.url))
const PLENTY = { rate_per_second: 100_000, rate_per_hour: 1_000_000 }

const PYTHON = findPython(['httpx'])
const SKIP = PYTHON
  ? false
  : `SKIPPED the Python client: no python3 of version ${OLDEST_PYTHON} or later with httpx (install Debian's package python3-httpx)`

describe('the Python client', () => {
  let world: World
  before(async () => {
    world = await campus({ seeded: { users: 250, locations: 2000 } })
    // The tests ask for the first people by their ids.
    await world.database.rows('update users set closed_at = null where id <= 20')
  })
  after(() => world.close())

  test('names one version of Python everywhere, and the version of the TypeScript client', async () => {
    const [project, readme] = await Promise.all(
      ['pyproject.toml', 'README.md'].map((name) => readFile(join(CLIENT, name), 'utf8')),
    )
    const named = [
      ...String(project).matchAll(/(?<![\d.])(3\.\d+)"/g),
      ...String(readme).matchAll(/Python (3\.\d+)/g),
    ].map(([, one]) => one)
    assert.deepEqual([...new Set(named)], [OLDEST_PYTHON])
    const { version } = JSON.parse(await readFile('clients/typescript/package.json', 'utf8'))
    assert.ok(String(project).includes(`\nversion = "${version}"\n`))
  })

  test('and its tests are sound in the eyes of a strict checker, which refuses what there is not', {
    skip: SKIP || RELEASE_ONLY,
  }, async () => {
    const words = ['-p', CLIENT, '--pythonpath', String(PYTHON)]
    const { stdout } = await run(process.execPath, [PYRIGHT, ...words]).catch((error) => error)
    assert.match(stdout, /^0 errors, 0 warnings/m)
  })

  describe('against the service', { skip: SKIP }, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let cafile: string
    let failing: FailingService
    before(async () => {
      failing = await failingService()
      folder = await temporaryFolder()
      cafile = join(folder.path, 'data/tls/cert.pem')
      await mkdir(dirname(cafile), { recursive: true })
      await writeFile(cafile, world.ca + failing.ca)
    })
    after(async () => {
      await failing.close()
      await folder.remove()
    })

    async function application(details: object) {
      const { uid, secret } = await world.database.transaction((tx) =>
        createApplication(tx, { name: 'Python', ...PLENTY, ...details }),
      )
      return { client_id: uid, client_secret: String(secret) }
    }

    async function person(login: string) {
      const flow = flowOf(world)
      const [someone, app] = [await flow.person({ login }), await flow.application()]
      const { refresh_token } = await flow.tokens(someone, app)
      return { login, application: { client_id: app.uid, client_secret: app.secret }, refresh_token }
    }

    const python = (words: readonly string[], env: Readonly<Record<string, string>>) =>
      run(String(PYTHON), words, {
        cwd: folder.path,
        env: {
          PATH: process.env.PATH,
          PYTHONPATH: `${join(CLIENT, 'src')}:${CLIENT}`,
          PYTHONDONTWRITEBYTECODE: '1',
          ...env,
        },
      })

    test('passes its own tests, all of them', async () => {
      const people = [
        await person('python1'),
        await person('python2'),
        await person('python3'),
        await person('python4'),
      ]
      const [[users] = []] = await world.database.rows('select count(*) from users')
      const school = {
        ...{ url: world.url, users: Number(users), people, cafile, failing: failing.url },
        applications: {
          reader: await application({}),
          staff: await application({ roles: ['Advanced Staff'], scopes: ['public'] }),
          slow: await application({ rate_per_second: 4 }),
          hourly: await application({ rate_per_hour: 1 }),
        },
      }
      // httpx of Debian 12 imports what Python 3.11 calls old.
      const words = [
        '-W',
        'error',
        '-W',
        "ignore:'cgi' is deprecated:DeprecationWarning",
        '-m',
        'unittest',
        'discover',
        '-s',
        join(CLIENT, 'tests'),
        '-t',
        CLIENT,
      ]
      const { stderr } = await python(words, { CAMPUS_TEST_SCHOOL: JSON.stringify(school) }).catch((error) => error)
      const [, count] = /^Ran (\d+) tests/m.exec(stderr) ?? []
      const files = (await readdir(join(CLIENT, 'tests'))).filter((name) => name.startsWith('test_'))
      let written = 0
      for (const name of files) {
        const text = await readFile(join(CLIENT, 'tests', name), 'utf8')
        // Lines that appear in both clients are written once.
        const times = text.includes('class Asyncio(Threads)') ? 2 : 1
        written += times * (text.match(/^ {4}(async )?def test_/gm)?.length ?? 0)
      }
      assert.equal(Number(count), written, stderr)
      assert.doesNotMatch(stderr, /Warning/)
      assert.match(stderr, /^OK$/m)
    })

    for (const [at, kind] of ['threads', 'asyncio'].entries())
      test(`the README's program for ${kind} lists every user of a campus and survives the rate limit`, async () => {
        const readme = await readFile(join(CLIENT, 'README.md'), 'utf8')
        const programs = [...readme.matchAll(/```python\n(.*?)```/gs)].map(([, text = '']) => text)
        const program = programs.filter((text) => text.includes('sys.argv'))[at] ?? ''
        assert.ok(program.includes(at > 0 ? 'asyncio.run' : 'Campus(') && program.trim().split('\n').length <= 13)
        await writeFile(join(folder.path, 'users.py'), program)
        const { client_id, client_secret } = await application({ rate_per_second: 1 })
        const env = { CAMPUS_URL: world.url, CAMPUS_ID: client_id, CAMPUS_SECRET: client_secret }
        const { stdout } = await python(['users.py', 'grenoble'], env)
        const expected = await world.database.rows(
          `select u.id, u.login from users u join campus_users c on c.user_id = u.id
         join campus on campus.id = c.campus_id where campus.slug = 'grenoble' order by u.id`,
        )
        assert.ok(expected.length > 100, `${expected.length} users are too few to page`)
        assert.deepEqual(
          stdout
            .trim()
            .split('\n')
            .map((line) => line.split(' ').slice(0, 2).join(' ')),
          expected.map(([id, login]) => `${id} ${login}`),
        )
      })
  })
})
