import type { buildConnector } from 'undici'

const STATUS_LINE = Buffer.from('HTTP/1.1 100')
const END = Buffer.from('\r\n\r\n')

/**
 * Drops each interim answer `100 Continue` before the HTTP client reads it. Receivers may send one unasked (RFC 9110 §15.2), and the
 * client would end the connection.
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

/** Skips interim answers at the beginning of an answer. Reads each byte once, whatever the size of the chunks. */
class Skipping {
  /** Bytes of the status line that have been read. They are held back until the line is known. */
  #matched = 0
  /** Number of bytes of the end of the fields that were read last. */
  #ended = 0
  #isOver = false

  /** Returns the bytes that are passed on, or null if there are none yet. */
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
