import type { MessageKey } from './languages/dictionary.ts'

export const TIME_ZONE_RULE: MessageKey = 'must be the IANA name of a time zone, such as Europe/Paris'

/** Returns the name of a time zone in its usual case, or undefined if it is unknown. Keeps aliases such as `Asia/Kolkata`. */
export function knownTimeZone(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const zone = primaryNameOf(text)
  return zone === undefined || zone.toLowerCase() === text.toLowerCase() ? zone : text
}

/** Returns the name that Node.js uses for all aliases of a time zone, or undefined if it is unknown. */
export function primaryNameOf(text: string): string | undefined {
  try {
    if (!/^[A-Za-z]/.test(text)) return undefined
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
