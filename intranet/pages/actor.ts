import type { Handle } from '@campus/engine/database/database'
import type { Caller } from '@campus/engine/http/caller'
import { ROLES } from '../access/roles.ts'
import { SCOPES } from '../access/scopes.ts'
import type { Actor } from '../services/audit/audit.ts'
import type { PersonPageContext } from './page-context.ts'
import { SITE } from './page-header.ts'

/** Returns the person of the page, as the actor of audit records. */
export const actorOf = ({ person, browser }: PersonPageContext): Actor => ({
  userId: person.id,
  address: browser.address,
})

type By = { readonly actor: Actor; readonly now: Date }

/** Runs `work` in a transaction, with the actor and the time of its audit records. */
export function inTransaction<T>(context: PersonPageContext, work: (tx: Handle, by: By) => Promise<T>): Promise<T> {
  const { database, clock } = context.dependencies
  const by = { actor: actorOf(context), now: clock.now() }
  return database.transaction((tx) => work(tx, by))
}

/** Returns a caller with every scope and no role, like an application that the person allows everything. */
export const callerOf = ({ person }: PersonPageContext): Caller => ({
  application: { id: 0, uid: '', name: SITE, roles: [], ratePerSecond: 0, ratePerHour: 0 },
  scopes: Object.keys(SCOPES),
  resourceOwnerId: person.id,
})

/** Returns a caller with every scope and role. The page must check the person's rights. */
export const callerWithAllRoles = ({ person, browser }: PersonPageContext): Caller => ({
  application: { id: 0, uid: '', name: 'pages', roles: ROLES, ratePerSecond: 0, ratePerHour: 0 },
  scopes: Object.keys(SCOPES),
  resourceOwnerId: person.id,
  address: browser.address,
})
