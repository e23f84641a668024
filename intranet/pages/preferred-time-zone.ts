import { knownTimeZone } from '@campus/engine/base/time-zones'
import type { Person } from '../access/sessions.ts'

/** Of the zone that was chosen in this browser, else of the person's primary campus, else of the school. */
export const preferredTimeZone = (
  chosen: string | undefined,
  person: Person | undefined,
  { timeZone }: { readonly timeZone: string },
): string => knownTimeZone(chosen) ?? knownTimeZone(person?.timeZone) ?? timeZone
