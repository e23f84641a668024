import type { FastifyInstance, FastifyReply } from 'fastify'
import { HttpError } from '../errors.ts'
import { hasBody } from './has-body.ts'
import { whenClosed } from './when-closed.ts'

const MULTIPART = /^\s*multipart\//i

/**
 * Refuses with 408 a body that has not come whole after so many milliseconds, however it trickles. Multipart bodies may
 * be files, which take as long as they take: they end where nothing comes any more (`multipart.ts`).
 */
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

/** For so long after its head a request is served by the rights that were found then. */
const RIGHTS_MILLISECONDS = 1_000

/** Whether the rights of a request are to be found again, since its body took so long that they may have ended meanwhile (spec: access 8). */
export const areRightsOld = (reply: FastifyReply): boolean => reply.elapsedTime > RIGHTS_MILLISECONDS
