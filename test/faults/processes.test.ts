/** A service of several processes: each may die or be replaced, and what is counted is counted once for all. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { clientOf, trusting } from '../support/client.ts'
import { runCampus } from '../support/run-campus.ts'
import { runCommand } from '../support/run-command.ts'
import { until } from '../support/until.ts'
import { type Called, keepCalling, onNewConnections, onOneConnection, onOneSession } from './callers.ts'
import { type Campus, emptyCampus, type ServerProcess } from './server-process.ts'

/** `npm run test:release` asks for three. */
const PROCESSES = Number(process.env.CAMPUS_TEST_PROCESSES ?? 2)

type Line = { readonly pid: number; readonly msg?: string; readonly path?: string }

/** A server, what it logs, and who calls it. */
type Service = ServerProcess & {
  readonly lines: Line[]
  readonly called: Called
  /** The processes that have begun to serve, the oldest first. */
  begun(): number[]
  stderr(): string
}

async function start(campus: Campus): Promise<Service> {
  const lines: Line[] = []
  const server = await campus.start()
  let [text, stderr] = ['', '']
  server.child.stdout?.on('data', (data) => {
    text += data
    const parts = text.split('\n')
    text = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('{')) lines.push(JSON.parse(part))
  })
  server.child.stderr?.on('data', (data) => {
    stderr += data
  })
  const ca = await readFile(join(String(campus.env.CAMPUS_DATA), 'tls/cert.pem'), 'utf8')
  return {
    ...server,
    lines,
    called: { port: Number(campus.env.CAMPUS_PORT), ca },
    begun: () => [...new Set(lines.filter(({ msg }) => msg?.startsWith('Server listening')).map(({ pid }) => pid))],
    stderr: () => stderr,
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Which processes answer, as their log tells, by calls on connections of their own. */
async function answering({ called, lines }: Service): Promise<Set<number>> {
  const before = lines.length
  const call = onNewConnections(called, '/health')
  for (let time = 0; time < 3 * PROCESSES; time += 1) assert.equal(await call(), 200)
  const answers = () => lines.slice(before).filter(({ path }) => path === '/health')
  await until(() => answers().length >= 3 * PROCESSES)
  return new Set(answers().map(({ pid }) => pid))
}

describe('a service of several processes', () => {
  let campus: Campus
  let service: Service
  before(async () => {
    campus = await emptyCampus({
      database: 'shared',
      env: { CAMPUS_PROCESSES: String(PROCESSES), CAMPUS_LOG_LEVEL: 'info' },
    })
  })
  after(() => campus?.remove())

  it('says once what is wrong where it cannot start, and ends', async () => {
    const port = campus.env.CAMPUS_PORT
    for (const address of ['127.0.0.1', '::1']) {
      const other = createServer()
      await new Promise<void>((resolve) => other.listen(Number(port), address, resolve))
      const { code, stdout, stderr } = await runCampus(['serve', '--empty'], campus.env)
      other.close()
      const where = `port ${port} of ${address}, which is an address of CAMPUS_HOST (localhost)`
      assert.equal(stderr, `CAMPUS_PORT must be a free port; another program has ${where}.\n`)
      assert.equal(code, 1)
      // The first address is free in the second round, so that each process listens there for a moment.
      if (address === '127.0.0.1') assert.equal(stdout, '')
    }
  })

  it('answers by each of them, and the log tells which', async () => {
    service = await start(campus)
    assert.equal((await answering(service)).size, PROCESSES)
    assert.ok(!(await answering(service)).has(Number(service.child.pid)))
  })

  it('gives an application its hour once, whichever of them its requests come to', async () => {
    const words = [
      'app',
      'create',
      '--name',
      'Limited',
      '--rate-per-second',
      '100000',
      '--rate-per-hour',
      '40',
      '--json',
    ]
    const { uid, secret } = JSON.parse((await runCommand(words, campus.env)).stdout)
    const agent = trusting(service.called.ca)
    const { json } = await clientOf({ url: campus.url, agent }).post('/oauth/token', {
      grant_type: 'client_credentials',
      client_id: uid,
      client_secret: secret,
    })
    await agent.destroy()
    const call = onNewConnections(service.called, '/v2/languages', { authorization: `Bearer ${json.access_token}` })
    const before = service.lines.length
    const statuses = await Promise.all(Array.from({ length: 100 }, call))
    assert.equal(statuses.filter((status) => status === 200).length, 40)
    assert.equal(statuses.filter((status) => status === 429).length, 60)
    const calls = () => service.lines.slice(before).filter(({ path }) => path === '/v2/languages')
    await until(() => calls().length === 100)
    assert.equal(new Set(calls().map(({ pid }) => pid)).size, PROCESSES)
  })

  it('tells the metrics of all by any of them', async () => {
    const agent = trusting(service.called.ca)
    let text = ''
    // One that has no time to say what it counts is left out.
    await until(async () => {
      ;({ text } = await clientOf({ url: campus.url, agent }).get('/metrics'))
      return new RegExp(`^campus_processes ${PROCESSES}$`, 'm').test(text)
    })
    await agent.destroy()
    assert.match(text, /^# TYPE campus_deliveries_pending gauge$/m)
    assert.match(text, /^# TYPE campus_delivery_attempts_total counter$/m)
    // Counts the requests of the former test over all processes.
    const requests = (status: string) =>
      `campus_http_requests_total{method="GET",route="/v2/languages",status="${status}",caller="application"}`
    assert.ok(text.includes(`\n${requests('2xx')} 40\n`) && text.includes(`\n${requests('4xx')} 60\n`), text)
  })

  it('goes on as it is where new processes would not start, and says why', async () => {
    const former = await answering(service)
    const key = join(String(campus.env.CAMPUS_DATA), 'tls/key.pem')
    const right = await readFile(key, 'utf8')
    await writeFile(key, 'no key')
    service.child.kill('SIGHUP')
    await until(() => service.stderr().includes('The former processes stay.'))
    assert.match(service.stderr(), /^CAMPUS_DATA must name .* The former processes stay\.\n$/)
    assert.deepEqual(await answering(service), former)
    await writeFile(key, right)
  })

  it('is replaced at SIGHUP amid calls, one process after the other: none is refused, none is broken off', async () => {
    const former = await answering(service)
    const stop = keepCalling([
      ...[1, 2].map(() => onNewConnections(service.called, '/health')),
      ...[1, 2].map(() => onOneConnection(service.called, '/health')),
      onOneConnection(service.called, '/apidoc/openapi.yaml'),
      ...[1, 2].map(() => onOneSession(service.called, '/health')),
    ])
    const begun = service.begun().length
    service.child.kill('SIGHUP')
    await until(() => service.begun().length === begun + PROCESSES)
    await until(() => [...former].every((pid) => !isAlive(pid)))
    const found = await stop()
    assert.deepEqual(Object.keys(found), ['200'], JSON.stringify(found))
    const now = await answering(service)
    assert.equal(now.size, PROCESSES)
    assert.ok([...now].every((pid) => !former.has(pid)))
  })

  it('goes on when one of them is killed, and has as many as before soon', async () => {
    const former = await answering(service)
    const [killed] = former
    const begun = service.begun().length
    process.kill(Number(killed), 'SIGKILL')
    await until(() => service.begun().length === begun + 1)
    const now = await answering(service)
    assert.equal(now.size, PROCESSES)
    assert.ok(!now.has(Number(killed)))
    assert.match(service.stderr(), new RegExp(`^Process ${killed} ended \\(SIGKILL\\) and is started again\\.$`, 'm'))
  })

  it('lets a running request end at SIGTERM, and then ends with all processes', async () => {
    const pids = await answering(service)
    const socket = connect({
      ...service.called,
      host: '127.0.0.1',
      servername: 'localhost',
      ALPNProtocols: ['http/1.1'],
    })
    let answer = ''
    socket.setEncoding('utf8').on('data', (data) => {
      answer += data
    })
    const ended = new Promise((resolve) => socket.once('close', resolve))
    const body = 'grant_type=client_credentials'
    const head = ['POST /oauth/token HTTP/1.1', 'Host: localhost', 'Content-Type: application/x-www-form-urlencoded']
    const before = service.lines.length
    socket.write([...head, `Content-Length: ${body.length}`, '', body.slice(0, 5)].join('\r\n'))
    // A later request of the same process would be answered, so by now this one has come in.
    await answering(service)
    assert.equal(service.lines.slice(before).filter(({ path }) => path === '/oauth/token').length, 0)
    service.child.kill('SIGTERM')
    // A client that connects just then may get no answer until all have stopped.
    const call = onNewConnections(service.called, '/health')
    let isStopping = false
    await until(() => {
      void call().then((status) => {
        isStopping ||= status !== 200
      })
      return isStopping
    })
    socket.write(body.slice(5))
    await ended
    assert.match(answer, /^HTTP\/1\.1 401 /)
    assert.equal((await service.outcome).code, 0)
    assert.deepEqual([...pids].filter(isAlive), [])
    assert.equal(await onNewConnections(service.called, '/health')(), 'ECONNREFUSED')
  })

  it('leaves neither a process nor the port behind when the first process is killed', async () => {
    service = await start(campus)
    const pids = await answering(service)
    service.child.kill('SIGKILL')
    await service.outcome
    await until(() => [...pids].every((pid) => !isAlive(pid)))
    service = await start(campus)
    assert.equal((await answering(service)).size, PROCESSES)
    service.child.kill('SIGTERM')
    assert.deepEqual(await service.outcome.then(({ code, signal }) => ({ code, signal })), { code: 0, signal: null })
  })
})

describe('a service of two processes on the embedded database', () => {
  let campus: Campus
  let service: Service
  before(async () => {
    campus = await emptyCampus({ database: 'embedded', env: { CAMPUS_PROCESSES: '2' } })
    service = await start(campus)
  })
  after(() => campus?.remove())

  it('shares it with commands, and serves again after it was killed', async () => {
    const client = await campus.caller()
    assert.equal((await client.get('/v2/languages')).status, 200)
    await campus.killDatabase()
    await until(async () => (await client.get('/v2/languages')).status === 200)
    await until(async () => (await client.get('/health')).status === 200)
    service.child.kill('SIGTERM')
    assert.equal((await service.outcome).code, 0)
  })
})
