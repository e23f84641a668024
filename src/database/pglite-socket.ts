import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './pglite-worker.ts'

const TERMINATE = 0x58 // 'X', the client's goodbye: ends this stream, not the database behind it

/**
 * The embedded database as a socket that the `pg` client can speak to, so that one driver and one set of
 * sentences serve both databases. The database runs in a worker thread, where a long query does not stall
 * the event loop. There is ONE connection: whoever holds it inside a transaction holds everything.
 */
export class EmbeddedServer {
  readonly #worker: Worker
  #onBytes: (bytes: Uint8Array) => void = () => {}
  #onFailure: (error: Error) => void = () => {}
  #onClosed: () => void = () => {}

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  /** Opens the database in `folder`, or one in memory. Takes about 3 s the first time and 0.5 s later. */
  static async open(folder: string | undefined): Promise<EmbeddedServer> {
    const file = import.meta.url.endsWith('.ts') ? './pglite-worker.ts' : './pglite-worker.js'
    const worker = new Worker(new URL(file, import.meta.url), { workerData: { folder } })
    const server = new EmbeddedServer(worker)
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      worker.once('message', () => resolve())
    })
    worker.removeAllListeners('error')
    worker.on('error', (error) => server.#onFailure(error as Error))
    worker.on('message', (message: FromWorker) => {
      if ('bytes' in message) server.#onBytes(message.bytes)
      else if ('failure' in message) server.#onFailure(new Error(message.failure))
      else server.#onClosed()
    })
    return server
  }

  /** What `pg` takes as its `stream`. Only one may be in use at a time. */
  socket(): EmbeddedSocket {
    return new EmbeddedSocket(
      (bytes) => this.#send({ bytes }),
      (onBytes, onFailure) => {
        this.#onBytes = onBytes
        this.#onFailure = onFailure
      },
    )
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve
    })
    this.#send({ close: true })
    await closed
    await this.#worker.terminate()
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message)
  }
}

type Listen = (onBytes: (bytes: Uint8Array) => void, onFailure: (error: Error) => void) => void

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
    )
    setImmediate(() => this.emit('connect'))
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
