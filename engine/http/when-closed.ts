import type { IncomingMessage } from 'node:http'
import { Http2ServerRequest } from 'node:http2'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Calls `act` once, when the response has ended or the client has disconnected, or immediately if this has happened already. The
 * response's own `close` event is not enough: it may have been emitted already, and a pipelined response that waits behind another
 * does not emit it. An HTTP/2 response has no `destroyed` either.
 */
export function whenClosed(reply: FastifyReply, act: () => void): void {
  if (isClosed(reply)) {
    act()
    return
  }
  const emitters = [reply.raw, connectionOf(reply)]
  const actOnce = () => {
    for (const emitter of emitters) emitter.off('close', actOnce)
    act()
  }
  for (const emitter of emitters) emitter.once('close', actOnce)
}

/** Destroys response streams whose client has disconnected, since nothing would read them. */
export function destroyUnwantedStreams(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Readable && isClosed(reply)) payload.destroy()
    done()
  })
}

const isClosed = (reply: FastifyReply): boolean => reply.raw.destroyed || connectionOf(reply).destroyed

function connectionOf({ request }: FastifyReply) {
  const raw: IncomingMessage | Http2ServerRequest = request.raw
  return raw instanceof Http2ServerRequest ? raw.stream : raw.socket
}
