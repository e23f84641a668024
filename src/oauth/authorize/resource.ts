import { resourceAt } from '../resources.ts'
import { AuthorizeError, parameter, type Step } from './authorization-request.ts'

/** Finds the part of the service that the tokens are to be for (RFC 8707 §2.1); all of it where nothing is said. */
export const findResource: Step = (request) => {
  const address = parameter(request, 'resource')
  if (address === undefined) return { resource: null }
  const resource = resourceAt(request.baseUrl, address)
  if (resource === undefined)
    throw new AuthorizeError(
      'invalid_target',
      'The resource must be the address of this service, or of its /v2 or /mcp.',
    )
  return { resource }
}
