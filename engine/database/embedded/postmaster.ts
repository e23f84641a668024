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

export type Postmaster = {
  /** Resolves to the last output when the server has ended. */
  readonly ended: Promise<string>
  /** Stops the server, cleanly if possible. Its clients may end within some milliseconds first, and no new ones are accepted. */
  stop(clientsMilliseconds: number): Promise<void>
}

type Dependencies = Omit<Programs, 'major'> & {
  readonly cluster: string
  readonly settings: Readonly<Record<string, string>>
  readonly logFile: string
  readonly onStarting?: (() => void) | undefined
}

/** Starts a server. Resolves when it accepts connections. Rejects with its output if it ends before. */
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
  // Listens immediately, since the server may end at once.
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

async function openLog(path: string) {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  const isTooLarge = size > LARGEST_LOG_BYTES
  const file = await open(path, isTooLarge ? 'w' : 'a', 0o600)
  return {
    fd: file.fd,
    close: () => file.close(),
    read: async () =>
      (await readFile(path))
        .subarray(isTooLarge ? 0 : size)
        .toString()
        .trim(),
  }
}

const READY_LINE = 7

/** The server writes its state into this file. Recovery may take long. */
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
 * Stops the server when this process ends in any way, including `kill -9`: a shell waits for the end of a pipe that only this process
 * holds. Returns a function that ends the shell.
 */
function setWatchdog(pid: number): () => void {
  if (process.platform === 'win32') return () => {} // The next start ends leftovers.
  const script = 'read -r dismissed || kill -INT "$1"'
  const shell = spawnAs(OURSELVES, ['/bin/sh', '-c', script, 'sh', String(pid)], ['pipe', 'ignore', 'ignore'])
  shell.on('error', () => {}) // Works like Windows without a shell.
  shell.unref()
  const pipe = shell.stdin
  pipe?.on('error', () => {})
  if (pipe instanceof Socket) pipe.unref()
  return () => pipe?.end('dismissed\n')
}

/** Signals for a fast, an immediate and a forced stop, each with its time limit. */
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

/** Windows has no signals, so PostgreSQL's own tool stops the server. */
async function stopOnWindows(binaries: string, cluster: string): Promise<void> {
  await runAs(OURSELVES, [join(binaries, executable('pg_ctl')), 'stop', '-D', cluster, '-m', 'fast', '-w'])
}
