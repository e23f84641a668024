import type { Person } from '../access/sessions.ts'
import { say } from './html.ts'
import type { PageAccess } from './page.ts'
import { hasReference, REFERENCE_PATH } from './reference-link.ts'

/** What the pages are about, in the order of the bar; the account's are in the menu of the person. */
export const GROUPS = ['School', 'Developers', 'Staff', 'Account'] as const
export type Group = (typeof GROUPS)[number]

const GROUP_NAMES: Readonly<Record<Group, () => string>> = {
  School: () => say('School'),
  Developers: () => say('Developers'),
  Staff: () => say('Staff'),
  Account: () => say('Account'),
}

/** As a reader sees it. */
export const groupName = (group: Group): string => GROUP_NAMES[group]()

/** A page that every other one links to, for those who may see it. */
export type Entry = {
  readonly group: Group
  readonly path: string
  readonly label: () => string
  readonly access: PageAccess
  /** What is done there, as the menu says it. */
  readonly about: () => string
}

const ENTRIES: readonly Entry[] = [
  {
    group: 'School',
    path: '/people',
    label: () => say('People'),
    access: 'signed-in',
    about: () => say('Find somebody of the school'),
  },
  {
    group: 'School',
    path: '/campuses',
    label: () => say('Campuses'),
    access: 'signed-in',
    about: () => say('Who is where, and what takes place'),
  },
  {
    group: 'School',
    path: '/coalitions',
    label: () => say('Coalitions'),
    access: 'signed-in',
    about: () => say('How they race, and for what they get points'),
  },
  {
    group: 'School',
    path: '/projects',
    label: () => say('Projects'),
    access: 'signed-in',
    about: () => say('What there is to do, and how it goes'),
  },
  {
    group: 'School',
    path: '/events',
    label: () => say('Events'),
    access: 'signed-in',
    about: () => say('What takes place, to register for'),
  },
  {
    group: 'School',
    path: '/agenda',
    label: () => say('Agenda'),
    access: 'signed-in',
    about: () => say('Your week and month, for your phone too'),
  },
  {
    group: 'School',
    path: '/evaluations',
    label: () => say('Evaluations'),
    access: 'signed-in',
    about: () => say('Offer time, book others, see what is to come'),
  },
  {
    group: 'Developers',
    path: REFERENCE_PATH,
    label: () => say('API reference'),
    access: 'anybody',
    about: () => say('How programs call this service'),
  },
  {
    group: 'Developers',
    path: '/applications',
    label: () => say('My applications'),
    access: 'signed-in',
    about: () => say('Register programs that call the API'),
  },
  {
    group: 'Developers',
    path: '/public-applications',
    label: () => say('Public applications'),
    access: 'signed-in',
    about: () => say('What others of the school have made'),
  },
  {
    group: 'Staff',
    path: '/staff/users',
    label: () => say('Users'),
    access: 'staff',
    about: () => say('Find people, close and open accounts'),
  },
  {
    group: 'Staff',
    path: '/staff/records',
    label: () => say('Records'),
    access: 'staff',
    about: () => say('Find and change any record of the API'),
  },
  {
    group: 'Staff',
    path: '/staff/roles',
    label: () => say('Roles'),
    access: 'staff',
    about: () => say('Who has which, and what each may do'),
  },
  {
    group: 'Staff',
    path: '/staff/second-factor',
    label: () => say('Second factor'),
    access: 'staff',
    about: () => say('Who has to have one'),
  },
  {
    group: 'Staff',
    path: '/staff/applications',
    label: () => say('All applications'),
    access: 'staff',
    about: () => say('Give applications roles and rates'),
  },
  {
    group: 'Staff',
    path: '/staff/endpoints',
    label: () => say('Webservices'),
    access: 'staff',
    about: () => say('What campuses learn about their users'),
  },
  {
    group: 'Staff',
    path: '/staff/audit',
    label: () => say('Audit log'),
    access: 'staff',
    about: () => say('Who did what, on whom and when'),
  },
  {
    group: 'Staff',
    path: '/staff/jobs',
    label: () => say('Background work'),
    access: 'staff',
    about: () => say('Which process does what, and when it last did'),
  },
  {
    group: 'Staff',
    path: '/staff/doctor',
    label: () => say('Doctor'),
    access: 'staff',
    about: () => say('Whether all is well, and what to do'),
  },
  {
    group: 'Account',
    path: '/security',
    label: () => say('Sessions and security'),
    access: 'signed-in',
    about: () => say('Password, passkeys, browsers'),
  },
  {
    group: 'Account',
    path: '/authorisations',
    label: () => say('Authorised applications'),
    access: 'signed-in',
    about: () => say('What may act for you'),
  },
]

/** The entries of a group that a user may see. */
export const entriesOf = (group: Group, person: Person | undefined): readonly Entry[] =>
  ENTRIES.filter(
    (entry) =>
      entry.group === group &&
      (entry.path !== REFERENCE_PATH || hasReference()) &&
      (entry.access === 'anybody' || (person && (entry.access === 'signed-in' || person.isStaff))),
  )

/** The entry that the page at this path belongs to. */
export const entryAbove = (path: string): Entry | undefined =>
  ENTRIES.find((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
