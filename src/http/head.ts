import { Readable } from 'node:stream'
import type { onSendHookHandler } from 'fastify'

/** Methods of a route that answers HEAD, too; Fastify would make a second route for it, which doubles what the start costs. */
export const READING = ['GET', 'HEAD']

/** The `onSend` of such a route: to a HEAD the length of what a GET is answered, and nothing of it. */
export const leaveOutBody: onSendHookHandler = (request, reply, payload, done) => {
  if (request.method !== 'HEAD') return done(null, payload)
  if (payload instanceof Readable) {
    payload.destroy()
    return done(null, null)
  }
  const body = (payload ?? '') as string | Buffer
  reply.header('content-length', String(Buffer.byteLength(body)))
  done(null, null)
}
