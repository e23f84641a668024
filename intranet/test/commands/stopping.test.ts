import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { loadTls } from '@campus/engine/http/tls'
import { canRun } from '@campus/test/support/can-run'
import { giveCluster } from '@campus/test/support/clusters'
import { temporaryFolder } from '@campus/test/support/folder'
import { freePort } from '@campus/test/support/free-port'
import { MAIN, runCampus, startCampus } from '@campus/test/support/run-campus'
import { until } from '@campus/test/support/until'

/** Maximum time of a start on a busy machine. */
const START_MILLISECONDS = 180_000

describe('a service that is started and stopped by hand', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let env: Record<string, string>
  const children: ChildProcess[] = []
  before(async () => {
    folder = await temporaryFolder()
  })
  after(async () => {
    for (const { pid } of children) kill(-(pid as number), 'SIGKILL')
    await folder.remove()
  })

  function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(pid, signal)
    } catch {
      return false
    }
  }

  async function prepare(name: string): Promise<void> {
    const data = join(folder.path, name)
    await giveCluster(data, 'migrated')
    env = { CAMPUS_DATA: data, CAMPUS_PORT: String(await freePort()), CAMPUS_LOG_FORMAT: 'json' }
  }

  /** Returns a function for the text that a process has printed since. */
  function printedBy(child: ChildProcess): () => string {
    children.push(child)
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => {
        printed += data
      })
    return () => printed
  }

  test('logs a certificate that has expired, and what a long stop waits for', async () => {
    await prepare('slow')
    const tls = await loadTls({ data: join(folder.path, 'former'), tls: undefined }, new Date('2020-01-01T00:00:00Z'))
    await mkdir(join(folder.path, 'files'))
    const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folder.path, 'files', name)) as [string, string]
    await writeFile(cert, tls.cert)
    await writeFile(key, tls.key)
    const child = startCampus(['serve', '--empty'], { ...env, CAMPUS_TLS_CERT: cert, CAMPUS_TLS_KEY: key })
    const printed = printedBy(child)
    await until(() => printed().includes('Ctrl-C stops it.'), START_MILLISECONDS)
    assert.match(printed(), /"end":"Mar 31 .* 2022 GMT".*"the certificate of CAMPUS_TLS_CERT has expired/)
    const client = connect({ port: Number(env.CAMPUS_PORT), host: '::1', rejectUnauthorized: false })
    client.on('error', () => {})
    const head = ['POST /oauth/token HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 9']
    client.write([...head, 'Expect: 100-continue', '', ''].join('\r\n'))
    await once(client, 'data')
    child.kill('SIGTERM')
    await until(() => printed().includes('"waitingFor":"1 request"'))
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    assert.deepEqual(await exit, [1, null])
    assert.match(printed(), /"waitingFor":"1 request".*"ended before it had stopped"/)
  })

  test('SIGTERM to npm alone stops the service that npm has started', async () => {
    await prepare('npm')
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
    const options = { env: { PATH, HOME, NODE_COMPILE_CACHE, ...env }, detached: true }
    const npm = spawn('npm', ['start', '--', '--empty'], options)
    const printed = printedBy(npm)
    await until(() => printed().includes('Ctrl-C stops it.'), START_MILLISECONDS)
    const pid = pidIn(printed())
    kill(npm.pid as number, 'SIGTERM')
    await until(() => !kill(pid, 0), 60_000)
    assert.match(printed(), /"msg":"stopped"/)
  })

  /** Runs a command in a new terminal. SIGKILL to the returned process closes the terminal. */
  function runInTerminal(line: string, more: Readonly<Record<string, string>> = {}): ChildProcess {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
    const words = ['--quiet', '--flush', '--command', line, '/dev/null']
    return spawn('script', words, { env: { PATH, HOME, NODE_COMPILE_CACHE, ...env, ...more }, detached: true })
  }

  const serveCommand = `'${process.execPath}' '${MAIN}' serve --empty`

  /** Reads the id of the process that serves from the log, to which several processes may write. */
  const pidIn = (printed: string) => Number(/"pid":(?<pid>\d+).*"msg":"serving"/.exec(printed)?.groups?.pid)
  const skip = canRun('script', '--version') ? false : 'SKIPPED: no script, which opens a terminal'

  for (const processes of ['1', '2']) {
    test(`closing the terminal stops a service with CAMPUS_PROCESSES=${processes} as SIGTERM does`, {
      skip,
    }, async () => {
      await prepare(`terminal-${processes}`)
      const terminal = runInTerminal(`exec ${serveCommand}`, { CAMPUS_PROCESSES: processes })
      const printed = printedBy(terminal)
      await until(() => printed().includes('Ctrl-C stops it.'), START_MILLISECONDS)
      const pid = pidIn(printed())
      try {
        kill(pid, 'SIGHUP')
        await until(() => printed().includes('"msg":"reloaded"'))
        kill(terminal.pid as number, 'SIGKILL')
        await until(() => !kill(pid, 0), 60_000)
      } finally {
        kill(pid, 'SIGKILL')
      }
      const data = env.CAMPUS_DATA as string
      assert.equal(existsSync(join(data, 'campus.lock')), false)
      assert.match(await readFile(join(data, 'postgresql.log'), 'utf8'), /database system is shut down\n$/)
    })
  }

  test('closing the terminal does not stop a service that nohup started', { skip }, async () => {
    await prepare('nohup')
    const file = join(folder.path, 'nohup.out')
    const terminal = runInTerminal(`nohup ${serveCommand} > '${file}' & wait`)
    printedBy(terminal)
    const written = () => readFile(file, 'utf8').catch(() => '')
    await until(async () => (await written()).includes('Ctrl-C stops it.'), START_MILLISECONDS)
    const pid = pidIn(await written())
    try {
      kill(terminal.pid as number, 'SIGKILL')
      await until(async () => (await written()).includes('"msg":"reloaded"'))
      kill(pid, 'SIGTERM')
      await until(async () => (await written()).includes('"msg":"stopped"'), 60_000)
    } finally {
      kill(pid, 'SIGKILL')
    }
  })

  test('SIGTERM stops a service whose log cannot be written', {
    skip: existsSync('/dev/full') ? false : 'SKIPPED: no /dev/full',
  }, async () => {
    await prepare('full')
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
    const options = { env: { PATH, HOME, NODE_COMPILE_CACHE, ...env }, detached: true }
    const child = spawn('sh', ['-c', `exec ${serveCommand} > /dev/full`], options)
    const printed = printedBy(child)
    const exit = once(child, 'exit')
    const health = () => runCampus(['health'], env)
    await until(async () => child.exitCode !== null || (await health()).code === 0)
    kill(child.pid as number, 'SIGTERM')
    assert.deepEqual([await exit, printed()], [[0, null], ''])
  })
})
