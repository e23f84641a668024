import type { ServerHttp2Session } from 'node:http2'
import type { FastifyInstance } from 'fastify'
import { listenersOf } from './listeners.ts'

/** How long a client may take to answer a PING after a protocol error. */
const PING_MILLISECONDS = 10_000

/** `NGHTTP2_ERR_PROTO`. */
const PROTOCOL_ERROR = -505

/** Ends only the stream of a malformed HTTP/2 request (RFC 9113 §8.1.1). Node would destroy the whole session. */
export function endOnlyMalformedStreams(app: FastifyInstance, milliseconds = PING_MILLISECONDS): void {
  app.addHook('onListen', async () => {
    for (const server of listenersOf(app)) {
      server.on('session', (session: ServerHttp2Session) => keepSession(session, milliseconds))
    }
  })
}

/**
 * After a protocol error, destroys the session only if the client does not acknowledge a PING. After an error of the connection,
 * nghttp2 ignores everything that arrives, so no acknowledgement is read.
 */
function keepSession(session: ServerHttp2Session, milliseconds: number): void {
  const destroy = session.destroy.bind(session)
  let isPinging = false
  session.destroy = (error, code) => {
    if (session.closed || !isProtocolError(error)) return destroy(error, code)
    if (isPinging) return
    isPinging = true
    const timer = setTimeout(() => destroy(error, code), milliseconds)
    const stop = () => clearTimeout(timer)
    session.once('close', stop)
    session.ping((fault) => {
      if (fault) return
      isPinging = false
      stop()
      session.off('close', stop)
    })
  }
}

const isProtocolError = (error: Error | undefined) =>
  error !== undefined && 'errno' in error && error.errno === PROTOCOL_ERROR
