import type { Caller } from '../http/caller.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import { decide } from './declare/access.ts'
import type { Route } from './route-table.ts'

/** Checks access, and counts creations allowed only because the record is the caller's own. Throws 403 and 429. */
export async function countCreation(limits: RateLimits, route: Route, caller: Caller): Promise<void> {
  const { ownAssociation } = decide(route.access, caller)
  if (route.method === 'POST' && ownAssociation && caller.resourceOwnerId !== null)
    await limits.spendCreation(caller.resourceOwnerId)
}
