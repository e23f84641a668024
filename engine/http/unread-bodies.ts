import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, Http2ServerRequest } from 'node:http2'
import type { FastifyInstance } from 'fastify'
import { hasBody } from './has-body.ts'

/** The rest of a short body is read, so that the connection can be used again. */
const SHORT_BYTES = 65_536
const LINGER_MILLISECONDS = 10_000

/** Ends bodies of answered requests. Their connection or HTTP/2 stream would otherwise wait for as long as the client likes. */
export function endUnreadBodies(app: FastifyInstance, milliseconds = LINGER_MILLISECONDS): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isLongRest(request.raw)) reply.header('connection', 'close')
    done()
  })
  app.addHook('onListen', async () => {
    app.server.on('request', (request: IncomingMessage | Http2ServerRequest, response: ServerResponse) => {
      if (!hasBody(request)) return
      if (request instanceof Http2ServerRequest) endStream(request)
      // Node ends the connection at `finish` if the response says so. A response may have ended already.
      else if (response.writableEnded) linger(request, milliseconds)
      else response.once('prefinish', () => linger(request, milliseconds))
    })
  })
}

function isLongRest({ httpVersionMajor, complete, headers }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1 || complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SHORT_BYTES
}

/** Asks the client to stop sending, without an error (RFC 9113 §8.1). */
function endStream({ stream }: Http2ServerRequest): void {
  stream.once('finish', () => {
    if (!stream.endAfterHeaders && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
  })
}

/**
 * Discards what the client still sends until it has read the response (RFC 9112 §9.6). If the connection were closed at once, the
 * client's system would discard the response.
 */
function linger(request: IncomingMessage, milliseconds: number): void {
  if (request.complete) return
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), milliseconds)
  const stop = () => clearTimeout(timer)
  let isToEnd = false
  const endNow = () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    socket.destroySoon()
  }
  socket.once('close', stop)
  request.once('end', () => {
    stop()
    socket.off('close', stop) // The connection may carry further requests.
    if (isToEnd) endNow()
    else Reflect.deleteProperty(socket, 'destroySoon')
  })
  socket.destroySoon = () => {
    if (isToEnd) return endNow()
    isToEnd = true
    socket.end()
  }
  request.unpipe()
  request.resume()
}
