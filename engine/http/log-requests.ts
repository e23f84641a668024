import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_HEADER_BYTES } from './header-size.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the signed-in user, on pages. */
    visitor: number | undefined
  }
  interface FastifyContextConfig {
    /** Set on routes of assets, which reveal no activity. */
    isAsset?: boolean
  }
}

/** One line a request, without its query: an access token may be in it. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.config.isAsset ? 'debug' : 'info'
    request.log[level]({
      method: request.method,
      path: request.url.split('?', 1)[0]?.slice(0, MAX_HEADER_BYTES),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
      application: request.application?.id,
      person: personOf(request),
      ...describeInner(request),
    })
    done()
  })
}

/** The call that came by another protocol, by the pattern of its route. */
const describeInner = ({ innerCall }: FastifyRequest) =>
  innerCall && { tool: innerCall.tool, call: innerCall.route, call_status: innerCall.status }

/** The user that the caller acts for, or that visits a page. */
const personOf = ({ caller, visitor }: FastifyRequest) => caller?.resourceOwnerId ?? visitor
