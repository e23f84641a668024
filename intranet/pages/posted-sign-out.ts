import type { KnownRoute } from '@campus/engine/http/known-paths'
import type { FastifyInstance } from 'fastify'
import { readParameters } from '../oauth/parameters.ts'

const PATHS = ['/oauth/logout', '/v2/oauth/logout'] as const
const PARAMETERS = [
  ...(['id_token_hint', 'logout_hint', 'client_id'] as const),
  ...(['post_logout_redirect_uri', 'state', 'ui_locales'] as const),
] as const

export const POSTED_SIGN_OUT_ROUTES: readonly KnownRoute[] = PATHS.map((path) => ({ method: 'POST', path }))

/**
 * Redirects POST /oauth/logout of applications (OpenID Connect RP-Initiated Logout §2) to the page, since browsers send
 * no cookie with a form of another site.
 */
export function mountPostedSignOut(app: FastifyInstance, { baseUrl }: { readonly baseUrl: string }): void {
  for (const path of PATHS) {
    app.post(path, async (request, reply) =>
      reply.redirect(`${baseUrl}/oauth/logout?${new URLSearchParams(readParameters(request, PARAMETERS))}`, 303),
    )
  }
}
