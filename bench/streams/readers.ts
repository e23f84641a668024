import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { StreamTarget } from './messages.ts'

const AT_A_TIME = 25

/** Clients that read streams, each on a connection of its own. */
export class StreamReaders {
  readonly #ca: string
  readonly #target: StreamTarget
  readonly #requests: ClientRequest[] = []
  #wanted = ''
  #missing = 0
  #done: (at: number) => void = () => {}

  constructor(ca: string, target: StreamTarget) {
    this.#ca = ca
    this.#target = target
  }

  /** Resolves when all have their first event. */
  async open(count: number): Promise<void> {
    for (let opened = 0; opened < count; opened += AT_A_TIME)
      await Promise.all(
        Array.from({ length: Math.min(AT_A_TIME, count - opened) }, (_, index) => this.#open(opened + index)),
      )
  }

  /** Resolves to when the last stream has a text, in milliseconds since 1970. */
  untilAllHave(text: string): Promise<number> {
    this.#wanted = text
    this.#missing = this.#requests.length
    return new Promise((resolve) => {
      this.#done = resolve
    })
  }

  close(): void {
    for (const one of this.#requests) one.destroy()
  }

  async #open(index: number): Promise<void> {
    const { url, path, tokens } = this.#target
    const token = tokens[index % tokens.length]
    const headers = { accept: 'text/event-stream', ...(token && { authorization: `Bearer ${token}` }) }
    const call = request(url + path, { ca: this.#ca, agent: false, servername: 'localhost', headers }).end()
    call.on('error', () => {})
    this.#requests.push(call)
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`)
    response.on('error', () => {})
    await once(response, 'data')
    response.on('data', (bytes: Buffer) => {
      if (!bytes.includes(this.#wanted) || this.#wanted === '') return
      this.#missing -= 1
      if (this.#missing === 0) this.#done(performance.timeOrigin + performance.now())
    })
  }
}
