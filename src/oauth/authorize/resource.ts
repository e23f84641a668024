import { resourceAt } from '../resources.ts'
import { isUnregistered } from '../unregistered-clients.ts'
import { AuthorizeError, parameter, type Step } from './authorization-request.ts'

/**
 * Finds the part of the service that the tokens are to be for (RFC 8707 §2.1); all of it where nothing is said. A client that
 * the school has not registered gets tokens for /mcp alone.
 */
export const findResource: Step = (request) => {
  const address = parameter(request, 'resource')
  const isForMcp = isUnregistered(request.client.uid)
  if (address === undefined) return { resource: isForMcp ? '/mcp' : null }
  const resource = resourceAt(request.baseUrl, address)
  if (resource === undefined)
    throw new AuthorizeError(
      'invalid_target',
      'The resource must be the address of this service, or of its /v2 or /mcp.',
    )
  if (isForMcp && resource !== '/mcp')
    throw new AuthorizeError('invalid_target', 'A client that the school has not registered may use /mcp alone.')
  return { resource }
}
