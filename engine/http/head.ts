import { Readable } from 'node:stream'
import type { FastifyInstance, onSendHookHandler } from 'fastify'

/**
 * Has every route for GET answer HEAD, too, but for those with `exposeHeadRoute: false`. Fastify's own routes for HEAD double what the
 * start costs, read streams to their end, and give a 304 a length.
 */
export function answerHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET' || route.exposeHeadRoute === false) return
    route.method = ['GET', 'HEAD']
    route.onSend = [route.onSend ?? [], leaveOutBody].flat()
  })
}

/** To a HEAD the length of what a GET is answered, and nothing of it. */
const leaveOutBody: onSendHookHandler = (request, reply, payload, done) => {
  if (request.method !== 'HEAD') return done(null, payload)
  if (payload instanceof Readable) payload.destroy()
  // That of a 304 would be the whole answer's (RFC 9110 §8.6).
  else if (reply.statusCode !== 304) reply.header('content-length', String(lengthOf(payload)))
  done(null, null)
}

const lengthOf = (payload: unknown) => Buffer.byteLength(payload instanceof Buffer ? payload : String(payload ?? ''))
