import { isOneOf } from '@campus/engine/base/narrow'
import { DEFAULT_SCOPE, isScope } from '../../access/scopes.ts'
import { lastConsent } from '../consents.ts'
import { grantable, meantScopes, withoutSigningIn } from '../openid/scopes.ts'
import { resourceAt } from '../resources.ts'
import { describeScopeError } from '../scopes.ts'
import { isUnregistered } from '../unregistered-clients.ts'
import { type AuthorizationRequest, AuthorizeError, parameter, type Step } from './authorization-request.ts'

/** Refuses repeated parameters (RFC 6749 §3.1), since two readers could take different values. */
export const refuseRepeats: Step = ({ asked }) => {
  const names = [...asked.keys()]
  if (new Set(names).size < names.length) {
    throw new AuthorizeError('invalid_request', 'No parameter may be sent more than once.')
  }
  return {}
}

/** The response is in the query of the redirect URI, or in a form that the browser posts to it. */
export const RESPONSE_MODES = ['query', 'form_post'] as const

export const checkResponse: Step = (request) => {
  const type = parameter(request, 'response_type')
  if (type === undefined) throw new AuthorizeError('invalid_request', 'Missing required parameter: response_type.')
  if (type !== 'code') throw new AuthorizeError('unsupported_response_type', 'The response_type must be code.')
  const mode = parameter(request, 'response_mode') ?? 'query'
  if (!isOneOf(RESPONSE_MODES, mode)) {
    throw new AuthorizeError('invalid_request', `The response_mode must be ${RESPONSE_MODES.join(' or ')}.`)
  }
  if (mode === 'form_post' && !takesForms(request.redirectUri)) {
    throw new AuthorizeError('invalid_request', 'The response_mode form_post needs a redirect URI of https or http.')
  }
  return {}
}

/** Reports whether the browser posts the response, with a code or an error, in a form. */
export function isFormPost({ asked, redirectUri }: Pick<AuthorizationRequest, 'asked' | 'redirectUri'>): boolean {
  const modes = asked.getAll('response_mode')
  return modes.length === 1 && modes[0] === 'form_post' && takesForms(redirectUri)
}

/** Browsers open addresses of other schemes without the fields. */
const takesForms = (uri: string): boolean => /^https?:/i.test(uri)

/**
 * Finds the resource that the tokens are bound to (RFC 8707 §2.1), or null for the whole service. An unregistered client gets
 * tokens for /mcp only.
 */
export const findResource: Step = (request) => {
  const address = parameter(request, 'resource')
  const isMcpOnly = isUnregistered(request.client.uid)
  if (address === undefined) return { resource: isMcpOnly ? '/mcp' : null }
  const resource = resourceAt(request.baseUrl, address)
  if (resource === undefined)
    throw new AuthorizeError(
      'invalid_target',
      'The resource must be the address of this service, or of its /v2 or /mcp.',
    )
  if (isMcpOnly && resource !== '/mcp')
    throw new AuthorizeError('invalid_target', 'A client that the school has not registered may use /mcp alone.')
  return { resource }
}

/**
 * Finds the requested scopes, which the application must have. Default: those of the latest consent (spec: authentication 17),
 * else the default scope. Clients of assistants request all scopes of the metadata and get those of the application
 * (RFC 6749 §3.3).
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

/** A SHA-256 in base64url without padding (RFC 7636 §4.2). */
const CHALLENGE = /^[\w-]{43}$/

/** Finds the challenge of RFC 7636, which a public application must send. */
export const findCodeChallenge: Step = (request) => {
  const codeChallenge = parameter(request, 'code_challenge')
  const method = parameter(request, 'code_challenge_method')
  if (codeChallenge === undefined) {
    if (method !== undefined) throw invalid('The code_challenge is missing.')
    if (!request.client.isConfidential) throw invalid('This application must send a code_challenge (PKCE, S256).')
    return { codeChallenge: null }
  }
  if (method !== 'S256') throw invalid('The code_challenge_method must be S256.')
  if (!CHALLENGE.test(codeChallenge)) throw invalid('The code_challenge must be a SHA-256 in base64url.')
  return { codeChallenge }
}

const invalid = (description: string) => new AuthorizeError('invalid_request', description)

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const

export const findPrompts: Step = (request) => {
  const names = parameter(request, 'prompt')?.split(' ').filter(Boolean) ?? []
  const prompts = new Set(names)
  const isKnown = names.every((name) => isOneOf(PROMPTS, name))
  if (!isKnown || (prompts.has('none') && prompts.size > 1)) {
    throw new AuthorizeError('invalid_request', `The prompt must be of ${PROMPTS.join(', ')}; none stands alone.`)
  }
  return { prompts }
}
