import assert from 'node:assert/strict'
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { verbatim } from '@campus/engine/base/languages/say'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { migrateAsFarAs } from '@campus/engine/database/migrate'
import { knownMigrations } from '@campus/engine/database/migrations'
import type { Paths } from '@campus/engine/http/readers/reader'
import type { TableTask } from '@campus/engine/rest/import/table-reader'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { commandsUnder } from '../docs/typing.ts'
import { emptyProject } from '../support/empty-project.ts'
import { copyTree, temporaryFolder } from '../support/folder.ts'
import { FORMER_MIGRATIONS, standAsFormer } from '../support/former-migrations.ts'
import { freePort } from '../support/free-port.ts'
import { installedPackages } from '../support/installed-packages.ts'
import { linkModules } from '../support/link-modules.ts'
import { recordedExamples } from '../support/recorded-examples.ts'
import { outcomeOf } from '../support/run-campus.ts'

const run = promisify(execFile)

/** Files of a checkout of its own, which is built and packed: the one under test may be running. */
const CHECKOUT = [
  ...['bin', 'build', 'docs', 'ops', 'engine', 'intranet', 'packages', 'service', 'clients'],
  ...['package.json', 'package-lock.json', 'CHANGELOG.md', 'LICENSE', 'README.md'],
]
/** Folders that packing only reads. The tests record the examples of the reference. */
const READ = ['test']
/** Files that a new clone lacks. */
const UNTRACKED = ['docs/reference/examples.json', 'docs/reference/webhook-bodies.json']

describe('the package that npm pack makes of a checkout, in an empty project', () => {
  let project: Awaited<ReturnType<typeof emptyProject>>
  let child: ChildProcess | undefined
  let packed: readonly string[]
  before(async () => {
    const folder = await temporaryFolder()
    const checkout = join(folder.path, 'checkout')
    for (const name of CHECKOUT) await copyTree(name, join(checkout, name))
    for (const name of UNTRACKED) await rm(join(checkout, name), { force: true })
    for (const name of READ) await symlink(resolve(name), join(checkout, name))
    await linkModules(checkout)
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path], { cwd: checkout })
    const [{ filename, files }] = JSON.parse(stdout)
    packed = files.map(({ path }: { readonly path: string }) => path)
    const modules = (await installedPackages('')).map(({ path }) => path)
    project = await emptyProject(join(folder.path, filename), modules)
    await folder.remove()
  })
  after(async () => {
    if (child?.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL')
    await project?.remove()
  })

  /** A line of docs/installing.md as it stands, in a shell that finds the command where it was installed. */
  function typed(line: string, env: Readonly<Record<string, string>>): ChildProcess {
    const { PATH = '', HOME = '' } = process.env
    const path = `${join(project.path, 'node_modules/.bin')}:${PATH}`
    return spawn('sh', ['-c', line], { cwd: project.path, env: { PATH: path, HOME, ...env }, detached: true })
  }

  /** The commands below a title, without the installation, which would ask a registry. */
  const typedUnder = async (title: string) =>
    (await commandsUnder('installing.md', title)).filter((line) => !line.startsWith('npm install '))

  it('has the examples of the reference, recorded as it is packed', async () => {
    for (const file of UNTRACKED) assert.ok(packed.includes(file), file)
    const file = join(project.path, 'node_modules/campus-intranet', UNTRACKED[0] ?? '')
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), (await recordedExamples()).examples)
  })

  it('has the process that reads tables', async () => {
    const table = join(project.path, 'table.csv')
    await writeFile(table, 'name\nx\n')
    const output = join(project.path, 'table.json')
    const limits = { rows: 1, columns: 1, characters: 10, excess: verbatim('') }
    const task: TableTask & Paths = { path: table, output, limits, maxBytes: 1_000, format: {} }
    const dist = join(project.path, 'node_modules/campus-intranet/dist')
    const host = fork(join(dist, 'engine/http/readers/reader-host.js'), { env: {}, execArgv: [] })
    const module = pathToFileURL(join(dist, 'engine/rest/import/table-reader.js')).href
    host.send({ id: 1, module, task, limits: { seconds: 60, heapMib: 64 }, elapsedSeconds: 240 })
    const [answer] = await once(host, 'message')
    host.disconnect()
    assert.deepEqual(answer, {
      id: 1,
      answer: { columns: ['name'], samples: ['x'], rows: 1, notes: [] },
      wasKilled: false,
    })
    assert.deepEqual(JSON.parse(await readFile(output, 'utf8')), { columns: ['name'], rows: [['x']], notes: [] })
  })

  /** `npx campus …`, as somebody types it in the project: a terminal's Ctrl-C reaches all that it starts. */
  function campus(words: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const { PATH = '', HOME = '' } = process.env
    const options = { cwd: project.path, env: { PATH, HOME, ...env }, detached: true }
    return spawn('npx', ['--no-install', 'campus', ...words], options)
  }

  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    const { code, stdout } = await outcomeOf(campus(['--version']))
    assert.deepEqual([code, stdout], [0, `${version}\n`])
  })

  it('serves a school with an embedded database, up to a first answer, and stops when it is told to', async () => {
    const port = String(await freePort())
    const [serve = '', ...more] = await typedUnder('npm')
    assert.deepEqual(more, [])
    child = typed(serve, { CAMPUS_PORT: port, CAMPUS_PROCESSES: '1', CAMPUS_LOG_LEVEL: 'silent' })
    const outcome = outcomeOf(child)
    await Promise.race([
      new Promise<void>((done) => child?.stdout?.on('data', (text) => String(text).includes('Ctrl-C') && done())),
      outcome.then(({ stdout, stderr }) => assert.fail(`it ended: ${stdout}${stderr}`)),
    ])
    const ca = await readFile(join(project.path, 'data/tls/cert.pem'), 'utf8')
    assert.equal(await statusOf(`https://localhost:${port}/v2`, ca), 200)
    assert.equal(await statusOf(`https://localhost:${port}/v2/users`, ca), 401)
    process.kill(-(child.pid as number), 'SIGTERM')
    await outcome
    assert.equal(await statusOf(`https://localhost:${port}/v2`, ca).catch(({ code }) => code), 'ECONNREFUSED')
  })

  it('takes a data folder of the last unreleased version, runs what followed it, and serves what is in it', async () => {
    const data = join(project.path, 'older')
    const read = (query: string) => onDatabaseOf(data, ({ rows }) => rows(query))
    const baseline = (await knownMigrations(SCHOOL_MIGRATIONS)).filter(
      (name) => name <= SCHOOL_MIGRATIONS.squashed.last,
    )
    await onDatabaseOf(data, async ({ kysely, rows }) => {
      await migrateAsFarAs(kysely, SCHOOL_MIGRATIONS, baseline)
      await standAsFormer(rows)
      await rows("insert into languages (name, identifier) values ('Kept', 'kp')")
      await rows(
        "insert into campus (name, slug, time_zone, language_id) select 'Kept', 'kept', 'UTC', max(id) from languages",
      )
    })
    const port = String(await freePort())
    const env = { CAMPUS_DATA: data, CAMPUS_PORT: port, CAMPUS_PROCESSES: '1', CAMPUS_LOG_FORMAT: 'json' }
    const [backUp = '', serve = '', ...more] = await typedUnder('Upgrade')
    assert.deepEqual(more, [])
    const made = await outcomeOf(typed(backUp, env))
    assert.match(made.stdout, /^Backed up \d+ rows/, made.stderr)
    assert.deepEqual(await read('select count(*) from kysely_migration'), [[String(FORMER_MIGRATIONS.length)]])
    child = typed(serve, env)
    const outcome = outcomeOf(child)
    await Promise.race([
      new Promise<void>((done) => child?.stdout?.on('data', (text) => String(text).includes('Ctrl-C') && done())),
      outcome.then(({ stdout, stderr }) => assert.fail(`it ended: ${stdout}${stderr}`)),
    ])
    const ca = await readFile(join(data, 'tls/cert.pem'), 'utf8')
    assert.equal(await statusOf(`https://localhost:${port}/v2`, ca), 200)
    assert.equal(await statusOf(`https://localhost:${port}/v2/languages`, ca), 401)
    process.kill(-(child.pid as number), 'SIGTERM')
    const { stdout, stderr } = await outcome
    const known = await knownMigrations(SCHOOL_MIGRATIONS)
    const run = /"migrations":(\d+).*"migrated"/.exec(stdout + stderr)?.[1] ?? '0'
    assert.equal(Number(run), known.filter((name) => name > SCHOOL_MIGRATIONS.squashed.last).length)
    assert.deepEqual(await read('select count(*) from kysely_migration'), [[String(known.length)]])
    assert.deepEqual(await read('select name from languages'), [['Kept']])
    assert.deepEqual(await read('select count(*) from users'), [['0']])
  })
})

/** Works on the embedded database of a data folder that no service uses. */
async function onDatabaseOf<T>(data: string, work: (database: Database) => Promise<T>): Promise<T> {
  const server = await EmbeddedServer.open({ data, connections: 20 })
  try {
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: server.url })
    return await work(database).finally(() => database.close())
  } finally {
    await server.close()
  }
}

const statusOf = (url: string, ca: string) =>
  new Promise((done, fail) => {
    const asked = get(url, { ca, agent: false }, (response) => {
      response.resume()
      done(response.statusCode)
    })
    asked.once('error', fail)
  })
