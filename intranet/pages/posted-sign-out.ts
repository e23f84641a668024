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
 * POST /oauth/logout, which applications may have the browser send (OpenID Connect RP-Initiated Logout §2): it is sent on to
 * the page there, to which the browser gives its cookie. With a form of another site it gives none.
 */
export function mountPostedSignOut(app: FastifyInstance, { baseUrl }: { readonly baseUrl: string }): void {
  for (const path of PATHS) {
    app.post(path, async (request, reply) =>
      reply.redirect(`${baseUrl}/oauth/logout?${new URLSearchParams(readParameters(request, PARAMETERS))}`, 303),
    )
  }
}
