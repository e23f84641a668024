import { AuthorizeError, parameter, type Step } from './authorization-request.ts'

/** Only codes are given, in the query of the redirect URI. */
export const checkResponse: Step = (request) => {
  const type = parameter(request, 'response_type')
  if (type === undefined) throw new AuthorizeError('invalid_request', 'Missing required parameter: response_type.')
  if (type !== 'code') throw new AuthorizeError('unsupported_response_type', 'The response_type must be code.')
  const mode = parameter(request, 'response_mode') ?? 'query'
  if (mode !== 'query') throw new AuthorizeError('invalid_request', 'The response_mode must be query.')
  return {}
}
