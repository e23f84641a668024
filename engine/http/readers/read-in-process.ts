import { type ChildProcess, fork } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type GenericSchema, safeParse } from 'valibot'
import { lowerPriority } from '../../base/lower-priority.ts'
import { unavailable } from '../../errors.ts'
import { FairQueue } from './fair-queue.ts'
import type { Paths } from './reader.ts'
import type { FromReaderHost, ReaderLimits, ReaderTask, ToReaderHost } from './reader-host.ts'

/** Reads one file at a time, since a reader may use half as much memory as the service. */
const queue = new FairQueue({ concurrency: 1, maxWaitingPerPerson: 2, maxWaiting: 40, seconds: 60 })

/** Exceeds the output of every reader. */
const MAX_OUTPUT_BYTES = 64 * 1_048_576
/** Ratio of elapsed time to processor time. Readers wait for processors on a busy machine. */
const ELAPSED_FACTOR = 4
const GRACE_SECONDS = 10

type Task<Answer> = {
  readonly reader: string
  readonly from: string
  readonly path: string
  readonly more: object
  readonly limits: ReaderLimits
  readonly answers: GenericSchema<unknown, Answer>
}

type Options = { readonly personId: number; readonly isBackground?: boolean; readonly signal?: AbortSignal | undefined }

/** `answer` is undefined if the reader ended without a valid one. */
export type Reading<Answer> = {
  readonly answer: Answer | undefined
  readonly wasKilled: boolean
  readonly output: Buffer | undefined
}

/**
 * Reads a file in a process with limits, so that a hostile file cannot harm the service. V8 aborts the whole process if the heap of a
 * thread is full. Throws 429 or 503 if too many files wait, and if `signal` is aborted.
 */
export function readInProcess<Answer>(task: Task<Answer>, { personId, ...options }: Options): Promise<Reading<Answer>> {
  return queue.run(personId, () => readNow(task, options.signal), options)
}

async function readNow<Answer>(
  { reader, from, path, more, limits, answers }: Task<Answer>,
  signal: AbortSignal | undefined,
): Promise<Reading<Answer>> {
  signal?.throwIfAborted()
  const output = `${path}.read`
  try {
    const paths: Paths = { path, output }
    const module = moduleBeside(from, reader)
    const readerTask = { module, task: { ...more, ...paths }, limits, elapsedSeconds: limits.seconds * ELAPSED_FACTOR }
    const { answer, wasKilled } = await host.run(readerTask, signal)
    const parsed = safeParse(answers, answer)
    return { answer: parsed.success ? parsed.output : undefined, wasKilled, output: await readOutput(output) }
  } finally {
    await rm(output, { force: true })
  }
}

async function readOutput(path: string): Promise<Buffer | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && found.size <= MAX_OUTPUT_BYTES ? readFile(path) : undefined
}

/** Sources end in `.ts`, bundles in `.js`. */
const moduleBeside = (from: string, name: string) =>
  new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from).href

type Pending = {
  readonly host: ChildProcess
  readonly resolve: (found: FromReaderHost) => void
  readonly reject: (error: unknown) => void
}

class ReaderHost {
  readonly #pending = new Map<number, Pending>()
  #child: ChildProcess | undefined
  #lastId = 0

  async run(task: ReaderTask, signal: AbortSignal | undefined): Promise<FromReaderHost> {
    const { promise, resolve, reject } = Promise.withResolvers<FromReaderHost>()
    this.#lastId += 1
    const id = this.#lastId
    const child = this.start()
    const abort = () => {
      child.send({ id, isCancelled: true } satisfies ToReaderHost, ignoreError)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), (task.elapsedSeconds + GRACE_SECONDS) * 1_000)
    this.#pending.set(id, { host: child, resolve, reject })
    child.channel?.ref()
    signal?.addEventListener('abort', abort)
    child.send({ id, ...task } satisfies ToReaderHost, ignoreError)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      this.#pending.delete(id)
      if (this.#pending.size === 0) child.channel?.unref()
    }
  }

  /** Starts the host unless it runs. It does not keep this process alive. */
  start(): ChildProcess {
    if (this.#child?.connected) return this.#child
    const child = fork(fileURLToPath(moduleBeside(import.meta.url, 'reader-host')), {
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child = child
    if (child.pid !== undefined) lowerPriority(child.pid)
    child.unref()
    child.channel?.unref()
    child.on('message', (message: FromReaderHost) => this.#pending.get(message.id)?.resolve(message))
    child.on('error', () => this.#end(child))
    child.on('exit', () => this.#end(child))
    return child
  }

  #end(child: ChildProcess): void {
    if (this.#child === child) this.#child = undefined
    for (const { host, reject } of this.#pending.values())
      if (host === child) reject(unavailable('The file could not be read right now. Send it again.', 10))
  }
}

/** After an error, the host exits, and `#end` rejects the pending reads. */
const ignoreError = () => {}

const host = new ReaderHost()

/** Starts the host while this process is small. Forking a process of 400 MiB blocks its event loop. */
export function startReaderHost(): void {
  host.start()
}
