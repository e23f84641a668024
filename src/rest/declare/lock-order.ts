import type { Registry } from './registry.ts'

/**
 * The order in which a transaction locks rows of several tables; of one table by their ids. Parents come before their records, since
 * who deletes a parent locks it before them. People come late: what is about a team or a close changes their points and accounts.
 */
export const LOCK_ORDER = [
  ...['topics', 'messages', 'votes'],
  ...['coalitions', 'coalitions_users', 'scores'],
  ...['events', 'exams', 'events_users', 'exams_users', 'waitlists'],
  ...['teams', 'teams_users', 'scale_teams', 'feedbacks', 'slots'],
  ...['closes', 'community_services', 'applications'],
  ...['users', 'campus_users', 'projects_users', 'experiences', 'cursus_users', 'pools'],
]

/** Throws where a declaration locks a parent after what it is a parent of. */
export function checkLockOrder(registry: Registry): void {
  for (const { name, table, lockedAfter = [], stored } of registry.resources) {
    for (const parent of lockedAfter) {
      const resource = typeof parent === 'string' ? stored(parent)?.references : parent.resource
      if (resource === undefined) throw new Error(`${name}.lockedAfter: ${parent} refers to nothing`)
      const [first, second] = [LOCK_ORDER.indexOf(registry.get(resource).table), LOCK_ORDER.indexOf(table)]
      if (first === -1 || second <= first)
        throw new Error(`${name}.lockedAfter: ${resource} is not before ${table} in LOCK_ORDER`)
    }
  }
}
