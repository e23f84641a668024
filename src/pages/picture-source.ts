import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../base/config.ts'

type PicturesConfig = Pick<Config, 'picturesUrl' | 'baseUrl'>

/** The public address of pictures, if it is not the service's own. */
const sources = new AsyncLocalStorage<string>()

/** Shows the pictures of a page from the public address of pictures. */
export function showPicturesFrom(site: FastifyInstance, { picturesUrl, baseUrl }: PicturesConfig): void {
  if (picturesUrl === baseUrl) return
  // A request body is parsed in another context, so the context is entered again after that.
  site.addHook('onRequest', (_request, _reply, done) => sources.run(picturesUrl, done))
  site.addHook('preValidation', (_request, _reply, done) => sources.run(picturesUrl, done))
}

/** Returns the address of a picture of the service from its path. */
export const shownFrom = (path: string): string => (sources.getStore() ?? '') + path

/** Returns the CSP sources of pictures beside the service's own. */
export function pictureSources(): readonly string[] {
  const source = sources.getStore()
  return source === undefined ? [] : [new URL(source).origin]
}
