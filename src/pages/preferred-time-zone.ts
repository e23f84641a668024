import { knownTimeZone } from '../base/time-zones.ts'
import type { Person } from '../domain/access/sessions.ts'

/** Of the zone that was chosen in this browser, else of the person's primary campus, else of the school. */
export const preferredTimeZone = (
  chosen: string | undefined,
  person: Person | undefined,
  { timeZone }: { readonly timeZone: string },
): string => knownTimeZone(chosen) ?? knownTimeZone(person?.timeZone) ?? timeZone
