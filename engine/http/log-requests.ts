import type { FastifyInstance } from 'fastify'
import { MAX_HEADER_BYTES } from './header-size.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: number | undefined
  }
  interface FastifyContextConfig {
    /** Logs the route's requests at level debug only. */
    isAsset?: boolean
  }
}

/** Logs a line per request, without its query, which may contain an access token. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, ip, routeOptions, caller, visitor, application, innerCall } = request
    request.log[routeOptions.config.isAsset ? 'debug' : 'info']({
      method,
      path: url.split('?', 1)[0]?.slice(0, MAX_HEADER_BYTES),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      address: ip,
      application: application?.id,
      person: caller?.resourceOwnerId ?? visitor,
      ...(innerCall && { tool: innerCall.tool, call: innerCall.route, call_status: innerCall.status }),
    })
    done()
  })
}
