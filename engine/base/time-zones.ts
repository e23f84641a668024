import type { MessageKey } from './languages/dictionary.ts'

export const TIME_ZONE_RULE: MessageKey = 'must be the IANA name of a time zone, such as Europe/Paris'

/**
 * Returns the name of a time zone in its usual case, or undefined if there is no such zone. Keeps a name that Node would replace by
 * an older one (`Asia/Kolkata`).
 */
export function knownTimeZone(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const zone = primaryNameOf(text)
  return zone === undefined || zone.toLowerCase() === text.toLowerCase() ? zone : text
}

/** Returns Node's name of a time zone, which all names of the zone share, or undefined if there is no such zone. */
export function primaryNameOf(text: string): string | undefined {
  try {
    if (!/^[A-Za-z]/.test(text)) return undefined
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
