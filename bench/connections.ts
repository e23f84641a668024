/**
 * Measures how idle and slow connections affect other clients: the times of 200 requests a second, alone and beside 5,000 idle and
 * 500 slow connections, and the memory meanwhile.
 *
 *   node bench/connections.ts [--idle N] [--slow N] [--minutes N] [--alone SECONDS]
 *
 * Uses one process with the demonstration school, over TLS.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { parseArgs } from 'node:util'
import { freePort } from '@campus/test/support/free-port'
import { runCampus, startCampus } from '@campus/test/support/run-campus'
import { until } from '@campus/test/support/until'
import { Agent, request } from 'undici'

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '5000' },
    slow: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '1' },
    alone: { type: 'string', default: '20' },
  },
})
const [idle, slow, minutes] = [Number(values.idle), Number(values.slow), Number(values.minutes)]
/** How long requests are measured without other connections. */
const ALONE_SECONDS = Number(values.alone)
const PER_SECOND = 200
const WORKERS = 20
/** One of so many requests is a write. */
const WRITES = 20
const OPENING_AT_A_TIME = 50
const SAMPLE_SECONDS = 5

const folder = await mkdtemp(join(tmpdir(), 'campus-bench-'))
const port = await freePort()
const env = { CAMPUS_DATA: folder, CAMPUS_PORT: String(port), CAMPUS_LOG_LEVEL: 'error', CAMPUS_PROCESSES: '1' }
const child = startCampus(['serve'], env)
const open = new Set<TLSSocket>()
let isDone = false
try {
  await run()
} finally {
  isDone = true
  for (const socket of open) socket.destroy()
  child.kill('SIGTERM')
  await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  let started = ''
  child.stdout?.on('data', (data) => {
    started += data
  })
  await until(() => started.includes('Ctrl-C stops it.'))
  const rights = [
    '--roles',
    'Advanced Staff,Advanced Tutor',
    '--rate-per-second',
    '1000000',
    '--rate-per-hour',
    '100000000',
  ]
  const made = await runCampus(['app', 'create', '--name', 'Measuring of connections', ...rights, '--json'], env)
  const { uid, secret } = JSON.parse(made.stdout)
  const ca = await readFile(join(folder, 'tls/cert.pem'), 'utf8')
  const agent = new Agent({ connect: { ca }, connections: WORKERS })
  const url = `https://localhost:${port}`
  const answer = await request(`${url}/oauth/token`, {
    ...{ method: 'POST', dispatcher: agent, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: uid, client_secret: secret, scope: 'public' }),
  })
  const { access_token } = (await answer.body.json()) as { readonly access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const ask = async (number: number): Promise<number> => {
    const begun = performance.now()
    const isWrite = number % WRITES === 0
    const { statusCode, body } = isWrite
      ? await request(`${url}/v2/languages/1`, {
          method: 'PUT',
          dispatcher: agent,
          headers,
          body: `{"language":{"name":"Language ${number}"}}`,
        })
      : await request(
          `${url}${number % 3 ? `/v2/users/${1 + (number % 100)}` : `/v2/locations?page=${1 + (number % 30)}`}`,
          { dispatcher: agent, headers },
        )
    await body.dump()
    if (statusCode >= 300 && statusCode !== 404) throw new Error(`${statusCode}`)
    return performance.now() - begun
  }
  const alone = await load(ask, ALONE_SECONDS)
  await holdAll(ca)
  const [before, sampled] = [await memory(), sample(minutes * 60)]
  const beside = await load(ask, minutes * 60)
  const samples = await sampled
  console.log(`alone: p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms of ${alone.count} requests
beside ${idle} idle and ${slow} slow connections (${open.size} open at the end): p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms of ${beside.count} requests
memory: ${before.toFixed(0)} MiB when all were open, ${samples.at(-1)?.toFixed(0)} MiB after ${minutes} minutes; slope of the second half ${slopeOf(samples).toFixed(2)} MiB a minute`)
}

/** So many requests a second, for so long. */
async function load(ask: (number: number) => Promise<number>, seconds: number) {
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  let number = 0
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      await sleep((worker * 1000) / PER_SECOND)
      for (let next = performance.now(); next < until; next += (WORKERS * 1000) / PER_SECOND) {
        await sleep(Math.max(0, next - performance.now()))
        number += 1
        times.push(await ask(number))
      }
    }),
  )
  times.sort((one, other) => one - other)
  const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
  return { p50: quantile(0.5), p99: quantile(0.99), count: times.length }
}

/** Opens all of them; each that the service ends is opened again. */
async function holdAll(ca: string): Promise<void> {
  const kinds = [
    ...Array.from({ length: idle }, () => 'idle' as const),
    ...Array.from({ length: slow }, (_, at) => (at % 2 ? ('headers' as const) : ('body' as const))),
  ]
  for (let at = 0; at < kinds.length; at += OPENING_AT_A_TIME)
    await Promise.all(kinds.slice(at, at + OPENING_AT_A_TIME).map((kind) => hold(ca, kind)))
}

async function hold(ca: string, kind: 'idle' | 'headers' | 'body'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect({ port, host: 'localhost', ca }, () => {
    resolve()
    if (kind === 'idle') return
    socket.write(`POST /oauth/token HTTP/1.1\r\nHost: localhost\r\n`)
    if (kind === 'body') socket.write('Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{')
    const drip = setInterval(() => socket.write(kind === 'body' ? ' ' : 'X-A: b\r\n'), 1_000)
    socket.once('close', () => clearInterval(drip))
  })
  open.add(socket)
  socket.on('error', () => {}).on('data', () => {})
  socket.once('close', () => {
    open.delete(socket)
    resolve()
    if (!isDone) setTimeout(() => void hold(ca, kind), 100)
  })
  await promise
}

/** Returns the resident memory of the serving process in MiB. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function sample(seconds: number): Promise<readonly number[]> {
  const samples: number[] = []
  for (let second = 0; second < seconds; second += SAMPLE_SECONDS) {
    await sleep(SAMPLE_SECONDS * 1000)
    samples.push(await memory())
  }
  return samples
}

/** By least squares over the second half, a minute. */
function slopeOf(samples: readonly number[]): number {
  const half = samples.slice(Math.floor(samples.length / 2))
  const middle = (half.length - 1) / 2
  const mean = half.reduce((sum, one) => sum + one, 0) / half.length
  const [above, below] = half.reduce(
    ([a, b], one, at) => [a + (at - middle) * (one - mean), b + (at - middle) ** 2],
    [0, 0],
  )
  return (above / below) * (60 / SAMPLE_SECONDS)
}
