import type { Person } from '../access/sessions.ts'
import { say } from './html.ts'
import { hasReference, REFERENCE_PATH } from './reference-link.ts'

/** The groups of pages in the order of the bar. The pages of the account are in the menu of the person. */
export const GROUPS = ['School', 'Developers', 'Staff', 'Account'] as const
export type Group = (typeof GROUPS)[number]

const GROUP_NAMES: Readonly<Record<Group, () => string>> = {
  School: () => say('School'),
  Developers: () => say('Developers'),
  Staff: () => say('Staff'),
  Account: () => say('Account'),
}

export const groupName = (group: Group): string => GROUP_NAMES[group]()

export type Entry = { readonly path: string; readonly label: () => string; readonly about: () => string }

const ENTRIES: Readonly<Record<Group, readonly Entry[]>> = {
  School: [
    { path: '/people', label: () => say('People'), about: () => say('Find somebody of the school') },
    { path: '/campuses', label: () => say('Campuses'), about: () => say('Who is where, and what takes place') },
    {
      path: '/coalitions',
      label: () => say('Coalitions'),
      about: () => say('How they race, and for what they get points'),
    },
    { path: '/projects', label: () => say('Projects'), about: () => say('What there is to do, and how it goes') },
    { path: '/events', label: () => say('Events'), about: () => say('What takes place, to register for') },
    { path: '/agenda', label: () => say('Agenda'), about: () => say('Your week and month, for your phone too') },
    {
      path: '/evaluations',
      label: () => say('Evaluations'),
      about: () => say('Offer time, book others, see what is to come'),
    },
  ],
  Developers: [
    { path: REFERENCE_PATH, label: () => say('API reference'), about: () => say('How programs call this service') },
    {
      path: '/applications',
      label: () => say('My applications'),
      about: () => say('Register programs that call the API'),
    },
    {
      path: '/public-applications',
      label: () => say('Public applications'),
      about: () => say('What others of the school have made'),
    },
  ],
  Staff: [
    { path: '/staff/users', label: () => say('Users'), about: () => say('Find people, close and open accounts') },
    { path: '/staff/records', label: () => say('Records'), about: () => say('Find and change any record of the API') },
    { path: '/staff/roles', label: () => say('Roles'), about: () => say('Who has which, and what each may do') },
    { path: '/staff/second-factor', label: () => say('Second factor'), about: () => say('Who has to have one') },
    {
      path: '/staff/applications',
      label: () => say('All applications'),
      about: () => say('Give applications roles and rates'),
    },
    {
      path: '/staff/endpoints',
      label: () => say('Webservices'),
      about: () => say('What campuses learn about their users'),
    },
    { path: '/staff/audit', label: () => say('Audit log'), about: () => say('Who did what, on whom and when') },
    {
      path: '/staff/jobs',
      label: () => say('Background work'),
      about: () => say('Which process does what, and when it last did'),
    },
    { path: '/staff/doctor', label: () => say('Doctor'), about: () => say('Whether all is well, and what to do') },
  ],
  Account: [
    { path: '/security', label: () => say('Sessions and security'), about: () => say('Password, passkeys, browsers') },
    { path: '/authorisations', label: () => say('Authorised applications'), about: () => say('What may act for you') },
  ],
}

/** Returns the entries of a group that a person may open. Visitors may open only the reference. */
export const entriesOf = (group: Group, person: Person | undefined): readonly Entry[] =>
  ENTRIES[group].filter(({ path }) => {
    if (path === REFERENCE_PATH) return hasReference()
    return person !== undefined && (group !== 'Staff' || person.isStaff)
  })

export const entryAbove = (path: string): Entry | undefined =>
  Object.values(ENTRIES)
    .flat()
    .find((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
