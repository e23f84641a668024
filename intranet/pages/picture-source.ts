import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../settings/config.ts'

type PicturesConfig = Pick<Config, 'picturesUrl' | 'baseUrl'>

/** Holds `picturesUrl` for the request, unless it is the address of the service. */
const picturesUrls = new AsyncLocalStorage<string>()

export function usePicturesUrl(site: FastifyInstance, { picturesUrl, baseUrl }: PicturesConfig): void {
  if (picturesUrl === baseUrl) return
  // Parsing a body loses the asynchronous context, so `preValidation` enters it again.
  site.addHook('onRequest', (_request, _reply, done) => picturesUrls.run(picturesUrl, done))
  site.addHook('preValidation', (_request, _reply, done) => picturesUrls.run(picturesUrl, done))
}

export const pictureAddressOf = (path: string): string => (picturesUrls.getStore() ?? '') + path

export function pictureSources(): readonly string[] {
  const source = picturesUrls.getStore()
  return source === undefined ? [] : [new URL(source).origin]
}
