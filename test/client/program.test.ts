import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { freePort } from '../support/free-port.ts'
import { NO_OLDEST_NODE, OLDEST_NODE } from '../support/oldest-node.ts'
import { CLIENT, packedClient } from './packed-client.ts'

const run = promisify(execFile)
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const PUBLINT = fileURLToPath(new URL('../../node_modules/publint/src/cli.js', import.meta.url))

describe('the package as it is published', () => {
  let world: World
  let project: Awaited<ReturnType<typeof packedClient>>
  let packed: string
  let credentials: Readonly<Record<string, string>>
  before(async () => {
    world = await campus({ seeded: { users: 600, locations: 100 }, now: '2026-03-04T11:17:23.456Z' })
    project = await packedClient()
    packed = join(project.path, 'node_modules/campus-intranet-client')
    const program = /```js\n(.*?)```/s.exec(await readFile(join(CLIENT, 'README.md'), 'utf8'))?.[1] ?? ''
    assert.ok(program !== '' && program.trim().split('\n').length <= 10)
    await writeFile(join(project.path, 'users.mjs'), program)
    await writeFile(join(project.path, 'ca.pem'), world.ca)
    credentials = await credentialsWith({})
  })
  after(async () => {
    await project?.remove()
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
    const { stdout } = await run(process.execPath, [PUBLINT, packed, '--strict', '--pack', 'false'])
    assert.match(stdout, /All good!/)
  })

  test("the README's program compiles", async () => {
    const strictly = ['--noEmit', '--strict', '--allowJs', '--checkJs', '--module', 'nodenext', '--target', 'es2024']
    const types = fileURLToPath(new URL('../../node_modules/@types', import.meta.url))
    const ofNode = ['--types', 'node', '--typeRoots', types]
    await run(process.execPath, [TSC, ...strictly, ...ofNode, 'users.mjs'], { cwd: project.path })
  })

  test("the README's program lists every user of a campus and survives the rate limit", async () => {
    // One request a second, and three pages to fetch.
    const { stdout, stderr } = await list(await credentialsWith({ rate_per_second: 1 }))
    const expected = await everybody()
    assert.ok(expected.length > 200, `${expected.length} users are too few to page`)
    assert.deepEqual(linesOf(stdout), expected, stderr)
  })

  test("the README's program runs with the oldest Node that it names", { skip: NO_OLDEST_NODE }, async () => {
    const { stdout, stderr } = await list(credentials, OLDEST_NODE)
    assert.deepEqual(linesOf(stdout), await everybody(), stderr)
  })

  test('without the certificate it says which file makes it trusted, and how; it tells no secret', async () => {
    for (const file of [undefined, 'package.json']) {
      const env = { ...credentials, NODE_EXTRA_CA_CERTS: file }
      const failed = await list(env).catch((error: { readonly code: number; readonly stderr: string }) => error)
      assert.ok('code' in failed && failed.code === 1)
      assert.match(failed.stderr, /CertificateError: .*data\/tls\/cert\.pem/)
      assert.match(failed.stderr, file ? /NODE_EXTRA_CA_CERTS is "package.json"/ : /NODE_EXTRA_CA_CERTS is not set/)
      assert.ok(!failed.stderr.includes(String(credentials.CAMPUS_SECRET)))
    }
  })

  test('where nobody listens it says who gave no answer', async () => {
    const url = `https://localhost:${await freePort()}`
    await assert.rejects(list({ ...credentials, CAMPUS_URL: url }), ({ stderr }: { readonly stderr: string }) => {
      assert.match(stderr, new RegExp(`ConnectionError: No answer from ${url}: .*ECONNREFUSED`))
      return true
    })
  })

  test('two of them at once share the rate of their application, and both list everybody', async () => {
    const env = await credentialsWith({ rate_per_second: 2 })
    const [first, second] = await Promise.all([list(env), list(env)])
    const lines = linesOf(first.stdout)
    assert.deepEqual(linesOf(second.stdout), lines)
    assert.equal(new Set(lines).size, lines.length)
    assert.ok(lines.length > 200, `${lines.length} users are too few to page`)
  })

  async function credentialsWith(application: object) {
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Lister', ...application }),
    )
    return { CAMPUS_URL: world.url, CAMPUS_ID: uid, CAMPUS_SECRET: String(secret) }
  }

  async function everybody(): Promise<string[]> {
    const rows = await world.database.rows(
      `select u.id, u.login from users u join campus_users c on c.user_id = u.id
       join campus on campus.id = c.campus_id where campus.slug = 'grenoble' order by u.id`,
    )
    return rows.map(([id, login]) => `${id} ${login}`)
  }

  /** Runs the program as its page says, beside the certificate. */
  const list = (env: Readonly<Record<string, string | undefined>>, node: string = process.execPath) =>
    run(node, ['users.mjs', 'grenoble'], {
      cwd: project.path,
      env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: 'ca.pem', ...env },
    })
})

/** The id and the login of each line. */
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(0, 2).join(' '))
