import type { RouteHandlerMethod } from 'fastify'
import type { OAuthDependencies } from '../dependencies.ts'
import { readParameters } from '../parameters.ts'

const PARAMETERS = [
  ...(['id_token_hint', 'logout_hint', 'client_id'] as const),
  ...(['post_logout_redirect_uri', 'state', 'ui_locales'] as const),
] as const

/**
 * POST /oauth/logout, which applications may have the browser send (OpenID Connect RP-Initiated Logout 1.0 §2): the page
 * at the same address, with the cookie that a browser sends with no form of another site.
 */
export function redirectLogout({ config: { baseUrl } }: OAuthDependencies): RouteHandlerMethod {
  return async (request, reply) =>
    reply.redirect(`${baseUrl}/oauth/logout?${new URLSearchParams(readParameters(request, PARAMETERS))}`, 303)
}
