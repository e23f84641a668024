import type { buildConnector } from 'undici'

const STATUS_LINE = 'HTTP/1.1 100'
const END = '\r\n\r\n'

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
      let isAtStart = true
      let held = Buffer.alloc(0)
      socket.read = (size?: number): Buffer | null => {
        if (socket.bytesWritten !== sent) {
          // Another request was sent on the connection.
          sent = socket.bytesWritten
          isAtStart = true
        }
        const chunk: Buffer | null = read(size)
        if (!isAtStart || chunk === null) return chunk
        held = Buffer.concat([held, chunk])
        while (isContinue(held) && held.includes(END)) held = held.subarray(held.indexOf(END) + END.length)
        // The rest of the status line, or of its fields, is on its way.
        if (isContinue(held)) return null
        const rest = held
        held = Buffer.alloc(0)
        isAtStart = false
        return rest
      }
      done(null, socket)
    })
  }
}

/** Whether an answer is `100 Continue`, or may become one when more of it arrives. */
function isContinue(answer: Buffer): boolean {
  const line = answer.toString('latin1', 0, STATUS_LINE.length)
  return line.length < STATUS_LINE.length ? STATUS_LINE.startsWith(line) : line === STATUS_LINE
}
