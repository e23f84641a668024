import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'

export const REFERENCE_PATH = '/apidoc'

/** True for requests of a service without the reference. */
const withoutReference = new AsyncLocalStorage<true>()

export function hideReference(app: FastifyInstance): void {
  // Parsing a body leaves the context, so `preValidation` enters it again.
  app.addHook('onRequest', (_request, _reply, done) => withoutReference.run(true, done))
  app.addHook('preValidation', (_request, _reply, done) => withoutReference.run(true, done))
}

export const hasReference = (): boolean => withoutReference.getStore() !== true
