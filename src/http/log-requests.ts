import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of whoever is signed in, on pages. */
    visitor: number | undefined
  }
  interface FastifyContextConfig {
    /** Set on what pages are made of, which says nothing about what anybody does. */
    isAsset?: boolean
  }
}

/** One line a request, without its query: an access token may be in it. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.config.isAsset ? 'debug' : 'info'
    request.log[level]({
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
      application: request.application?.id,
      person: personOf(request),
    })
    done()
  })
}

/** The person on whose behalf somebody calls, or who visits a page. */
const personOf = ({ caller, visitor }: FastifyRequest) => caller?.resourceOwnerId ?? visitor
