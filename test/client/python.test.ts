import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { canRun } from '../support/can-run.ts'
import { flowOf } from '../support/flow.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url))
const PYRIGHT = fileURLToPath(new URL('../../node_modules/pyright/index.js', import.meta.url))
const PLENTY = { rate_per_second: 100_000, rate_per_hour: 1_000_000 }

const project = readFileSync(join(CLIENT, 'pyproject.toml'), 'utf8')
const [, oldest = ''] = /^requires-python = ">=3\.(\d+)"$/m.exec(project) ?? []
const has = canRun('python3', '-c', `import sys; sys.exit(sys.version_info < (3, ${oldest}))`)
const SKIP = has ? false : `SKIPPED the Python client: no python3 of version 3.${oldest} or later`

describe('the Python client', () => {
  let world: World
  before(async () => {
    world = await campus({ seeded: { users: 250, locations: 2000 } })
    // The tests ask for the first people by their ids.
    await world.database.rows('update users set closed_at = null where id <= 20')
  })
  after(() => world.close())

  test('names one version of Python everywhere, and the version of the TypeScript client', async () => {
    const readme = await readFile(join(CLIENT, 'README.md'), 'utf8')
    const named = [...project.matchAll(/(?<![\d.])3\.(\d+)"/g), ...readme.matchAll(/Python 3\.(\d+)/g)].map(
      ([, one]) => one,
    )
    assert.deepEqual([...new Set(named)], [oldest])
    const { version } = JSON.parse(await readFile('client/package.json', 'utf8'))
    assert.ok(project.includes(`\nversion = "${version}"\n`))
  })

  test('and its tests are sound in the eyes of a strict checker, which refuses what there is not', async () => {
    const { stdout } = await run(process.execPath, [PYRIGHT, '-p', CLIENT]).catch((error) => error)
    assert.match(stdout, /^0 errors, 0 warnings/m)
  })

  describe('against the service', { skip: SKIP }, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let cafile: string
    before(async () => {
      folder = await temporaryFolder()
      cafile = join(folder.path, 'data/tls/cert.pem')
      await mkdir(dirname(cafile), { recursive: true })
      await writeFile(cafile, world.ca)
    })
    after(() => folder.remove())

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
      run('python3', words, {
        cwd: folder.path,
        env: {
          PATH: process.env.PATH,
          PYTHONPATH: `${join(CLIENT, 'src')}:${CLIENT}`,
          PYTHONDONTWRITEBYTECODE: '1',
          ...env,
        },
      })

    test('passes its own tests, all of them', async () => {
      const people = [await person('python1'), await person('python2'), await person('python3')]
      const [[users] = []] = await world.database.rows('select count(*) from users')
      const school = {
        ...{ url: world.url, users: Number(users), people },
        cafile,
        applications: {
          reader: await application({}),
          staff: await application({ roles: ['Advanced Staff'], scopes: ['public'] }),
          slow: await application({ rate_per_second: 4 }),
          hourly: await application({ rate_per_hour: 1 }),
        },
      }
      const words = ['-W', 'error', '-m', 'unittest', 'discover', '-s', join(CLIENT, 'tests'), '-t', CLIENT]
      const { stderr } = await python(words, { CAMPUS_TEST_SCHOOL: JSON.stringify(school) })
      const [, count] = /^Ran (\d+) tests/m.exec(stderr) ?? []
      const text = await readFile(join(CLIENT, 'tests/test_client.py'), 'utf8')
      assert.equal(Number(count), text.match(/^ {4}def test_/gm)?.length, stderr)
      assert.match(stderr, /^OK$/m)
    })

    test("the README's program lists every user of a campus and survives the rate limit", async () => {
      const [, program = ''] = /```python\n(.*?)```/s.exec(await readFile(join(CLIENT, 'README.md'), 'utf8')) ?? []
      assert.ok(program !== '' && program.trim().split('\n').length <= 10)
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
