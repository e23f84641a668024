import type { IncomingMessage } from 'node:http'
import { Http2ServerRequest } from 'node:http2'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Calls back once when the response has ended or its client has gone; at once if that has happened. The response alone
 * does not say so: its event may have passed while the token was looked up, an HTTP/2 response has no `destroyed`, and
 * one that waits behind another on an HTTP/1.1 connection has no event.
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

/** Destroys a stream that is to answer a client that has gone, since nobody would read it. */
export function destroyUnwantedStreams(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Readable && isClosed(reply)) payload.destroy()
    done()
  })
}

const isClosed = (reply: FastifyReply): boolean => reply.raw.destroyed || connectionOf(reply).destroyed

/** Returns the HTTP/2 stream of a request, or its HTTP/1.1 connection. */
function connectionOf({ request }: FastifyReply) {
  const raw: IncomingMessage | Http2ServerRequest = request.raw
  return raw instanceof Http2ServerRequest ? raw.stream : raw.socket
}
