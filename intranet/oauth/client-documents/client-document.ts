import { message } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { ClientRefused, isAbsentOrIncludes, isClientName } from '../unregistered-clients.ts'

/** The used part of a client ID metadata document (draft-ietf-oauth-client-id-metadata-document-00). */
export type ClientDocument = {
  readonly name: string
  /** On the origin of the document, or loopback addresses. */
  readonly redirectUris: readonly string[]
}

const MAX_ADDRESS_LENGTH = 500
const MAX_REDIRECT_URIS = 50

/**
 * Parses a `client_id` that is the address of a document. It must be normalized, so that one document is one client. It must
 * not be on the host of the service, where an uploaded file could pose as the service. Throws ClientRefused.
 */
export function readDocumentAddress(clientId: string, baseUrl: string): URL {
  const url = URL.parse(clientId)
  const isPlain = url && url.href === clientId && !url.username && !url.password && !clientId.includes('#')
  if (!isPlain || url.hostname.endsWith('.') || url.pathname === '/' || clientId.length > MAX_ADDRESS_LENGTH)
    throw new ClientRefused('The client_id must be a normalized https address with a path and without a fragment.')
  if (url.host === new URL(baseUrl).host)
    throw new ClientRefused('The client_id must not be an address of this service.')
  return url
}

/** Throws ClientRefused. */
export function readDocument(url: URL, text: string): ClientDocument {
  const document = parse(text)
  if (!isRecord(document))
    throw new ClientRefused(message('The client metadata document at {host} is not a JSON object.', { host: url.host }))
  const { client_name: name, redirect_uris: uris } = document
  const requireMember = (member: string, isValid: boolean) => {
    if (isValid) return
    throw new ClientRefused(
      message('In the client metadata document at {host}, {member} is missing or not supported.', {
        host: url.host,
        member,
      }),
    )
  }
  requireMember('client_id', document.client_id === url.href)
  // Anybody can read the document, so it must not contain a secret.
  requireMember('client_secret', document.client_secret === undefined)
  requireMember('client_secret_expires_at', document.client_secret_expires_at === undefined)
  requireMember('token_endpoint_auth_method', allowsNoSecret(document))
  requireMember('grant_types', isAbsentOrIncludes(document.grant_types, 'authorization_code'))
  requireMember('response_types', isAbsentOrIncludes(document.response_types, 'code'))
  requireMember('client_name', isClientName(name))
  const redirectUris = Array.isArray(uris)
    ? uris.slice(0, MAX_REDIRECT_URIS).filter((uri) => typeof uri === 'string' && isAllowedRedirectUri(uri, url.origin))
    : []
  requireMember('redirect_uris', redirectUris.length > 0)
  return { name: String(name).trim(), redirectUris: [...new Set(redirectUris)] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reports whether a client works without a secret. It may prefer a method that this service does not support. */
const allowsNoSecret = ({
  token_endpoint_auth_method: preferred,
  token_endpoint_auth_methods_supported: supported,
}: Readonly<Record<string, unknown>>) =>
  preferred === undefined || preferred === 'none' || (Array.isArray(supported) && supported.includes('none'))

/** Reports whether a redirect URI is an https address on the origin of the document or a loopback address. */
function isAllowedRedirectUri(uri: string, origin: string): boolean {
  const url = URL.parse(uri)
  if (!url || uri.length > MAX_ADDRESS_LENGTH || !/^[\x21-\x7e]+$/.test(uri) || /[#\\]/.test(uri)) return false
  if (url.username || url.password) return false
  if (url.protocol === 'https:') return url.origin === origin && uri.startsWith(`${origin}/`)
  return /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(?=[/?]|$)/.test(uri)
}
