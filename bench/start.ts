/**
 * How long `campus serve` takes to start on a data folder that is in use, embedded database included, beside a bare Node that
 * does nothing, and how much memory `npm start` takes in all at rest, right after load and a minute later: the shares of npm, the
 * service and PostgreSQL in physical memory (PSS). Of a start of the database only the waiting counts. Needs Linux.
 *
 *   node bench/start.ts [--rounds N] [--seconds N] [--json]
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { freePort } from '@campus/test/support/free-port'
import { measure } from './load.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
    rest: { type: 'string', default: '75' },
    json: { type: 'boolean', default: false },
  },
})
const ROOT = join(import.meta.dirname, '..')
const CAMPUS = join(ROOT, 'build/campus.js')
const CONNECTIONS = 16
/** The service releases unused memory within a minute. */
const REST_SECONDS = Number(values.rest)
/** Tick of the kernel's processor clock. */
const TICK_MILLISECONDS = 10
const NO_LIMIT = 2_000_000_000
/** Aims for a start on a machine where bare Node starts in `bareMilliseconds`. Memory is in MiB. */
const AIMS = { startMilliseconds: 600, bareMilliseconds: 40, idle: 300, loaded: 450 }

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'campus-bench-'))
const port = await freePort()
const env = { ...process.env, CAMPUS_DATA: folder, CAMPUS_PORT: String(port), CAMPUS_LOG_LEVEL: 'warn' }
delete (env as { DATABASE_URL?: string }).DATABASE_URL

try {
  console.log(await show())
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function show(): Promise<string> {
  await stop(await start()) // Makes the database, and the compiled code is stored.
  const starts: Measured[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) starts.push(await measureStart())
  const middle = (of: (one: Measured) => number) => median(starts.map(of))
  const figures = {
    bareMilliseconds: middle(({ bare }) => bare),
    startMilliseconds: middle(({ ready }) => ready),
    ratio: middle(({ bare, ready }) => ready / bare),
    processorMilliseconds: middle(({ processor }) => processor),
    ...(await measureMemory()),
  }
  const aims = { ratio: AIMS.startMilliseconds / AIMS.bareMilliseconds, ...AIMS }
  if (values.json) return JSON.stringify({ figures, aims })
  return [
    `a start: ${Math.round(figures.startMilliseconds)} ms, bare Node: ${Math.round(figures.bareMilliseconds)} ms, ratio ${figures.ratio.toFixed(1)} (aim ${aims.ratio.toFixed(1)}), processor time ${Math.round(figures.processorMilliseconds)} ms`,
    `memory of npm start in all: ${figures.idle} MiB at rest (aim ${AIMS.idle}), ${figures.loaded} MiB after load (aim ${AIMS.loaded}), ${figures.afterwards} MiB at rest again`,
  ].join('\n')
}

type Measured = {
  readonly bare: number
  readonly ready: number
  readonly processor: number
}

async function measureStart(): Promise<Measured> {
  const bare = await timeOf(() => run(process.execPath, ['-e', '0']))
  let child: ChildProcess | undefined
  const ready = await timeOf(async () => {
    child = await start()
  })
  const server = child as ChildProcess
  const processor = await processorMillisecondsOf(server)
  await stop(server)
  return { bare, ready, processor }
}

/** At rest, after pages of users on many connections, and at rest again. */
async function measureMemory() {
  const server = await start('npm', ['start', '--silent'])
  const rest = async () => {
    await sleep(REST_SECONDS * 1000)
    return sharesOf(server)
  }
  const idle = await rest()
  const flags = ['--name', 'Benchmark', '--rate-per-second', String(NO_LIMIT), '--rate-per-hour', String(NO_LIMIT)]
  const { stdout } = await run(process.execPath, [CAMPUS, 'app', 'create', '--json', ...flags], { env })
  const { uid, secret } = JSON.parse(stdout)
  const url = `https://127.0.0.1:${port}`
  const token = await run('curl', [
    ...['-sk', `${url}/oauth/token`, '-d', 'grant_type=client_credentials'],
    ...['-d', `client_id=${uid}`, '-d', `client_secret=${secret}`],
  ])
  const headers = { authorization: `Bearer ${JSON.parse(token.stdout).access_token}` }
  const paths = ['/v2/users?per_page=30', '/v2/users/1', '/v2/locations?per_page=30', '/v2/scale_teams?per_page=30']
  const asked = paths.map((path) => ({ path }))
  await measure({ target: { url, headers }, asked }, { connections: CONNECTIONS, seconds: Number(values.seconds) })
  const loaded = await sharesOf(server)
  const afterwards = await rest()
  await stop(server)
  return { idle, loaded, afterwards }
}

/** Starts the service, and resolves when it serves. */
async function start(command = process.execPath, args: readonly string[] = [CAMPUS, 'serve']): Promise<ChildProcess> {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('Campus Intranet serves') && resolve())
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return child
}

/** Sends SIGINT to npm and the service, as Ctrl-C does. */
async function stop(child: ChildProcess): Promise<void> {
  const below = await treeOf(child)
  process.kill(-Number(child.pid), 'SIGINT')
  while (below.some((pid) => existsSync(`/proc/${pid}`))) await sleep(50)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

async function processorMillisecondsOf({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MILLISECONDS
}

/** Returns the ids of the process and of its descendants. */
async function treeOf({ pid }: ChildProcess): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((id) => id > 0)
  const parents = await Promise.all(pids.map(async (id) => [id, await parentOf(id)] as const))
  const tree = new Set([pid])
  // Iteration over a set includes elements that are added meanwhile.
  for (const above of tree) for (const [one, parent] of parents) if (parent === above) tree.add(one)
  return [...tree].filter((one) => one !== undefined)
}

async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, parent] = /^PPid:\s+(\d+)/m.exec(status) ?? []
  return parent === undefined ? undefined : Number(parent)
}

/** Returns the physical memory of the process and its descendants in MiB. Shared pages count once. */
async function sharesOf(child: ChildProcess): Promise<number> {
  let kilobytes = 0
  for (const pid of await treeOf(child)) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  }
  return Math.round(kilobytes / 1024)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] as number
}
