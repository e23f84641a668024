import { AuthorizeError, parameter, type Step } from './authorization-request.ts'

/** A SHA-256 in base64url without padding (RFC 7636 §4.2). */
const CHALLENGE = /^[\w-]{43}$/

/** Finds the challenge of RFC 7636. A public application must send one; `plain` proves nothing. */
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
