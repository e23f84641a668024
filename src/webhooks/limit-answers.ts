import type { buildConnector } from 'undici'

/** The receiver sent more than it may before its answer was complete. */
export class AnswerTooLong extends Error {}

/**
 * Ends connections on which more than `maxBytes` arrive for one request. Receivers may send interim answers, empty lines
 * or extensions of chunks without end, of which the HTTP client does not tell.
 */
export function limitAnswers(connect: buildConnector.connector, maxBytes: number): buildConnector.connector {
  return (target, done) => {
    connect(target, (...[error, socket]) => {
      if (error) return done(error, null)
      let sent = socket.bytesWritten
      let received = socket.bytesRead
      let receivedBefore = received
      socket.on('readable', () => {
        if (socket.bytesWritten !== sent) {
          // Another request was sent on the connection.
          sent = socket.bytesWritten
          receivedBefore = received
        }
        received = socket.bytesRead
        if (received - receivedBefore > maxBytes) socket.destroy(new AnswerTooLong('the answer is too long'))
      })
      done(null, socket)
    })
  }
}
