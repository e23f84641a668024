import type { buildConnector } from 'undici'

/** The answer of a receiver exceeds the size limit. */
export class AnswerTooLong extends Error {}

/**
 * Destroys a connection if the answer to one request exceeds `maxBytes`. A receiver could send interim answers, empty lines
 * or chunk extensions forever, since the HTTP client neither limits nor reports them.
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
