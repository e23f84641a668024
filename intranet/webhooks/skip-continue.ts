import type { buildConnector } from 'undici'

const STATUS_LINE = Buffer.from('HTTP/1.1 100')
const END = Buffer.from('\r\n\r\n')

/**
 * Drops interim answers `100 Continue`, which servers may send unasked (RFC 9110 §15.2). The HTTP client would end the
 * connection.
 */
export function skipContinue(connect: buildConnector.connector): buildConnector.connector {
  return (target, done) => {
    connect(target, (...[error, socket]) => {
      if (error) return done(error, null)
      const read = socket.read.bind(socket)
      let sent = -1
      let skipping = new Skipping()
      socket.read = (size?: number): Buffer | null => {
        if (socket.bytesWritten !== sent) {
          // Another request was sent on the connection.
          sent = socket.bytesWritten
          skipping = new Skipping()
        }
        const chunk: Buffer | null = read(size)
        return chunk && skipping.take(chunk)
      }
      done(null, socket)
    })
  }
}

/** Skips interim answers at the beginning of an answer. Reads each byte once. */
class Skipping {
  /** Bytes of the status line that have been read, held back until the line is complete. */
  #matched = 0
  /** Bytes of the end of the fields that were read last. */
  #ended = 0
  #isOver = false

  /** Returns the bytes to pass on, or null if there are none yet. */
  take(chunk: Buffer): Buffer | null {
    if (this.#isOver) return chunk
    for (const [at, byte] of chunk.entries()) {
      if (this.#matched === STATUS_LINE.length) this.#skip(byte)
      else if (byte === STATUS_LINE[this.#matched]) this.#matched += 1
      else {
        this.#isOver = true
        const rest = chunk.subarray(at)
        return this.#matched === 0 ? rest : Buffer.concat([STATUS_LINE.subarray(0, this.#matched), rest])
      }
    }
    return null
  }

  #skip(byte: number): void {
    if (byte === END[this.#ended]) this.#ended += 1
    else this.#ended = byte === END[0] ? 1 : 0
    if (this.#ended < END.length) return
    this.#matched = 0
    this.#ended = 0
  }
}
