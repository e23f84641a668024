import { DEFAULT_SCOPE, isScope } from '../../access/scopes.ts'
import { lastConsent } from '../consents.ts'
import { grantable, meantScopes, withoutSigningIn } from '../openid/scopes.ts'
import { describeScopeError } from '../scopes.ts'
import { AuthorizeError, parameter, type Step } from './authorization-request.ts'

/**
 * Finds the scopes asked for: those of the application and no others. Without any they are those that the person allowed
 * last (spec: authentication 17), or the default one. Clients of assistants ask for all that the metadata names, and are given
 * those of the application (RFC 6749 §3.3).
 */
export const findScopes: Step = async (request) => {
  const { handle, userId, client, resource } = request
  const asked = meantScopes(parameter(request, 'scope')?.split(' ').filter(Boolean) ?? [], client.scopes)
  const known = asked.filter((name) => !isScope(name) || client.scopes.includes(name))
  const names = resource === '/mcp' && known.length > 0 ? known : asked
  if (names.length === 0) {
    const last = userId === undefined ? [] : await lastConsent(handle, userId, client.id)
    const scopes = withoutSigningIn(last).filter((scope) => client.scopes.includes(scope))
    return { scopes: scopes.length > 0 ? scopes : [DEFAULT_SCOPE] }
  }
  const fault = describeScopeError(
    names.filter((name) => !grantable(client.scopes).includes(name)),
    client.scopes,
  )
  if (fault !== undefined) throw new AuthorizeError('invalid_scope', fault)
  return { scopes: [...new Set(names)] }
}
