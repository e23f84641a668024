import type { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'

/** Answers HTTP/1.1 clients that half-close their connection after the request. Other connections would stay half-open forever. */
export function answerHalfClosed(app: FastifyInstance): void {
  app.addHook('onListen', async () => {
    Object.assign(app.server, { httpAllowHalfOpen: true })
    // Sockets of plain HTTP may always be half-open.
    app.server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol !== 'h2') socket.allowHalfOpen = true
    })
  })
}
