import type { Person } from '../domain/sessions.ts'
import type { PageAccess } from './page.ts'

/** A page that every other one links to, for those who may see it. */
type Entry = { readonly path: string; readonly label: string; readonly access: PageAccess }

const ENTRIES: readonly Entry[] = [
  { path: '/', label: 'Home', access: 'anybody' },
  { path: '/apidoc', label: 'API reference', access: 'anybody' },
]

/** What somebody finds in the navigation. */
export const entriesFor = (person: Person | undefined): readonly Entry[] =>
  ENTRIES.filter(({ access }) => access === 'anybody' || (person && (access === 'signed-in' || person.isStaff)))
