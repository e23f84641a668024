import { Readable } from 'node:stream'
import type { FastifyInstance, onSendHookHandler } from 'fastify'

/**
 * Lets every GET route answer HEAD, except those with `exposeHeadRoute: false`. Fastify's own HEAD routes double the time of the start,
 * read streams to their end, and give a 304 a length.
 */
export function answerHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET' || route.exposeHeadRoute === false) return
    route.method = ['GET', 'HEAD']
    route.onSend = [route.onSend ?? [], leaveOutBody].flat()
  })
}

const leaveOutBody: onSendHookHandler = (request, reply, payload, done) => {
  if (request.method !== 'HEAD') return done(null, payload)
  if (payload instanceof Readable) payload.destroy()
  // The length of a 304 would be that of the whole response (RFC 9110 §8.6).
  else if (reply.statusCode !== 304) reply.header('content-length', String(lengthOf(payload)))
  done(null, null)
}

const lengthOf = (payload: unknown) => Buffer.byteLength(payload instanceof Buffer ? payload : String(payload ?? ''))
