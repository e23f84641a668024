import { OAuthError } from '../oauth-errors.ts'
import { resourceAt, type TokenResource } from '../resources.ts'
import type { GrantParameters, Step } from './token-request.ts'

/** The part of the service that a token is asked for (RFC 8707 §2.2); null where it is all of it, or nothing is said. */
export function resourceAsked(baseUrl: string, { resource: address }: GrantParameters): TokenResource | null {
  if (address === undefined) return null
  const resource = resourceAt(baseUrl, address)
  if (resource === undefined) throw new OAuthError('invalid_target')
  return resource
}

/** A token for a person is for what they were asked about, or for a part of it. */
export const narrowResource: Step = ({ baseUrl, parameters, presented }) => {
  const asked = resourceAsked(baseUrl, parameters)
  const isNamed = parameters.resource !== undefined
  if (isNamed && presented.resource !== null && asked !== presented.resource) throw new OAuthError('invalid_target')
  return { resource: presented.resource ?? asked }
}
