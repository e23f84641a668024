import type { FastifyInstance, FastifyReply } from 'fastify'
import { HttpError } from '../errors.ts'
import { hasBody } from './has-body.ts'
import { whenClosed } from './when-closed.ts'

const MULTIPART = /^\s*multipart\//i

/** Refuses a body that is incomplete after some milliseconds with 408. Multipart bodies only have a maximum pause (`multipart.ts`). */
export function endSlowBodies(app: FastifyInstance, milliseconds: number): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (hasBody(request.raw) && !MULTIPART.test(request.headers['content-type'] ?? '')) {
      const timer = setTimeout(() => {
        payload.emit('error', new HttpError(408, 'The body did not arrive in time.'))
      }, milliseconds)
      const stop = () => clearTimeout(timer)
      payload.once('end', stop).once('close', stop).once('error', stop)
      whenClosed(reply, stop) // A refusal may leave the body unread.
    }
    done()
  })
}

/** Rights found at the start of a request are valid for this time. */
const RIGHTS_MILLISECONDS = 1_000

/** Reports whether the rights must be checked again after a slow body (spec: access 8). */
export const areRightsOld = (reply: FastifyReply): boolean => reply.elapsedTime > RIGHTS_MILLISECONDS
