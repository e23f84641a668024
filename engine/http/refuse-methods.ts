import type { FastifyInstance } from 'fastify'
import { message } from '../base/languages/say.ts'
import { HttpError } from '../errors.ts'
import type { KnownPaths } from './known-paths.ts'
import { pathOf } from './route-kinds.ts'

/** Answers 405 with `Allow` for an unknown method of a known path (spec: errors 10), before the body is read. */
export function refuseOtherMethods(app: FastifyInstance, paths: KnownPaths): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    const methods = paths.at(pathOf(request.url))?.methods
    done(methods && !methods.has(request.method) ? notAllowed(request.method, methods) : undefined)
  })
}

export function notAllowed(method: string, methods: ReadonlySet<string>): HttpError {
  const allow = [...methods].join(', ')
  return new HttpError(405, message('{method} is not allowed here; allowed: {allow}.', { method, allow }), {
    headers: { Allow: allow },
  })
}
