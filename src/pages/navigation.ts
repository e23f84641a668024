import type { Person } from '../domain/sessions.ts'
import type { PageAccess } from './page.ts'

/** A page that every other one links to, for those who may see it. */
type Entry = {
  readonly path: string
  readonly label: string
  readonly access: PageAccess
  /** What is done there, as Home says it. */
  readonly about: string
}

const ENTRIES: readonly Entry[] = [
  { path: '/', label: 'Home', access: 'anybody', about: 'What this is' },
  {
    path: '/apidoc',
    label: 'API reference',
    access: 'anybody',
    about: 'Read how programs call this service, and try it',
  },
  {
    path: '/applications',
    label: 'My applications',
    access: 'signed-in',
    about: 'Register programs of yours that call the API, change them, see their calls',
  },
  {
    path: '/authorisations',
    label: 'Authorised applications',
    access: 'signed-in',
    about: 'See what may act for you, and take it back',
  },
  {
    path: '/public-applications',
    label: 'Public applications',
    access: 'signed-in',
    about: 'See what others of the school have made',
  },
  {
    path: '/security',
    label: 'Sessions and security',
    access: 'signed-in',
    about: 'Change your password, set up a second factor, sign out elsewhere',
  },
  {
    path: '/staff/applications',
    label: 'All applications',
    access: 'staff',
    about: 'Give applications roles and rates',
  },
  {
    path: '/staff/users',
    label: 'Users',
    access: 'staff',
    about: 'Find people, close and open accounts, create reset links',
  },
  {
    path: '/staff/endpoints',
    label: 'Webservices',
    access: 'staff',
    about: 'See what campuses are told of their users, and tell it again',
  },
]

/** What somebody finds in the navigation. */
export const entriesFor = (person: Person | undefined): readonly Entry[] =>
  ENTRIES.filter(({ access }) => access === 'anybody' || (person && (access === 'signed-in' || person.isStaff)))
