import type { Person } from '../domain/sessions.ts'
import type { PageAccess } from './page.ts'

/** A page that every other one links to, for those who may see it. */
type Entry = { readonly path: string; readonly label: string; readonly access: PageAccess }

const ENTRIES: readonly Entry[] = [
  { path: '/', label: 'Home', access: 'anybody' },
  { path: '/applications', label: 'My applications', access: 'signed-in' },
  { path: '/authorisations', label: 'Authorised applications', access: 'signed-in' },
  { path: '/public-applications', label: 'Public applications', access: 'signed-in' },
  { path: '/security', label: 'Sessions and security', access: 'signed-in' },
  { path: '/staff/applications', label: 'All applications', access: 'staff' },
  { path: '/staff/users', label: 'Users', access: 'staff' },
]

/** What somebody finds in the navigation. */
export const entriesFor = (person: Person | undefined): readonly Entry[] =>
  ENTRIES.filter(({ access }) => access === 'anybody' || (person && (access === 'signed-in' || person.isStaff)))
