import { hidesText } from '@campus/engine/base/text/hidden-text'

const MAX_LENGTH = 200

/**
 * An address of unknown origin, to be read and never followed: without its query, where secrets may be, and without
 * user information, which could disguise the host. Undefined where it is no address, so that no foreign text is shown.
 */
export function shownAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || text.length > 2048 || url.username || url.password || hidesText(text)) return undefined
  const address = url.host ? `${url.protocol}//${url.host}${url.pathname}` : `${url.protocol}${url.pathname}`
  // Percent-encoded text could read as a message.
  if (!/^[\w.~:/[\]-]+$/.test(address)) return undefined
  return address.length > MAX_LENGTH ? `${address.slice(0, MAX_LENGTH)}…` : address
}
