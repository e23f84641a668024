import { PROFILE_CLAIMS, type Scope } from '../../access/scopes.ts'

/** Scope that requests an ID token (OpenID Connect Core §3.1.2.1). */
export const OPENID: Scope = 'openid'

/** Standard names that change nothing here: each code gives a refresh token, and the service holds no such claims. */
const WITHOUT_EFFECT: readonly string[] = ['offline_access', 'address', 'phone']

/** Scopes that say who signs in, and open nothing of the API. */
const OF_SIGNING_IN: readonly string[] = [OPENID, PROFILE_CLAIMS, 'email', 'groups']

/** The scopes that may be granted to an application, by those that it has. */
export const grantable = (scopes: readonly string[]): readonly string[] =>
  scopes.includes(OPENID) ? [...scopes, PROFILE_CLAIMS] : scopes

/** The scopes that a request for an ID token means, among those that `allowed` has; a request without `openid` means what it says. */
export function meantScopes(names: readonly string[], allowed: readonly string[]): string[] {
  if (!names.includes(OPENID) || !allowed.includes(OPENID)) return [...names]
  const hasProfile = allowed.includes('profile')
  return names
    .filter((name) => !WITHOUT_EFFECT.includes(name))
    .map((name) => (name === 'profile' && !hasProfile ? PROFILE_CLAIMS : name))
}

/** Whether scopes do no more than sign somebody in. */
export const isSigningInAlone = (scopes: readonly string[]): boolean =>
  scopes.includes(OPENID) && withoutSigningIn(scopes).length === 0

/** Without those that only a request that names them gets. */
export const withoutSigningIn = (scopes: readonly string[]): string[] =>
  scopes.filter((name) => !OF_SIGNING_IN.includes(name))

/** Whether the claims of `profile` were asked for: an ID token needs no other right to them. */
export const hasProfileClaims = (scopes: readonly string[]): boolean =>
  scopes.includes('profile') || scopes.includes(PROFILE_CLAIMS)
