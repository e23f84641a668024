import { message } from '../../base/languages/say.ts'
import { isRecord } from '../../base/narrow.ts'
import { ClientRefused, includesOptionally, isClientName } from '../unregistered-clients.ts'

/** The part of a client ID metadata document that this service uses (draft-ietf-oauth-client-id-metadata-document-00). */
export type ClientDocument = {
  readonly name: string
  /** Addresses on the document's own origin and on the person's own machine. */
  readonly redirectUris: readonly string[]
}

const MAX_ADDRESS = 500
const MAX_REDIRECT_URIS = 50

/**
 * Reads the address of a document. It must be in its normalized form, so that two addresses of one document are not
 * two clients, and its host is ASCII. Nobody may pose as the service by a file that the service publishes. Throws
 * ClientRefused.
 */
export function readDocumentAddress(clientId: string, baseUrl: string): URL {
  const url = URL.parse(clientId)
  const isPlain = url && url.href === clientId && !url.username && !url.password && !clientId.includes('#')
  if (!isPlain || url.hostname.endsWith('.') || url.pathname === '/' || clientId.length > MAX_ADDRESS)
    throw new ClientRefused('The client_id must be a normalized https address with a path and without a fragment.')
  if (url.host === new URL(baseUrl).host)
    throw new ClientRefused('The client_id must not be an address of this service.')
  return url
}

/** Reads the JSON of a document. Throws ClientRefused. */
export function readDocument(url: URL, text: string): ClientDocument {
  const document = parse(text)
  if (!isRecord(document))
    throw new ClientRefused(message('The client metadata document at {host} is not a JSON object.', { host: url.host }))
  const { client_name: name, redirect_uris: uris } = document
  const require = (member: string, isValid: boolean) => {
    if (isValid) return
    throw new ClientRefused(
      message('In the client metadata document at {host}, {member} is missing or not supported.', {
        host: url.host,
        member,
      }),
    )
  }
  require('client_id', document.client_id === url.href)
  // A document that anybody reads holds no secret.
  require('client_secret', document.client_secret === undefined)
  require('client_secret_expires_at', document.client_secret_expires_at === undefined)
  require('token_endpoint_auth_method', allowsNoSecret(document))
  require('grant_types', includesOptionally(document.grant_types, 'authorization_code'))
  require('response_types', includesOptionally(document.response_types, 'code'))
  require('client_name', isClientName(name))
  const redirectUris = Array.isArray(uris)
    ? uris.slice(0, MAX_REDIRECT_URIS).filter((uri) => typeof uri === 'string' && isAllowed(uri, url.origin))
    : []
  require('redirect_uris', redirectUris.length > 0)
  return { name: String(name).trim(), redirectUris: [...new Set(redirectUris)] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A client may prefer a key to which this service has no use, and list the methods that it supports besides. */
const allowsNoSecret = ({
  token_endpoint_auth_method: preferred,
  token_endpoint_auth_methods_supported: supported,
}: Readonly<Record<string, unknown>>) =>
  preferred === undefined || preferred === 'none' || (Array.isArray(supported) && supported.includes('none'))

/** The owner of a document's origin controls the https addresses on it, and no others. */
function isAllowed(uri: string, origin: string): boolean {
  const url = URL.parse(uri)
  if (!url || uri.length > MAX_ADDRESS || !/^[\x21-\x7e]+$/.test(uri) || /[#\\]/.test(uri)) return false
  if (url.username || url.password) return false
  if (url.protocol === 'https:') return url.origin === origin && uri.startsWith(`${origin}/`)
  return /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(?=[/?]|$)/.test(uri)
}
