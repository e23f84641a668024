import { isOneOf } from '@campus/engine/base/narrow'
import { type AuthorizationRequest, AuthorizeError, parameter, type Step } from './authorization-request.ts'

/** How the parameters of the response reach the redirect URI: in its query, or in a form that the browser posts to it. */
export const RESPONSE_MODES = ['query', 'form_post'] as const

/** Requires a supported response type and mode. */
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

/** Reports whether a browser can post a form to the redirect URI. It opens other schemes without the fields. */
const takesForms = (uri: string): boolean => /^https?:/i.test(uri)
