/** A small process that starts a reader for each file. Forking the service itself would block its event loop. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export type ReaderLimits = { readonly seconds: number; readonly heapMib: number }

export type ReaderTask = {
  readonly module: string
  readonly task: object
  readonly limits: ReaderLimits
  readonly elapsedSeconds: number
}

export type ToReaderHost = ({ readonly id: number } & ReaderTask) | { readonly id: number; readonly isCancelled: true }

export type FromReaderHost = { readonly id: number; readonly answer?: object; readonly wasKilled: boolean }

const CHECK_MILLISECONDS = 250
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

const readers = new Map<number, ChildProcess>()

process.on('message', (message: ToReaderHost) => {
  if ('isCancelled' in message) readers.get(message.id)?.kill('SIGKILL')
  else start(message.id, message)
})
process.on('disconnect', () => {
  for (const reader of readers.values()) reader.kill('SIGKILL')
  process.exit()
})

function start(id: number, { module, task, limits, elapsedSeconds }: ReaderTask): void {
  const startedAt = performance.now()
  const reader = fork(fileURLToPath(module), [JSON.stringify(task)], {
    env: {},
    execArgv: [`--max-old-space-size=${limits.heapMib}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: elapsedSeconds * 1_000,
    killSignal: 'SIGKILL',
  })
  const timer = setInterval(async () => {
    const used = (await processorSecondsOf(reader)) ?? (performance.now() - startedAt) / 1_000
    if (used > limits.seconds) reader.kill('SIGKILL')
  }, CHECK_MILLISECONDS)
  let answer: object | undefined
  readers.set(id, reader)
  reader.on('message', (message: object) => {
    answer = message
  })
  const end = (wasKilled: boolean) => {
    clearInterval(timer)
    if (readers.delete(id)) process.send?.({ id, ...(answer && { answer }), wasKilled } satisfies FromReaderHost)
  }
  reader.on('error', () => end(false))
  reader.on('close', (_, signal) => end(signal !== null))
}

/** Returns the processor time of a process, or undefined if it has ended or there is no `/proc`. */
async function processorSecondsOf({ pid }: ChildProcess): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The second field is the process name in brackets, which may contain spaces. `utime` is the 14th field (proc(5)).
  const fromThird = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [userTicks, systemTicks] = fromThird?.slice(14 - 3).map(Number) ?? []
  if (userTicks === undefined || systemTicks === undefined) return undefined
  return (userTicks + systemTicks) / TICKS_PER_SECOND
}
