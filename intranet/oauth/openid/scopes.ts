import { PROFILE_CLAIMS, type Scope } from '../../access/scopes.ts'

/** Scope that requests an ID token (OpenID Connect Core §3.1.2.1). */
export const OPENID: Scope = 'openid'

/** Standard scopes without effect: each code gives a refresh token, and the service has no such claims. */
const WITHOUT_EFFECT: readonly string[] = ['offline_access', 'address', 'phone']

/** Scopes that only sign people in and open nothing of the API. */
const OF_SIGNING_IN: readonly string[] = [OPENID, PROFILE_CLAIMS, 'email', 'groups']

/** Returns the scopes that may be granted to an application with these scopes. */
export const grantable = (scopes: readonly string[]): readonly string[] =>
  scopes.includes(OPENID) ? [...scopes, PROFILE_CLAIMS] : scopes

/** Returns the requested scopes among those that `allowed` includes. Without `openid`, `names` are unchanged. */
export function meantScopes(names: readonly string[], allowed: readonly string[]): string[] {
  if (!names.includes(OPENID) || !allowed.includes(OPENID)) return [...names]
  const hasProfile = allowed.includes('profile')
  return names
    .filter((name) => !WITHOUT_EFFECT.includes(name))
    .map((name) => (name === 'profile' && !hasProfile ? PROFILE_CLAIMS : name))
}

/** Reports whether scopes only sign a person in. */
export const isSigningInAlone = (scopes: readonly string[]): boolean =>
  scopes.includes(OPENID) && withoutSigningIn(scopes).length === 0

/** Removes the scopes that are granted only if a request names them. */
export const withoutSigningIn = (scopes: readonly string[]): string[] =>
  scopes.filter((name) => !OF_SIGNING_IN.includes(name))

/** Reports whether the claims of `profile` were requested. An ID token needs no other right to them. */
export const hasProfileClaims = (scopes: readonly string[]): boolean =>
  scopes.includes('profile') || scopes.includes(PROFILE_CLAIMS)
