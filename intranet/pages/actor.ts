import type { Caller } from '@campus/engine/http/caller'
import { ROLES } from '../access/roles.ts'
import { SCOPES } from '../access/scopes.ts'
import type { Actor } from '../services/audit/audit.ts'
import type { PersonPageContext } from './page-context.ts'

/** The person of the page, as the actor of what is recorded. */
export const actorOf = ({ person, browser }: PersonPageContext): Actor => ({
  userId: person.id,
  address: browser.address,
})

/**
 * A member of the staff as a caller of the API: pages write by the API's own actions. The page checks the right to it.
 */
export const callerOf = ({ person, browser }: PersonPageContext): Caller => ({
  application: { id: 0, uid: '', name: 'pages', roles: ROLES, ratePerSecond: 0, ratePerHour: 0 },
  scopes: Object.keys(SCOPES),
  resourceOwnerId: person.id,
  address: browser.address,
})
