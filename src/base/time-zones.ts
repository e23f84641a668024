import type { MessageKey } from './languages/languages.ts'

export const TIME_ZONE_RULE: MessageKey = 'must be the IANA name of a time zone, such as Europe/Paris'

/** A zone by the name that the database knows too, or undefined when there is none. */
export function knownTimeZone(text: unknown): string | undefined {
  try {
    if (typeof text !== 'string' || !/^[A-Za-z]/.test(text)) return undefined
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
