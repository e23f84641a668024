import { isOneOf } from '@campus/engine/base/narrow'
import type { ValidationErrors } from '@campus/engine/validation-errors'
import { SIGNING_ALGORITHMS } from '../openid/signing-keys.ts'
import { type Allowed, checkRedirectUris } from './redirect-uris.ts'

/** OpenID Connect Core §8. */
export const SUBJECT_TYPES = ['public', 'pairwise'] as const

/** How an application signs people in, by the names of OpenID Connect Dynamic Client Registration 1.0. */
export type SignInValues = {
  readonly id_token_signed_response_alg?: string | undefined
  readonly subject_type?: string | undefined
  readonly post_logout_redirect_uris?: readonly string[] | undefined
  readonly backchannel_logout_uri?: string | null | undefined
}

export const EMPTY_SIGN_IN = {
  id_token_signed_response_alg: 'RS256',
  subject_type: 'public',
  post_logout_redirect_uris: [],
  backchannel_logout_uri: null,
}

type Next = { readonly [Name in keyof SignInValues]-?: Exclude<SignInValues[Name], undefined> } & {
  readonly redirect_uris: readonly string[]
}

/** Returns the new values of the columns. Adds faults to `errors`. */
export function checkSignIn(errors: ValidationErrors, next: Next, allowed: Allowed) {
  if (!isOneOf(SIGNING_ALGORITHMS, next.id_token_signed_response_alg))
    errors.add('id_token_signed_response_alg', 'must be RS256 or ES256')
  if (!isOneOf(SUBJECT_TYPES, next.subject_type)) errors.add('subject_type', 'must be public or pairwise')
  if (next.subject_type === 'pairwise' && new Set(next.redirect_uris.map(hostOf)).size !== 1)
    errors.add(
      'subject_type',
      'can be pairwise only where all redirect addresses have the same host, of which the subjects are made',
    )
  return {
    id_token_signed_response_alg: next.id_token_signed_response_alg,
    subject_type: next.subject_type,
    post_logout_redirect_uris: checkRedirectUris(
      errors,
      'post_logout_redirect_uris',
      next.post_logout_redirect_uris,
      allowed,
    ),
    backchannel_logout_uri: checkLogoutUri(errors, next.backchannel_logout_uri),
  }
}

/** The service calls this address, so it must be https without credentials. */
function checkLogoutUri(errors: ValidationErrors, text: string | null): string | null {
  const address = text?.trim() || null
  if (address === null) return null
  const [checked] = checkRedirectUris(errors, 'backchannel_logout_uri', [address], { known: [], byOperator: false })
  if (!errors.has('backchannel_logout_uri') && URL.parse(address)?.protocol !== 'https:')
    errors.add('backchannel_logout_uri', 'must be an https address')
  return checked ?? null
}

const hostOf = (uri: string) => URL.parse(uri)?.host
