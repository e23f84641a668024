import { bearerToken, unauthorized } from '@campus/engine/http/authenticate'
import type { RouteHandlerMethod } from 'fastify'
import { hasApiScope, namedScopes } from '../access/scopes.ts'
import type { OAuthDependencies } from './dependencies.ts'
import { PUBLIC_SECTOR } from './openid/openid.ts'

/** GET /oauth/token/info (spec: authentication 8). */
export function tokenInfo({ clock, findCaller }: OAuthDependencies): RouteHandlerMethod {
  return async (request) => {
    const text = bearerToken(request)
    if (!text) throw unauthorized()
    const token = await findCaller(text)
    if (typeof token === 'string') throw unauthorized(token)
    request.application = token.application
    return {
      // The id would identify the person across the sectors of pairwise subjects.
      resource_owner_id: token.sector !== PUBLIC_SECTOR && !hasApiScope(token.scopes) ? null : token.resourceOwnerId,
      scopes: namedScopes(token.scopes),
      expires_in_seconds: Math.floor((token.expiresAt.getTime() - clock.now().getTime()) / 1000),
      application: { uid: token.application.uid },
      created_at: Math.floor(token.createdAt.getTime() / 1000),
    }
  }
}
