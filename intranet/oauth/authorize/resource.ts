import { resourceAt } from '../resources.ts'
import { isUnregistered } from '../unregistered-clients.ts'
import { AuthorizeError, parameter, type Step } from './authorization-request.ts'

/**
 * Finds the resource that the tokens are bound to (RFC 8707 §2.1), or null for the whole service. A client that the school
 * has not registered gets tokens for /mcp only.
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
