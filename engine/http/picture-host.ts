import type { FastifyInstance } from 'fastify'
import { notFound } from '../errors.ts'

/** Answers 404 to requests for the host of `picturesUrl`, except on the given routes. */
export function servePicturesOnly(
  app: FastifyInstance,
  { picturesUrl, baseUrl }: { readonly picturesUrl: string; readonly baseUrl: string },
  routes: readonly { readonly path: string }[],
): void {
  const { host } = new URL(picturesUrl)
  if (host === new URL(baseUrl).host) return
  const paths = new Set<string | undefined>(routes.map(({ path }) => path))
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = URL.parse(`https://${request.host}`)?.host === host && !paths.has(request.routeOptions.url)
    done(isRefused ? notFound('This address serves pictures only.') : undefined)
  })
}
