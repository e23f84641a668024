/** A small process that starts a reader for each file. A fork of the service itself would stall its event loop. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type ReaderLimits = { readonly seconds: number; readonly heapMib: number }

/** A file to read: the module of the reader, and its task. */
export type ReaderTask = { readonly module: string; readonly task: object; readonly limits: ReaderLimits }

export type ToReaderHost = ({ readonly id: number } & ReaderTask) | { readonly id: number; readonly isCancelled: true }

/** The last message of a reader that has ended. */
export type FromReaderHost = { readonly id: number; readonly answer?: object; readonly wasKilled: boolean }

const readers = new Map<number, ChildProcess>()

process.on('message', (message: ToReaderHost) => {
  if ('isCancelled' in message) readers.get(message.id)?.kill('SIGKILL')
  else start(message.id, message)
})
process.on('disconnect', () => {
  for (const reader of readers.values()) reader.kill('SIGKILL')
  process.exit()
})

function start(id: number, { module, task, limits }: ReaderTask): void {
  const reader = fork(fileURLToPath(module), [JSON.stringify(task)], {
    env: {},
    execArgv: [`--max-old-space-size=${limits.heapMib}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: limits.seconds * 1_000,
    killSignal: 'SIGKILL',
  })
  let answer: object | undefined
  readers.set(id, reader)
  reader.on('message', (message: object) => {
    answer = message
  })
  const end = (wasKilled: boolean) => {
    if (readers.delete(id)) process.send?.({ id, ...(answer && { answer }), wasKilled } satisfies FromReaderHost)
  }
  reader.on('error', () => end(false))
  reader.on('close', (_, signal) => end(signal !== null))
}
