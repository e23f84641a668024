import { message } from '../../base/languages/say.ts'
import { isRecord } from '../../base/narrow.ts'
import { hidesText } from '../../base/text/hidden-text.ts'
import { AnsweredError } from '../../errors.ts'

/** A client or its document is refused, in words for the person who is asked about it. */
export class DocumentRefused extends AnsweredError {}

/** The part of a client ID metadata document that this service uses (draft-ietf-oauth-client-id-metadata-document-00). */
export type ClientDocument = {
  readonly name: string
  /** Addresses on the document's own origin and on the person's own machine. */
  readonly redirectUris: readonly string[]
}

const MAX_ADDRESS = 500
const MAX_NAME = 100
const MAX_REDIRECT_URIS = 50

/** Whether a client_id is the address of a document and not the id of a registered application. */
export const isDocumentAddress = (clientId: string): boolean => clientId.startsWith('https://')

/**
 * Reads the address of a document (§3). It must be in its normalized form, so that two addresses of one document are not
 * two clients, and its host is ASCII. Throws DocumentRefused.
 */
export function readDocumentAddress(clientId: string): URL {
  const url = URL.parse(clientId)
  const isPlain = url && url.href === clientId && !url.username && !url.password && !clientId.includes('#')
  if (isPlain && url.pathname !== '/' && clientId.length <= MAX_ADDRESS) return url
  throw new DocumentRefused('The client_id must be a normalized https address with a path and without a fragment.')
}

/** Reads the JSON of a document (§4). Throws DocumentRefused. */
export function readDocument(url: URL, text: string): ClientDocument {
  const document = parse(text)
  if (!isRecord(document))
    throw new DocumentRefused(
      message('The client metadata document at {host} is not a JSON object.', { host: url.host }),
    )
  const { client_name: name, redirect_uris: uris } = document
  const require = (member: string, isValid: boolean) => {
    if (isValid) return
    throw new DocumentRefused(
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
  require('token_endpoint_auth_method', isOptionally(document.token_endpoint_auth_method, 'none'))
  require('grant_types', includesOptionally(document.grant_types, 'authorization_code'))
  require('response_types', includesOptionally(document.response_types, 'code'))
  const isName = typeof name === 'string' && isShownText(name)
  require('client_name', isName)
  const redirectUris = Array.isArray(uris)
    ? uris.slice(0, MAX_REDIRECT_URIS).filter((uri) => typeof uri === 'string' && isAllowed(uri, url.origin))
    : []
  require('redirect_uris', redirectUris.length > 0)
  return { name: isName ? name.trim() : '', redirectUris: [...new Set(redirectUris)] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isOptionally = (value: unknown, expected: string) => value === undefined || value === expected

const includesOptionally = (values: unknown, expected: string) =>
  values === undefined || (Array.isArray(values) && values.includes(expected))

const isShownText = (text: string) =>
  text.trim() !== '' && [...text].length <= MAX_NAME && !/\p{Cc}/u.test(text) && !hidesText(text)

/** Whoever controls the origin of a document controls its https addresses, and nobody else's. */
function isAllowed(uri: string, origin: string): boolean {
  const url = URL.parse(uri)
  if (!url || uri.length > MAX_ADDRESS || !/^[\x21-\x7e]+$/.test(uri) || /[#\\]/.test(uri)) return false
  if (url.username || url.password) return false
  if (url.protocol === 'https:') return url.origin === origin && uri.startsWith(`${origin}/`)
  return /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(?=[/?]|$)/.test(uri)
}
