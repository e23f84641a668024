import { toError } from '@campus/engine/base/caught'

/** One end of a channel: a `process`, or a `Worker` of `node:cluster`. */
type Port = {
  send?(message: Message<unknown>, callback: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: Message<never>) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
}

type Question<Value> = readonly [number: number, subject: string, value: Value]
type Reply<Value> = readonly [number: number, error: string | null, value: Value]
/** The recipient knows the type of the values; the compiler does not. */
type Message<Value> = { readonly questions: readonly Question<Value>[]; readonly replies: readonly Reply<Value>[] }
type Pending = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }

/** Answers questions of one subject. */
export type Answer = (value: never) => unknown

/**
 * Requests and replies between two processes. Messages of one turn of the event loop are sent as one, since a message costs
 * far more than its contents.
 */
export class IpcChannel {
  readonly #port: Port
  readonly #answering = new Map<string, Answer>()
  readonly #pending = new Map<number, Pending>()
  #number = 0
  #questions: Question<unknown>[] = []
  #replies: Reply<unknown>[] = []
  #isCut = false

  constructor(port: Port) {
    this.#port = port
    port.on('message', (message) => this.#receive(message))
    port.on('disconnect', () => this.#cut())
  }

  /** Rejects if the other process refuses or has ended. */
  ask<T>(subject: string, value?: unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isCut) return reject(closedError())
      const number = ++this.#number
      this.#pending.set(number, { resolve, reject })
      this.#schedule()
      this.#questions.push([number, subject, value])
    })
  }

  /** Sets the function that answers the questions of the other process about a subject. */
  answer(subject: string, answering: Answer): void {
    this.#answering.set(subject, answering)
  }

  #receive({ questions, replies }: Message<never>): void {
    for (const question of questions) void this.#reply(question)
    for (const [number, error, value] of replies) {
      const pending = this.#pending.get(number)
      this.#pending.delete(number)
      if (error === null) pending?.resolve(value)
      else pending?.reject(new Error(error))
    }
  }

  async #reply([number, subject, value]: Question<never>): Promise<void> {
    const reply = await this.#answerOf(subject, value).then(
      (found): Reply<unknown> => [number, null, found],
      (error): Reply<unknown> => [number, toError(error).message, null],
    )
    this.#schedule()
    this.#replies.push(reply)
  }

  async #answerOf(subject: string, value: never): Promise<unknown> {
    const answering = this.#answering.get(subject)
    if (!answering) throw new Error(`Nobody answers questions of "${subject}".`)
    return answering(value)
  }

  #schedule(): void {
    if (this.#questions.length + this.#replies.length === 0) setImmediate(() => this.#send())
  }

  #send(): void {
    const message = { questions: this.#questions, replies: this.#replies }
    this.#questions = []
    this.#replies = []
    if (this.#isCut) return
    this.#port.send?.(message, (error) => {
      if (error) this.#cut()
    })
  }

  /** Called when the other process has ended. */
  #cut(): void {
    this.#isCut = true
    for (const { reject } of this.#pending.values()) reject(closedError())
    this.#pending.clear()
  }
}

const closedError = () => new Error('The other process is gone.')
