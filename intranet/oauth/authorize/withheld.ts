import { OPTIONAL_SCOPES } from '../../access/scopes.ts'
import { AuthorizeError, type Step } from './authorization-request.ts'

/** The user who allows an application says separately whether it may act: what was not ticked is not granted (RFC 6749 §3.3). */
export const withholdScopes: Step = ({ decision, scopes, ticked }) => {
  if (decision !== 'allow') return {}
  const granted = scopes.filter((scope) => !OPTIONAL_SCOPES.includes(scope) || ticked.includes(scope))
  if (granted.length === 0) throw new AuthorizeError('access_denied', 'The person allowed none of the scopes.')
  return { scopes: granted }
}
