import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../base/defined.ts'
import { readIfPresent } from '../../base/private-files.ts'
import { executable } from './binaries.ts'
import type { Programs } from './programs.ts'
import { OURSELVES, runAs, spawnAs } from './run-as.ts'

/** A running PostgreSQL server, a child of this process. */
export type Postmaster = {
  /** Resolves when it has ended, with what it said last. */
  readonly ended: Promise<string>
  /** Ends it, cleanly if that can be. Its clients have so long to end first, and meanwhile there are no new ones. */
  stop(clientsMilliseconds: number): Promise<void>
}

type Dependencies = Omit<Programs, 'major'> & {
  readonly cluster: string
  readonly settings: Readonly<Record<string, string>>
  readonly logFile: string
  /** Called when the server has been started, while it is not ready yet. */
  readonly onStarting?: (() => void) | undefined
}

/** Starts a server on the database. Resolves when it takes connections; rejects with its complaint when it ends before. */
export async function startPostmaster({
  cluster,
  binaries,
  who,
  settings,
  logFile,
  onStarting,
}: Dependencies): Promise<Postmaster> {
  const log = await openLog(logFile)
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = join(binaries, executable('postgres'))
  const child = spawnAs(who, [program, '-D', cluster, ...flags], ['ignore', log.fd, log.fd])
  // Before anything is waited for, since it may end at once.
  const exit = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  const ended = exit.then(async (how) => (await log.read()) || `PostgreSQL ended with ${how}`)
  await once(child, 'spawn').finally(log.close)
  child.unref()
  const dismissWatchdog = setWatchdog(defined(child.pid))
  void ended.then(dismissWatchdog)
  onStarting?.()
  await untilReady(cluster, child, ended)
  const stop = (clientsMilliseconds: number) =>
    process.platform === 'win32' ? stopOnWindows(binaries, cluster) : stopBySignals(child, ended, clientsMilliseconds)
  return { ended, stop }
}

const LARGEST_LOG_BYTES = 1_048_576

/** A log that has grown large is truncated. */
async function openLog(path: string) {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  const isTooLarge = size > LARGEST_LOG_BYTES
  const file = await open(path, isTooLarge ? 'w' : 'a', 0o600)
  return {
    fd: file.fd,
    close: () => file.close(),
    /** What was written since. */
    read: async () =>
      (await readFile(path))
        .subarray(isTooLarge ? 0 : size)
        .toString()
        .trim(),
  }
}

const READY_LINE = 7

/** The server writes its state into the file with its process id. How long it takes depends on what it has to recover. */
async function untilReady(cluster: string, child: ChildProcess, ended: Promise<string>): Promise<void> {
  const isRunning = () => child.exitCode === null && child.signalCode === null
  while (isRunning()) {
    const lines = (await readIfPresent(join(cluster, 'postmaster.pid')))?.split('\n') ?? []
    if (lines[0] === String(child.pid) && lines[READY_LINE]?.trim() === 'ready') return
    await sleep(5)
  }
  throw new Error(await ended)
}

/**
 * Stops the server when this process ends in whatever way, `kill -9` included: a shell waits for the end of a pipe that
 * only we hold. Gives what sends the shell away.
 */
function setWatchdog(pid: number): () => void {
  if (process.platform === 'win32') return () => {} // The next start ends what is left.
  const script = 'read -r dismissed || kill -INT "$1"'
  const shell = spawnAs(OURSELVES, ['/bin/sh', '-c', script, 'sh', String(pid)], ['pipe', 'ignore', 'ignore'])
  shell.on('error', () => {}) // Without a shell it is as on Windows.
  shell.unref()
  const pipe = shell.stdin
  pipe?.on('error', () => {})
  if (pipe instanceof Socket) pipe.unref()
  return () => pipe?.end('dismissed\n')
}

/** Ends the sessions of clients, ends without writing everything out, is killed. */
const HARDER = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const

async function stopBySignals(child: ChildProcess, ended: Promise<unknown>, clientsMilliseconds: number): Promise<void> {
  child.ref()
  const stages = clientsMilliseconds > 0 ? ([['SIGTERM', clientsMilliseconds], ...HARDER] as const) : HARDER
  for (const [signal, timeoutMilliseconds] of stages) {
    child.kill(signal)
    const waiting = new AbortController()
    const isOver = sleep(timeoutMilliseconds, false, { signal: waiting.signal }).catch(() => false)
    const hasEnded = await Promise.race([ended.then(() => true), isOver])
    waiting.abort()
    if (hasEnded) return
  }
}

/** Windows has no signals; PostgreSQL's own tool speaks to the server there. */
async function stopOnWindows(binaries: string, cluster: string): Promise<void> {
  await runAs(OURSELVES, [join(binaries, executable('pg_ctl')), 'stop', '-D', cluster, '-m', 'fast', '-w'])
}
