import { isIP } from 'node:net'

/** Relying Party of passkeys (WebAuthn §4): a domain, and the only origin whose pages may ask for them. */
export type RelyingParty = { readonly id: string; readonly origin: string }

/** The relying party of a service; undefined at an IP address, since passkeys belong to names. */
export function relyingPartyOf(baseUrl: string, domain: string | undefined): RelyingParty | undefined {
  const { hostname, origin } = new URL(baseUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: domain ?? hostname, origin } : undefined
}

/** Whether the passkeys of a domain may be used at an address: its host is the domain, or below one of two names at least. */
export function belongsTo(baseUrl: string, domain: string): boolean {
  const { hostname } = new URL(baseUrl)
  return hostname === domain || (domain.includes('.') && isIP(hostname) === 0 && hostname.endsWith(`.${domain}`))
}
