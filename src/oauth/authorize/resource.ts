import { resourceAt } from '../resources.ts'
import { AuthorizeError, parameter, type Step } from './authorization-request.ts'

/**
 * Finds the part of the service that the tokens are to be for (RFC 8707 §2.1); all of it where nothing is said. A client with
 * a metadata document gets tokens for /mcp alone.
 */
export const findResource: Step = (request) => {
  const address = parameter(request, 'resource')
  const isOfDocument = request.client.documentHost !== null
  if (address === undefined) return { resource: isOfDocument ? '/mcp' : null }
  const resource = resourceAt(request.baseUrl, address)
  if (resource === undefined)
    throw new AuthorizeError(
      'invalid_target',
      'The resource must be the address of this service, or of its /v2 or /mcp.',
    )
  if (isOfDocument && resource !== '/mcp')
    throw new AuthorizeError('invalid_target', 'A client with a metadata document may use /mcp alone.')
  return { resource }
}
