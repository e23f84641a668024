import { message } from '../../base/languages/say.ts'
import { hidesText } from '../../base/text/hidden-text.ts'
import type { ValidationErrors } from '../../validation-errors.ts'

const MAX_URIS = 20
const MAX_URI = 2048

/** Whether the application can keep a secret; one that cannot may use a private scheme. */
export type Bearer = { readonly confidential: boolean }

/** The redirect addresses without repetitions; what is wrong with them is added to `errors`. */
export function checkRedirectUris(
  errors: ValidationErrors,
  field: string,
  uris: readonly string[],
  bearer: Bearer,
): string[] {
  if (uris.length > MAX_URIS) errors.add(field, message('must be at most {most}', { most: MAX_URIS }))
  for (const uri of uris.slice(0, MAX_URIS)) {
    if (isRedirectUri(uri, bearer)) continue
    const also = bearer.confidential ? '' : ', or of a scheme of the application such as org.example.app:/back,'
    const shown = uri.length > 100 ? `${uri.slice(0, 100)}…` : uri
    errors.add(
      field,
      message(
        'must be absolute https addresses (http for this machine only){also} without a fragment; "{shown}" is not',
        { also, shown },
      ),
    )
  }
  return [...new Set(uris)]
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

function isRedirectUri(text: string, { confidential }: Bearer): boolean {
  const url = URL.parse(text)
  if (!url || text.length > MAX_URI || text.includes('#') || /[\s\p{Cc}\\]/u.test(text)) return false
  if (hidesText(text)) return false
  if (url.username || url.password) return false
  if (url.protocol === 'https:') return /^https:\/\/[^/]/i.test(text)
  if (url.protocol === 'http:') return LOOPBACK.test(url.hostname) && /^http:\/\/[^/]/i.test(text)
  return !confidential && isPrivateUse(url)
}

/** RFC 8252 §7.1: the scheme is a domain name of the application's maker, turned around. */
const isPrivateUse = ({ protocol }: URL) => /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol)
