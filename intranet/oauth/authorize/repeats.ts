import { AuthorizeError, type Step } from './authorization-request.ts'

/** No parameter may be repeated (RFC 6749 §3.1), since two readers could take different values. */
export const refuseRepeats: Step = ({ asked }) => {
  const names = [...asked.keys()]
  if (new Set(names).size < names.length) {
    throw new AuthorizeError('invalid_request', 'No parameter may be sent more than once.')
  }
  return {}
}
