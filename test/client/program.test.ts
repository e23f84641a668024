import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createApplication } from '../../src/oauth/applications.ts'
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
  before(async () => {
    world = await campus({ seeded: { users: 600, locations: 10 } })
    folder = await temporaryFolder()
    packed = join(folder.path, 'node_modules/campus-intranet-client')
    await mkdir(packed, { recursive: true })
    await run(process.execPath, [TSC, '-p', CLIENT, '--outDir', join(packed, 'dist')])
    await copyFile(join(CLIENT, 'package.json'), join(packed, 'package.json'))
    // What an installation would put beside it.
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node']) {
      const target = join(folder.path, 'node_modules', name)
      await mkdir(dirname(target), { recursive: true })
      await symlink(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), target)
    }
  })
  after(async () => {
    await folder.remove()
    await world.close()
  })

  test('is sound in the eyes of publint', async () => {
    const { stdout } = await run(process.execPath, [PUBLINT, packed, '--strict'])
    assert.match(stdout, /All good!/)
  })

  test("the README's program compiles, lists every user of a campus and survives the rate limit", async () => {
    const [, program = ''] = /```ts\n(.*?)```/s.exec(await readFile(join(CLIENT, 'README.md'), 'utf8')) ?? []
    assert.ok(program.trim().split('\n').length <= 10)
    await writeFile(join(folder.path, 'package.json'), '{"type": "module"}')
    await writeFile(join(folder.path, 'users.ts'), program)
    await writeFile(join(folder.path, 'ca.pem'), world.ca)
    const strictly = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
    await run(process.execPath, [TSC, ...strictly, 'users.ts'], { cwd: folder.path })

    // One request a second, and three pages to fetch.
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Lister', rate_per_second: 1 }),
    )
    const { PATH } = process.env
    const { stdout, stderr } = await run(process.execPath, ['users.ts', 'grenoble'], {
      cwd: folder.path,
      env: { PATH, NODE_EXTRA_CA_CERTS: 'ca.pem', CAMPUS_URL: world.url, CAMPUS_ID: uid, CAMPUS_SECRET: secret },
    })
    const expected = await world.database.rows(
      `select u.id, u.login from users u join campus_users c on c.user_id = u.id
       join campus on campus.id = c.campus_id where campus.slug = 'grenoble' order by u.id`,
    )
    const lines = stdout.trim().split('\n')
    assert.ok(expected.length > 200, `${expected.length} users are too few to page`)
    assert.deepEqual(
      lines.map((line) => line.split(' ').slice(0, 2).join(' ')),
      expected.map(([id, login]) => `${id} ${login}`),
      stderr,
    )
  })
})
