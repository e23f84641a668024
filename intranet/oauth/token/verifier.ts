import { hash, timingSafeEqual } from 'node:crypto'
import { OAuthError } from '../oauth-errors.ts'
import type { Step } from './token-request.ts'

/** RFC 7636 §4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/

/** A code that was requested with a challenge needs its verifier (RFC 7636 §4.6). */
export const requireVerifier: Step = ({ presented, parameters }) => {
  const { codeChallenge } = presented
  const verifier = parameters.code_verifier
  if (codeChallenge === null && verifier === undefined) return {}
  if (codeChallenge === null || verifier === undefined) throw new OAuthError('invalid_grant')
  if (!VERIFIER.test(verifier)) throw new OAuthError('invalid_request')
  if (!isChallengeOf(codeChallenge, verifier)) throw new OAuthError('invalid_grant')
  return {}
}

function isChallengeOf(challenge: string, verifier: string): boolean {
  const expected = Buffer.from(challenge)
  const actual = Buffer.from(hash('sha256', verifier, 'base64url'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
