import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, Http2ServerRequest } from 'node:http2'
import type { FastifyInstance } from 'fastify'
import { hasBody } from './has-body.ts'

/** What is left of a body as short as that is read, so that the connection can be used again. */
const SHORT_BYTES = 65_536
const LINGER_MILLISECONDS = 10_000

/**
 * Ends bodies whose request was answered, whether the client still sends or has stopped. Otherwise an HTTP/1.1
 * connection, or an HTTP/2 stream, waits for the rest of the body for as long as the client likes.
 */
export function endUnreadBodies(app: FastifyInstance, milliseconds = LINGER_MILLISECONDS): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    // What an answer says to a client that has much left to send.
    if (isLongRest(request.raw)) reply.header('connection', 'close')
    done()
  })
  app.addHook('onListen', async () => {
    app.server.on('request', (request: IncomingMessage | Http2ServerRequest, response: ServerResponse) => {
      if (!hasBody(request)) return
      if (request instanceof Http2ServerRequest) endStream(request)
      // Node ends the connection at `finish`, where the answer says so. Some are answered before this is asked.
      else if (response.writableEnded) linger(request, milliseconds)
      else response.once('prefinish', () => linger(request, milliseconds))
    })
  })
}

/** What an HTTP/1.1 client has announced, and not sent yet. */
function isLongRest({ httpVersionMajor, complete, headers }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1 || complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SHORT_BYTES
}

/** Asks the client to send no more, which is no error of the answer (RFC 9113 §8.1). The answer ends with its stream. */
function endStream({ stream }: Http2ServerRequest): void {
  stream.once('finish', () => {
    if (!stream.endAfterHeaders && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
  })
}

/**
 * Lets the client read its answer while what it still sends is thrown away (RFC 9112 §9.6): if the connection ended at
 * once, its system would throw away the answer too.
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
    socket.off('close', stop) // It may carry any number of requests.
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
