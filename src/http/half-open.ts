import type { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { listenersOf } from './listeners.ts'

/**
 * Answers a client of HTTP/1.1 that says with its request that it has nothing more to send. Only established
 * connections of HTTP/1.1 may stay half-open: nothing ends the others, once the client has.
 */
export function answerHalfClosed(app: FastifyInstance): void {
  app.addHook('onListen', async () => {
    for (const server of listenersOf(app)) {
      Object.assign(server, { httpAllowHalfOpen: true })
      // Those of plain HTTP may from the first.
      server.on('secureConnection', (socket: TLSSocket) => {
        if (socket.alpnProtocol !== 'h2') socket.allowHalfOpen = true
      })
    }
  })
}
