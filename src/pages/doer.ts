import type { Doer } from '../domain/audit.ts'
import type { PersonsVisit } from './visit.ts'

/** Whoever visits, as what they do is recorded. */
export const doerOf = ({ person, browser }: PersonsVisit): Doer => ({ userId: person.id, address: browser.address })
