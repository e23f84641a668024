import { message } from '@campus/engine/base/languages/say'
import { hidesText } from '@campus/engine/base/text/hidden-text'
import type { ValidationErrors } from '@campus/engine/validation-errors'

const MAX_URIS = 20
const MAX_URI = 2048

export type Allowed = {
  /** Present addresses, which stay valid. */
  readonly known: readonly string[]
  /** Operators may use schemes without a dot, such as `swifty-companion://`. */
  readonly byOperator: boolean
}

/** Returns the addresses without repetitions. Adds faults to `errors`. */
export function checkRedirectUris(
  errors: ValidationErrors,
  field: string,
  uris: readonly string[],
  { known, byOperator }: Allowed,
): string[] {
  if (uris.length > MAX_URIS) errors.add(field, message('must be at most {most}', { most: MAX_URIS }))
  for (const uri of uris.slice(0, MAX_URIS)) {
    if (known.includes(uri) || isRedirectUri(uri, byOperator)) continue
    const shown = uri.length > 100 ? `${uri.slice(0, 100)}…` : uri
    errors.add(
      field,
      message(
        'must be absolute https addresses (http for this machine only), or of a scheme of the application such as org.example.app:/back, without a fragment; "{shown}" is not',
        { shown },
      ),
    )
  }
  return [...new Set(uris)]
}

/** A loopback address in its normal form. Other forms, such as letters that a parser maps to `localhost`, are refused. */
const LOOPBACK = /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(?=[:/?]|$)/i

const HOST = /^([\w.-]+|\[[\da-f:.]+\])$/i

/** Reports whether an application may have this redirect address. */
export function isRedirectUri(text: string, byOperator: boolean): boolean {
  const url = URL.parse(text)
  if (!url || text.length > MAX_URI || text.includes('#') || /[\s\p{Cc}\\]/u.test(text)) return false
  if (hidesText(text)) return false
  if (url.username || url.password) return false
  if (url.protocol === 'https:') return /^https:\/\/[^/]/i.test(text) && HOST.test(url.hostname)
  if (url.protocol === 'http:') return LOOPBACK.test(text)
  const scheme = url.protocol.slice(0, -1)
  return PRIVATE_USE.test(scheme) || (byOperator && /^[a-z][a-z0-9-]*$/.test(scheme) && !NOT_PRIVATE.has(scheme))
}

/** RFC 8252 §7.1: the scheme is a reversed domain name of the application's maker. */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/

/** Schemes that run scripts, read files, or open what browsers and systems handle themselves. */
const NOT_PRIVATE: ReadonlySet<string> = new Set([
  ...['javascript', 'data', 'file', 'vbscript', 'blob', 'about', 'filesystem', 'view-source', 'chrome', 'resource'],
  ...['http', 'https', 'ws', 'wss', 'ftp', 'ftps', 'sftp', 'ssh', 'telnet', 'ldap', 'smb', 'jar', 'intent', 'content'],
  ...['mailto', 'tel', 'sms', 'facetime', 'callto', 'urn', 'cid', 'mid'],
])
