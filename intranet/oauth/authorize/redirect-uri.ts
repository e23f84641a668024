import { AuthorizePageError, parameter, type Step } from './authorization-request.ts'

/** The established message (spec: authentication 14). */
const NOT_VALID = 'The redirect uri included is not valid.'

/** Finds the redirect URI. Default: the only registered one (RFC 6749 §3.1.2.3). */
export const findRedirectUri: Step = ({ asked, client }) => {
  if (asked.getAll('redirect_uri').length > 1) throw new AuthorizePageError(NOT_VALID)
  const uri = parameter({ asked }, 'redirect_uri')
  const [only, ...others] = client.redirectUris
  if (uri === undefined && only !== undefined && others.length === 0) return { redirectUri: only }
  if (uri === undefined || !client.redirectUris.some((registered) => isSame(registered, uri))) {
    throw new AuthorizePageError(NOT_VALID, uri === undefined ? undefined : { client, address: uri })
  }
  return { redirectUri: uri }
}

/**
 * Compares exactly, except that an empty path equals `/` (RFC 3986 §6.2.3) and a loopback address may have any port
 * (RFC 8252 §7.3).
 */
export const isSame = (registered: string, uri: string): boolean => comparable(registered) === comparable(uri)

const comparable = (uri: string) => withPath(uri).replace(LOOPBACK_PORT, '$1')

/** Adds the path `/` if there is none. */
export const withPath = (uri: string): string => uri.replace(/^(https?:\/\/[^/?#]+)(?=\?|$)/i, '$1/')

const LOOPBACK_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=\/)/

/** Reports whether the address is on the person's own machine. */
export const isLoopback = (uri: string): boolean => /^http:/i.test(uri)
