import type { FastifyInstance, FastifyReply } from 'fastify'
import { readApplications } from './authenticate-client.ts'
import { storeClientTokens } from './client-tokens.ts'
import type { MountDependencies } from './dependencies.ts'
import { oauthErrorHandler } from './oauth-errors.ts'
import { openIdConfiguration, signingKeys } from './openid-metadata.ts'
import { refuseRepeatedFormFields } from './parameters.ts'
import { protectedResource } from './protected-resource.ts'
import { REGISTRATION_PATH, registrationEndpoint } from './registration-endpoint.ts'
import { revocationEndpoint } from './revocation-endpoint.ts'
import { serverMetadata } from './server-metadata.ts'
import { tokenEndpoint } from './token-endpoint.ts'
import { tokenInfo } from './token-info.ts'
import { userInfo } from './userinfo.ts'

const ENDPOINTS = [
  { method: 'POST', path: '/oauth/token', handler: tokenEndpoint },
  { method: 'GET', path: '/oauth/token/info', handler: tokenInfo },
  { method: 'POST', path: '/oauth/revoke', handler: revocationEndpoint },
  { method: 'GET', path: '/oauth/userinfo', handler: userInfo },
  { method: 'POST', path: '/oauth/userinfo', handler: userInfo },
  { method: 'GET', path: '/oauth/jwks', handler: signingKeys },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', handler: serverMetadata },
  { method: 'GET', path: '/.well-known/openid-configuration', handler: openIdConfiguration },
  { method: 'GET', path: '/.well-known/oauth-protected-resource', handler: protectedResource('') },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/mcp', handler: protectedResource('/mcp') },
] as const

/** All OAuth routes. Those under /oauth answer under /v2/oauth too (spec: requests 2). */
const ROUTES = ENDPOINTS.flatMap((endpoint) =>
  endpoint.path.startsWith('/oauth/') ? [endpoint, { ...endpoint, path: `/v2${endpoint.path}` }] : [endpoint],
)

/** Section of the reference. */
const DOCUMENTED_AT = 'oauth'

/** The mounted routes, to distinguish an unknown path from a known one with another method. */
export const OAUTH_ROUTES: readonly {
  readonly method: string
  readonly path: string
  readonly documentedAt: string
}[] = ROUTES.map(({ method, path }) => ({ method, path, documentedAt: DOCUMENTED_AT }))

/** Mounted only if the operator enables it. */
export const REGISTRATION_ROUTE = { method: 'POST', path: REGISTRATION_PATH } as const

/** Mounts the OAuth endpoints. Their refusals have the form of RFC 6749 §5.2. */
export function mountOauth(fastify: FastifyInstance, given: MountDependencies): void {
  const { database, documentation } = given
  const dependencies = { ...given, applications: readApplications(database), clientTokens: storeClientTokens(database) }
  fastify.register(async (protocol) => {
    refuseRepeatedFormFields(protocol)
    protocol.setErrorHandler(oauthErrorHandler(documentation && `${documentation}/${DOCUMENTED_AT}`))
    protocol.addHook('onSend', async (_request, reply, payload) => {
      // Other routes have set the header by now, and keys may be cached.
      if (!isStorable(reply)) reply.headers({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })
      return payload
    })
    const config = { documentedAt: DOCUMENTED_AT }
    for (const { method, path, handler } of ROUTES)
      protocol.route({ method, url: path, config, handler: handler(dependencies) })
    if (given.config.isRegistrationOpen) {
      const { method, path } = REGISTRATION_ROUTE
      protocol.route({ method, url: path, config, handler: registrationEndpoint(dependencies) })
    }
  })
}

const isStorable = (reply: FastifyReply) => String(reply.getHeader('cache-control')).startsWith('public')
