import { DEFAULT_SCOPE } from '../../access/scopes.ts'
import type { Client } from '../authenticate-client.ts'
import { OAuthError } from '../oauth-errors.ts'
import { grantable, meantScopes } from '../openid/scopes.ts'
import { describeScopeError } from '../scopes.ts'
import { type GrantParameters, type Step, scopesAsked } from './token-request.ts'

/** An application that acts for itself asks for scopes of its own; without any it gets the default one (RFC 6749 §3.3). */
export function findOwnScopes(client: Client, parameters: GrantParameters): readonly string[] {
  const asked = scopesAsked({ parameters })
  requireScopes(asked, client.scopes)
  return asked.length === 0 ? [DEFAULT_SCOPE] : [...new Set(asked)]
}

/** What the person allowed, without what was taken from the application meanwhile. */
export const findScopesOfFamily: Step = ({ client, presented }) => ({
  scopes: presented.scopes.filter((scope) => grantable(client.scopes).includes(scope)),
})

/** A refresh token may be used for less than it stands for, and never for more (RFC 6749 §6). */
export const narrowScopes: Step = (request) => {
  const asked = meantScopes(scopesAsked(request), request.scopes)
  requireScopes(asked, request.scopes)
  return asked.length === 0 ? {} : { scopes: asked }
}

function requireScopes(asked: readonly string[], allowed: readonly string[]): void {
  const description = describeScopeError(asked, allowed)
  if (description !== undefined) throw new OAuthError('invalid_scope', { description })
}
