import type { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'

/**
 * Answers a client of HTTP/1.1 that says with its request that it has nothing more to send. Only established
 * connections of HTTP/1.1 may stay half-open: nothing ends the others, once the client has.
 */
export function answerHalfClosed(app: FastifyInstance): void {
  app.addHook('onListen', async () => {
    Object.assign(app.server, { httpAllowHalfOpen: true })
    // Sockets of plain HTTP may be half open from the first.
    app.server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol !== 'h2') socket.allowHalfOpen = true
    })
  })
}
