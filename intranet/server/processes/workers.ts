import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMilliseconds } from '@campus/engine/base/backoff'
import { toError } from '@campus/engine/base/caught'
import { Handovers } from './handovers.ts'
import { type Answer, IpcChannel } from './ipc-channel.ts'

type Options<Last> = {
  readonly count: number
  /** Arguments with which this program is a worker. */
  readonly words: readonly string[]
  /** Answers to the questions of workers, by subject. */
  readonly answers: Readonly<Record<string, Answer>>
  /** Called when a worker has ended. `said` is its last message if it was asked to end. */
  readonly onEnded: (worker: object, said: Last | undefined) => void
  /** Called for workers that died or could not start. */
  readonly onWarning: (message: string) => void
  /** Interval between two checks that a worker still answers. */
  readonly pulseMilliseconds?: number
}

/** A running process. */
type Started<Last> = {
  readonly worker: Worker
  readonly channel: IpcChannel
  /** Resolves to how it ended. */
  readonly ended: Promise<string>
  /** Whether it was asked to end. */
  isDismissed: boolean
  /** Its answer to the last command. */
  said: Last | undefined
}

type WorkerSlot<Last> = {
  started: Started<Last> | undefined
  /** Number of consecutive failures. */
  failures: number
}

const BACKOFF = { first: 100, max: 5_000 }
/** A worker that ran for this long was healthy, so its next failure is a new one. */
const WELL_AFTER_MILLISECONDS = 60_000
/** Unanswered checks after which a worker counts as hanging. Counting checks rather than time survives a suspended machine. */
const MAX_UNANSWERED_PULSES = 12
const PULSE_MILLISECONDS = 5_000
const STOP_TIMEOUT_SECONDS = 30
/** Time that a replaced worker has to finish its requests, such as large downloads. */
const RETIRE_TIMEOUT_SECONDS = 3_600
/** Time after which the next worker is replaced. */
const ROLL_TIMEOUT_SECONDS = 30

/**
 * Worker processes that run this program again and share its listening sockets: connections are assigned in turn, and
 * to another worker where one accepts no more. A worker that dies is started again. A worker asks `begin` for the
 * values that it starts with, then sends `ready` or `failed`. It answers `pulse` unless its event loop is blocked. It is asked to
 * `drain`, to `stop`, or to `retire`, which means without haste, as others serve, and at last to `exit`. Workers end when this
 * process ends, however it does.
 */
export class Workers<Ready, Last> {
  readonly #options: Options<Last>
  readonly #slots: readonly WorkerSlot<Last>[]
  readonly #living = new Set<Started<Last>>()
  readonly #handovers = new Handovers()
  readonly #stopping = new AbortController()
  #rolling: Promise<void> | undefined
  #isToRollAgain = false

  constructor(options: Options<Last>) {
    this.#options = options
    this.#slots = Array.from({ length: options.count }, () => ({
      started: undefined,
      failures: 0,
    }))
    // Left to the system, most connections go to one worker, and a closed one takes its queue along.
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({ args: [...options.words] })
  }

  /** Starts all workers. Resolves to their ready messages. Rejects if one fails, after all have ended. */
  async start(): Promise<Ready[]> {
    const starts = await Promise.allSettled(this.#slots.map((slot) => this.#fill(slot)))
    const failed = starts.find((start) => start.status === 'rejected')
    if (failed) {
      await this.stop()
      throw failed.reason
    }
    return starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  }

  /** Number of processes that have not ended. */
  get living(): number {
    return this.#living.size
  }

  /** Asks all serving workers. Omits those that do not answer in time. */
  async askAll<T>(subject: string, milliseconds: number): Promise<Map<object, T>> {
    const answers = new Map<object, T>()
    const asked = [...this.#living].filter(({ isDismissed }) => !isDismissed)
    const all = Promise.all(
      asked.map(async (one) => {
        const answer = await one.channel.ask<T>(subject).catch(() => undefined)
        if (answer !== undefined) answers.set(one, answer)
      }),
    )
    await Promise.race([all, sleep(milliseconds, undefined, { ref: false })])
    return new Map(answers)
  }

  /**
   * Replaces one worker after the other. Each new one serves before the former stops. Rejects if a new one does not start, and
   * the present ones stay.
   */
  roll(): Promise<void> {
    if (this.#rolling) this.#isToRollAgain = true
    this.#rolling ??= this.#rollAll().finally(() => {
      this.#rolling = undefined
    })
    return this.#rolling
  }

  /** Asks all workers to report that they are not ready, and to serve on for this time. */
  async drain(seconds: number): Promise<void> {
    const living = [...this.#living]
    for (const { channel } of living) void channel.ask('drain').catch(() => {})
    await sleep(seconds * 1000)
  }

  /** Asks all workers to stop, and kills those that do not. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([...this.#living].map((one) => this.#dismiss(one, 'stop', STOP_TIMEOUT_SECONDS)))
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #rollAll(): Promise<void> {
    do {
      this.#isToRollAgain = false
      for (const slot of this.#slots) if (!this.#isStopping) await this.#replace(slot)
    } while (this.#isToRollAgain && !this.#isStopping)
  }

  async #replace(slot: WorkerSlot<Last>): Promise<void> {
    const former = slot.started
    // It has just died, and its replacement is new.
    if (!former) return
    await this.#fill(slot)
    await Promise.race([former.ended, sleep(ROLL_TIMEOUT_SECONDS * 1000, undefined, { ref: false })])
  }

  /** Starts a worker in a slot and replaces the present one. Resolves to its ready message. Rejects if it fails. */
  async #fill(slot: WorkerSlot<Last>): Promise<Ready> {
    const { started, ready } = this.#launch()
    const said = await ready
    const former = slot.started
    slot.started = started
    void this.#watch(slot, started)
    if (former) void this.#dismiss(former, 'retire', RETIRE_TIMEOUT_SECONDS)
    return said
  }

  #launch(): { readonly started: Started<Last>; readonly ready: Promise<Ready> } {
    const worker = cluster.fork()
    this.#handovers.follow(worker)
    const channel = new IpcChannel(worker)
    const ended = endOf(worker)
    const started: Started<Last> = { worker, channel, ended, isDismissed: false, said: undefined }
    this.#living.add(started)
    void ended.then(() => {
      this.#living.delete(started)
      this.#options.onEnded(started, started.said)
    })
    for (const [subject, answer] of Object.entries(this.#options.answers)) channel.answer(subject, answer)
    this.#watchPulse(started)
    const ready = new Promise<Ready>((resolve, reject) => {
      channel.answer('ready', (said: Ready) => resolve(said))
      channel.answer('failed', (message: string) => reject(new Error(message)))
      void ended.then((how) => reject(new Error(`A process ended before it served (${how}).`)))
    })
    return { started, ready }
  }

  /** Kills a hanging worker, so that another takes its place. */
  #watchPulse({ worker, channel, ended }: Started<Last>): void {
    let unanswered = 0
    const timer = setInterval(() => {
      if (unanswered === MAX_UNANSWERED_PULSES) {
        this.#options.onWarning(`Process ${worker.process.pid} does not answer and is killed.`)
        worker.process.kill('SIGKILL')
      }
      unanswered += 1
      const onAnswer = () => {
        unanswered = 0
      }
      void channel.ask('pulse').then(onAnswer, onAnswer)
    }, this.#options.pulseMilliseconds ?? PULSE_MILLISECONDS)
    timer.unref()
    void ended.then(() => clearInterval(timer))
  }

  /** Restarts the worker unless it is dismissed. */
  async #watch(slot: WorkerSlot<Last>, started: Started<Last>): Promise<void> {
    const startedAt = performance.now()
    const how = await started.ended
    if (started.isDismissed || this.#isStopping) return
    if (slot.started === started) slot.started = undefined
    this.#options.onWarning(`Process ${started.worker.process.pid} ended (${how}) and is started again.`)
    slot.failures = performance.now() - startedAt > WELL_AFTER_MILLISECONDS ? 0 : slot.failures + 1
    await this.#restart(slot)
  }

  async #restart(slot: WorkerSlot<Last>): Promise<void> {
    while (!this.#isStopping && !slot.started) {
      if (slot.failures > 0) await pause(slot.failures - 1, this.#stopping.signal)
      if (this.#isStopping || slot.started) return
      try {
        await this.#fill(slot)
      } catch (error) {
        slot.failures += 1
        if (!this.#isStopping) this.#options.onWarning(`${toError(error).message} It is tried again.`)
      }
    }
  }

  async #dismiss(started: Started<Last>, how: 'stop' | 'retire', timeoutSeconds: number): Promise<void> {
    started.isDismissed = true
    const kill = () => started.worker.process.kill('SIGKILL')
    const timer = setTimeout(kill, timeoutSeconds * 1000)
    try {
      started.said = await started.channel.ask(how)
      // The worker has returned unaccepted connections before it receives this. It does not answer.
      void started.channel.ask('exit').catch(() => {})
    } catch {
      kill()
    }
    await started.ended
    clearTimeout(timer)
  }
}

function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve(error.message)
    })
  })
}

const pause = (attempt: number, signal: AbortSignal) =>
  sleep(backoffMilliseconds(attempt, BACKOFF), undefined, { signal }).catch(() => {})
