import type { Actor } from '../audit/audit.ts'
import type { PersonsVisit } from './visit.ts'

/** Whoever visits, as what they do is recorded. */
export const actorOf = ({ person, browser }: PersonsVisit): Actor => ({ userId: person.id, address: browser.address })
