import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../client/', import.meta.url))
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const PUBLINT = fileURLToPath(new URL('../../node_modules/publint/src/cli.js', import.meta.url))

describe('the package as it is published', () => {
  let world: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let packed: string
  let program: string
  before(async () => {
    world = await campus({ seeded: { users: 600, locations: 100 }, now: '2026-03-04T11:17:23.456Z' })
    folder = await temporaryFolder()
    packed = join(folder.path, 'node_modules/campus-intranet-client')
    await mkdir(packed, { recursive: true })
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path], { cwd: CLIENT })
    const [{ filename }] = JSON.parse(stdout)
    await run('tar', ['-xzf', join(folder.path, filename), '-C', packed, '--strip-components=1'])
    // What an installation would put beside it.
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node']) {
      const target = join(folder.path, 'node_modules', name)
      await mkdir(dirname(target), { recursive: true })
      await symlink(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), target)
    }
  })
  before(async () => {
    program = /```ts\n(.*?)```/s.exec(await readFile(join(CLIENT, 'README.md'), 'utf8'))?.[1] ?? ''
    await writeFile(join(folder.path, 'package.json'), '{"type": "module"}')
    await writeFile(join(folder.path, 'users.ts'), program)
  })
  after(async () => {
    await folder.remove()
    await world.close()
  })

  test('holds what is built with its types and licence, and nothing else', async () => {
    assert.deepEqual((await readdir(packed)).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
    const names = (await readdir(join(CLIENT, 'src'))).map((file) => file.replace(/\.ts$/, ''))
    assert.deepEqual(
      (await readdir(join(packed, 'dist'))).sort(),
      names.flatMap((name) => [`${name}.d.ts`, `${name}.js`]).sort(),
    )
  })

  test('is sound in the eyes of publint', async () => {
    const { stdout } = await run(process.execPath, [PUBLINT, packed, '--strict'])
    assert.match(stdout, /All good!/)
  })

  test("the README's program compiles, lists every user of a campus and survives the rate limit", async () => {
    assert.ok(program.trim().split('\n').length <= 10)
    await writeFile(join(folder.path, 'ca.pem'), world.ca)
    const strictly = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
    await run(process.execPath, [TSC, ...strictly, 'users.ts'], { cwd: folder.path })

    // One request a second, and three pages to fetch.
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Lister', rate_per_second: 1 }),
    )
    const { stdout, stderr } = await list({ CAMPUS_URL: world.url, CAMPUS_ID: uid, CAMPUS_SECRET: String(secret) })
    const expected = await world.database.rows(
      `select u.id, u.login from users u join campus_users c on c.user_id = u.id
       join campus on campus.id = c.campus_id where campus.slug = 'grenoble' order by u.id`,
    )
    assert.ok(expected.length > 200, `${expected.length} users are too few to page`)
    assert.deepEqual(
      linesOf(stdout),
      expected.map(([id, login]) => `${id} ${login}`),
      stderr,
    )
  })

  test('two of them at once share the rate of their application, and both list everybody', async () => {
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Two listers', rate_per_second: 2 }),
    )
    const env = { CAMPUS_URL: world.url, CAMPUS_ID: uid, CAMPUS_SECRET: String(secret) }
    const [first, second] = await Promise.all([list(env), list(env)])
    const lines = linesOf(first.stdout)
    assert.deepEqual(linesOf(second.stdout), lines)
    assert.equal(new Set(lines).size, lines.length)
    assert.ok(lines.length > 200, `${lines.length} users are too few to page`)
  })

  /** Runs the program as its page says, beside the certificate. */
  const list = (env: Readonly<Record<string, string>>) =>
    run(process.execPath, ['users.ts', 'grenoble'], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: 'ca.pem', ...env },
    })
})

/** The id and the login of each line. */
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(0, 2).join(' '))
