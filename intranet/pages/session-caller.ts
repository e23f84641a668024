import type { Caller } from '@campus/engine/http/caller'
import { SCOPES } from '../access/scopes.ts'
import type { PersonPageContext } from './page-context.ts'
import { SITE } from './page-header.ts'

/** The rights of any application that the person could allow everything: every scope, and no role. */
export const callerOf = ({ person }: PersonPageContext): Caller => ({
  application: { id: 0, uid: '', name: SITE, roles: [], ratePerSecond: 0, ratePerHour: 0 },
  scopes: Object.keys(SCOPES),
  resourceOwnerId: person.id,
})
