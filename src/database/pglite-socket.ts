import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './pglite-worker.ts'

/** As `pg` says of a server that went away. */
const ENDED = 'Connection terminated: the embedded database ended'

const TERMINATE = 0x58 // 'X', the client's goodbye: ends this stream, not the database behind it

/**
 * The embedded database as a socket that the `pg` client can speak to, so that one driver and one set of
 * sentences serve both databases. The database runs in a worker thread, where a long query does not stall
 * the event loop. There is ONE connection: whoever holds it inside a transaction holds everything.
 */
export class EmbeddedServer {
  readonly #folder: string | undefined
  /** Undefined once it ended by itself, as it does where the disk is too full for its journal. */
  #worker: Worker | undefined
  #isClosing = false
  #onBytes: (bytes: Uint8Array) => void = () => {}
  #onFailure: (error: Error) => void = () => {}
  #onClosed: () => void = () => {}

  private constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** Opens the database in `folder`, or one in memory. Takes about 3 s the first time and 0.5 s later. */
  static async open(folder: string | undefined): Promise<EmbeddedServer> {
    const server = new EmbeddedServer(folder)
    await server.#start()
    return server
  }

  /** Opens the database unless it is open; one that ended recovers from its journal then. */
  async #start(): Promise<void> {
    if (this.#worker) return
    const file = import.meta.url.endsWith('.ts') ? './pglite-worker.ts' : './pglite-worker.js'
    const worker = new Worker(new URL(file, import.meta.url), { workerData: { folder: this.#folder } })
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error(ENDED)))
      worker.once('message', () => resolve())
    })
    worker.removeAllListeners('error').removeAllListeners('exit')
    this.#worker = worker
    worker.on('error', (error) => this.#onFailure(error as Error))
    worker.on('exit', () => {
      this.#worker = undefined
      if (!this.#isClosing) this.#onFailure(new Error(ENDED))
    })
    worker.on('message', (message: FromWorker) => {
      if ('bytes' in message) this.#onBytes(message.bytes)
      else if ('failure' in message) this.#onFailure(new Error(message.failure))
      else this.#onClosed()
    })
  }

  /** What `pg` takes as its `stream`. Only one may be in use at a time. */
  socket(): EmbeddedSocket {
    return new EmbeddedSocket(
      (bytes) => this.#send({ bytes }),
      (onBytes, onFailure) => {
        this.#onBytes = onBytes
        this.#onFailure = onFailure
        return this.#start()
      },
    )
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const worker = this.#worker
    if (!worker) return
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve
    })
    this.#send({ close: true })
    worker.once('exit', () => this.#onClosed())
    await closed
    await worker.terminate()
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }
}

type Listen = (onBytes: (bytes: Uint8Array) => void, onFailure: (error: Error) => void) => Promise<void>

class EmbeddedSocket extends Duplex {
  readonly #send: (bytes: Uint8Array) => void
  readonly #listen: Listen

  constructor(send: (bytes: Uint8Array) => void, listen: Listen) {
    super()
    this.#send = send
    this.#listen = listen
  }

  connect(): this {
    this.#listen(
      (bytes) => this.push(bytes),
      (error) => this.destroy(error),
    ).then(
      () => setImmediate(() => this.emit('connect')),
      (cause) => this.destroy(new Error(ENDED, { cause })),
    )
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#forward(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#forward(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  #forward(bytes: Buffer): void {
    if (bytes[0] === TERMINATE) this.push(null)
    else this.#send(bytes)
  }

  // What `pg` asks of a network socket and has no meaning here.
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}
