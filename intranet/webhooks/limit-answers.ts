import type { buildConnector } from 'undici'

export class AnswerTooLong extends Error {}

/**
 * Destroys a connection if the answer to one request exceeds `maxBytes`. The HTTP client does not limit interim answers, empty
 * lines and chunk extensions.
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
