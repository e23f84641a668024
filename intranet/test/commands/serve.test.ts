import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { loadTls } from '@campus/engine/http/tls'
import { giveCluster } from '@campus/test/support/clusters'
import { NO_CURL } from '@campus/test/support/curl'
import { testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { freePort } from '@campus/test/support/free-port'
import { type Outcome, outcomeOf, runCampus, startCampus } from '@campus/test/support/run-campus'

const run = promisify(execFile)

type Server = { readonly child: ChildProcess; readonly text: string; readonly outcome: Promise<Outcome> }

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts the server, and resolves when it has said all that it says at its start. */
async function serve(words: readonly string[], env: Record<string, string>): Promise<Server> {
  const child = startCampus(['serve', ...words], { CAMPUS_LOG_LEVEL: 'silent', ...env })
  children.push(child)
  const outcome = outcomeOf(child)
  let text = ''
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (data) => {
      text += data
      if (text.includes('Ctrl-C stops it.')) resolve()
    })
  })
  await Promise.race([ready, outcome.then(({ stderr }) => assert.fail(`the server ended: ${stderr}`))])
  return { child, text, outcome }
}

async function stop({ child, outcome }: Server, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal)
  const { code, stderr } = await outcome
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
}

/** Runs the two printed commands in bash, in a folder that is unrelated to the server, and returns their output. */
async function paste(text: string): Promise<string> {
  const commands = text.split('\n').filter((line) => /^(TOKEN=|curl )/.test(line))
  assert.equal(commands.length, 2)
  return (await run('bash', ['-c', commands.join('\n')], { cwd: '/' })).stdout
}

const secretIn = (text: string) => /^ {2}secret {2}([0-9a-f]{64})$/m.exec(text)?.[1]
const idIn = (text: string) => /^ {2}id {6}([0-9a-f]{64})$/m.exec(text)?.[1]

describe('campus serve on a new data folder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let env: Record<string, string>
  let server: Server
  before(async () => {
    folder = await temporaryFolder()
    env = { CAMPUS_DATA: join(folder.path, "a campus's data"), CAMPUS_PORT: String(await freePort()) }
    server = await serve([], env)
  })
  after(async () => {
    server.child.kill('SIGKILL')
    await server.outcome
    await folder.remove()
  })

  test('prints the address, and commands that work when they are pasted', { skip: NO_CURL }, async () => {
    assert.match(server.text, new RegExp(`^Campus Intranet serves https://localhost:${env.CAMPUS_PORT}$`, 'm'))
    const users = JSON.parse(await paste(server.text))
    assert.equal(users.length, 3)
    assert.equal(typeof users[0].login, 'string')
  })

  test('has the host of its readers before the first file', {
    skip: process.platform === 'linux' ? false : 'SKIPPED: needs Linux',
  }, async () => {
    const { pid } = server.child
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
    const commands = await Promise.all(children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8')))
    assert.equal(commands.filter((command) => command.includes('reader-host')).length, 1, commands.join(' '))
  })

  test('keeps everything in its folder from other users', async () => {
    const path = env.CAMPUS_DATA ?? ''
    const modes: Record<string, string> = {}
    for (const name of ['.', ...(await readdir(path))]) {
      modes[name] = ((await stat(join(path, name))).mode & 0o777).toString(8)
    }
    const { 'campus.lock.sqlite': _, ...rest } = modes
    assert.deepEqual(rest, {
      '.': '700',
      files: '700',
      postgresql: '700',
      tls: '700',
      'campus.lock': '600',
      'demo-credentials.json': '600',
      'postgresql.log': '600',
      'secret.key': '600',
    })
  })

  test('a second server refuses at once and names the process', async () => {
    const { code, stdout, stderr } = await runCampus(['serve'], { ...env, CAMPUS_PORT: String(await freePort()) })
    assert.ok(stderr.includes(`${env.CAMPUS_DATA} is in use by process ${server.child.pid} (campus serve)`), stderr)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  })

  test('a command works on the database of the running server', async () => {
    const { stdout } = await runCampus(['app', 'list', '--json'], env)
    const { applications } = JSON.parse(stdout)
    const demonstrations = applications.filter(({ name }: { name: string }) => name === 'Demonstration')
    assert.deepEqual(
      demonstrations.map(({ id: _id, created_at: _, ...rest }: Record<string, unknown>) => rest),
      [
        {
          uid: idIn(server.text),
          name: 'Demonstration',
          roles: ['Advanced Tutor', 'Basic Staff'],
          redirect_uris: [],
          confidential: true,
          owner: null,
          description: null,
          website: null,
          rate_per_second: 50,
          rate_per_hour: 60_000,
          scopes: ['public', 'projects', 'profile', 'elearning', 'tig', 'forum', 'openid', 'email', 'groups', 'act'],
        },
      ],
    )
  })

  test('SIGTERM stops it, with a client still connected, and leaves the folder free', async () => {
    const silent = connect({ port: Number(env.CAMPUS_PORT), host: '127.0.0.1', rejectUnauthorized: false })
    silent.on('error', () => {})
    await new Promise((resolve) => silent.once('secureConnect', resolve))
    await stop(server)
    const left = await readdir(env.CAMPUS_DATA ?? '')
    assert.ok(!left.includes('campus.lock'), String(left))
  })

  test('the next start prints the same application, and the commands still work', { skip: NO_CURL }, async () => {
    const next = await serve([], env)
    assert.equal(secretIn(next.text), secretIn(server.text))
    assert.equal(JSON.parse(await paste(next.text)).length, 3)
    server = next
  })

  test('a server that was killed leaves nothing that stops the next, which says how to get another secret where it was changed', {
    skip: NO_CURL,
  }, async () => {
    const uid = idIn(server.text) ?? ''
    await runCampus(['app', 'rotate-secret', uid], env)
    server.child.kill('SIGKILL')
    await server.outcome
    server = await serve([], env)
    assert.equal(secretIn(server.text), undefined)
    assert.ok(server.text.includes(`npm run -s campus -- app rotate-secret ${uid}`), server.text)
    assert.ok(!server.text.includes('curl'))
    assert.equal((await runCampus(['app', 'list'], env)).code, 0)
    await stop(server, 'SIGINT')
  })
})

describe('campus serve --empty', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let server: Server
  before(async () => {
    folder = await temporaryFolder()
    await giveCluster(join(folder.path, 'data'), 'empty')
    const flags = ['--port', String(await freePort()), '--host', '127.0.0.1', '--data', join(folder.path, 'data')]
    server = await serve(['--empty', ...flags], { CAMPUS_PORT: '1', CAMPUS_DATA: '/nowhere', CAMPUS_HOST: 'nowhere' })
  })
  after(async () => {
    server.child.kill('SIGKILL')
    await server.outcome
    await folder.remove()
  })

  const env = () => ({ CAMPUS_DATA: join(folder.path, 'data') })

  test('leaves the database empty, and says how to begin', async () => {
    assert.match(server.text, /npm run -s campus -- app create --name NAME/)
    assert.match(
      server.text,
      /first account of an administrator.*\n {2}https:\/\/localhost:\d+\/welcome\?token=[\w-]{43}$/m,
    )
    assert.deepEqual(JSON.parse((await runCampus(['app', 'list', '--json'], env())).stdout), { applications: [] })
    await assert.rejects(stat(join(folder.path, 'data', 'demo-credentials.json')), { code: 'ENOENT' })
  })

  test('its flags go before the variables', () => {
    assert.match(server.text, /^Campus Intranet serves https:\/\/localhost:\d{2,5}$/m)
  })

  test('two signals of one Ctrl-C, as npm passes them on, stop it as cleanly as one', async () => {
    server.child.kill('SIGINT')
    await stop(server, 'SIGINT')
  })
})

test('a signal that comes as soon as the address is printed stops campus serve cleanly', async () => {
  const folder = await temporaryFolder()
  await giveCluster(folder.path, 'migrated')
  const server = await serve(['--empty'], { CAMPUS_DATA: folder.path, CAMPUS_PORT: String(await freePort()) })
  await stop(server, 'SIGTERM')
  await folder.remove()
})

describe('campus serve with certificate files', () => {
  test('serves the replaced files after SIGHUP, and keeps the former ones when those are damaged; waits for a running request at the first Ctrl-C, and ends at the second', {
    skip: NO_CURL,
  }, async () => {
    const folder = await temporaryFolder()
    const file = (name: string) => join(folder.path, name)
    const [former, next] = await Promise.all(['1', '2'].map((name) => loadTls({ data: file(name), tls: undefined })))
    const put = async (tls = former) => {
      await writeFile(file('cert.pem'), tls?.cert ?? '')
      await writeFile(file('key.pem'), tls?.key ?? '')
    }
    await put(former)
    const port = await freePort()
    const files = { CAMPUS_TLS_CERT: file('cert.pem'), CAMPUS_TLS_KEY: file('key.pem') }
    await giveCluster(file('data'), 'migrated')
    const server = await serve(['--empty'], { CAMPUS_DATA: file('data'), CAMPUS_PORT: String(port), ...files })
    const isServed = (tls = former) =>
      run('curl', [
        '-s',
        '--cacert',
        tls === former ? file('1/tls/cert.pem') : file('2/tls/cert.pem'),
        `https://localhost:${port}/`,
      ])
        .then(() => true)
        .catch(() => false)
    assert.equal(await isServed(former), true)

    await put(next)
    server.child.kill('SIGHUP')
    while (!(await isServed(next))) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(await isServed(former), false)

    await writeFile(file('key.pem'), former?.key ?? '')
    const complaint = new Promise((resolve) => server.child.stderr?.once('data', (data) => resolve(String(data))))
    server.child.kill('SIGHUP')
    assert.match(String(await complaint), /^CAMPUS_TLS_KEY must name .* The former certificate stays\.\n$/)
    assert.equal(await isServed(next), true)

    const client = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    client.on('error', () => {})
    const head = ['POST /oauth/token HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 9']
    client.write([...head, '', ''].join('\r\n'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    server.child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 800))
    assert.equal(server.child.exitCode, null)
    server.child.kill('SIGINT')
    assert.equal((await server.outcome).code, 1)
    await assert.rejects(stat(file('data/tls')), { code: 'ENOENT' })
    await folder.remove()
  })
})

describe('campus serve that cannot start', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
    await giveCluster(join(folder.path, 'data'), 'migrated')
  })
  after(() => folder.remove())

  for (const [what, env, message] of [
    ['a wrong port', { CAMPUS_PORT: 'https' }, /^CAMPUS_PORT must be a whole number/],
    ['an address of another machine', { CAMPUS_HOST: '192.0.2.1' }, /^CAMPUS_HOST must be an address of this machine/],
    // Node's recursive mkdir never ends there.
    ['a data folder below /proc', { CAMPUS_DATA: '/proc/campus' }, /^CAMPUS_DATA must be a folder that can be/],
    ['a file folder below /proc', { CAMPUS_FILES: '/proc/a/b' }, /^CAMPUS_FILES must be a folder that can be/],
    ['a file folder below a file', { CAMPUS_FILES: '/etc/passwd/files' }, /^CAMPUS_FILES must be a folder that can be/],
    ['a host name that nobody knows', { CAMPUS_HOST: 'campus.invalid' }, /^CAMPUS_HOST must be an address/],
    [
      'a missing certificate',
      { CAMPUS_TLS_CERT: '/none', CAMPUS_TLS_KEY: '/none' },
      /^CAMPUS_TLS_CERT must name a file/,
    ],
  ] as const) {
    test(`${what} is a message that names the variable, and leaves the folder free`, async () => {
      const data = { CAMPUS_DATA: join(folder.path, 'data'), CAMPUS_LOG_LEVEL: 'silent' }
      const { code, stdout, stderr } = await runCampus(['serve', '--empty'], { ...data, ...env })
      assert.match(stderr, message)
      assert.equal(stderr.trimEnd().split('\n').length, 1)
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
      await assert.rejects(readFile(join(folder.path, 'data', 'campus.lock')), { code: 'ENOENT' })
    })
  }

  const plain = { CAMPUS_TLS: 'off', CAMPUS_BASE_URL: 'https://campus.example' }
  for (const [address, more] of [
    ['127.0.0.1', {}],
    ['::1', {}],
    ['127.0.0.1', plain],
    ['::1', plain],
  ] as const) {
    const how = more === plain ? ' without TLS' : ''
    test(`a start${how} ends, naming CAMPUS_PORT and the address, if another program has it on ${address}`, async () => {
      const other = createServer()
      await new Promise<void>((resolve) => other.listen(0, address, resolve))
      const port = String((other.address() as { port: number }).port)
      const env = { CAMPUS_DATA: join(folder.path, 'data'), CAMPUS_PORT: port, CAMPUS_LOG_LEVEL: 'silent', ...more }
      const { code, stderr } = await runCampus(['serve', '--empty'], env)
      other.close()
      const where = `port ${port} of ${address}, which is an address of CAMPUS_HOST (localhost)`
      assert.equal(stderr, `CAMPUS_PORT must be a free port; another program has ${where}.\n`)
      assert.equal(code, 1)
    })
  }
})

describe('campus serve on a PostgreSQL server', () => {
  test('several that start together on a new database fill it once, --like-the-network with what public programs know', {
    skip: NO_CURL,
  }, async () => {
    const [database, folder] = [await testDatabase(), await temporaryFolder()]
    const start = async (name: string) =>
      serve(['--like-the-network'], {
        DATABASE_URL: database.url,
        CAMPUS_PROCESSES: '1',
        CAMPUS_DATA: join(folder.path, name),
        CAMPUS_SECRET_KEY: 'ab'.repeat(32),
        CAMPUS_PORT: String(await freePort()),
      })
    const servers = await Promise.all([start('one'), start('two')])
    const [first, ...others] = servers.filter(({ text }) => secretIn(text))
    assert.deepEqual(others, [])
    const project = JSON.parse(await paste(String(first?.text.replaceAll('/v2/users?per_page=3', '/v2/projects/1314'))))
    assert.deepEqual([project.id, project.slug], [1314, '42cursus-libft'])
    const names = (await database.rows('select name from applications')).map(([name]) => name)
    assert.equal(names.filter((name) => name === 'Demonstration').length, 1)
    assert.equal(new Set(names).size, names.length)
    assert.deepEqual(await database.rows('select count(*) from users'), [['600']])
    for (const server of servers) await stop(server)
    await database.close()
    await folder.remove()
  })
})
