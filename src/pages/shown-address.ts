import { hidesText } from '../hidden-text.ts'

const MAX_LENGTH = 200

/**
 * An address that somebody else chose, to be read on a page and never followed: without its query, where secrets stand, and
 * without what hides who is behind it. Undefined where it is no address, so that nobody's sentences stand on our pages.
 */
export function shownAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || text.length > 2048 || url.username || url.password || hidesText(text)) return undefined
  const address = url.host ? `${url.protocol}//${url.host}${url.pathname}` : `${url.protocol}${url.pathname}`
  // Percent signs are how sentences look in an address.
  if (!/^[\w.~:/[\]-]+$/.test(address)) return undefined
  return address.length > MAX_LENGTH ? `${address.slice(0, MAX_LENGTH)}…` : address
}
