import type { FastifyInstance } from 'fastify'
import { message } from '../base/languages/say.ts'
import { HttpError } from '../errors.ts'
import type { KnownPaths } from './known-paths.ts'
import { pathOf } from './route-kinds.ts'

/**
 * Answers 405 with `Allow` where a path is known and the method is not (spec: errors 10), before the body is read. Such
 * methods are looked up rather than routed, since they are many and rare.
 */
export function refuseOtherMethods(app: FastifyInstance, paths: KnownPaths): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    const methods = paths.at(pathOf(request.url))?.methods
    done(methods && !methods.has(request.method) ? notAllowed(request.method, methods) : undefined)
  })
}

/** 405 where only these methods lead somewhere. */
export function notAllowed(method: string, methods: ReadonlySet<string>): HttpError {
  const allow = [...methods].join(', ')
  return new HttpError(405, message('{method} is not allowed here; allowed: {allow}.', { method, allow }), {
    headers: { Allow: allow },
  })
}
