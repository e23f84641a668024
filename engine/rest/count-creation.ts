import type { Caller } from '../http/caller.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import { decide } from './declare/access.ts'
import type { Route } from './route-table.ts'

/**
 * Checks that the caller may use the route, and counts a creation that is allowed only because the record is the caller's own.
 * The limit holds for a person, whatever applications they use. Throws the refusal of the route, or 429.
 */
export async function countCreation(limits: RateLimits, route: Route, caller: Caller): Promise<void> {
  const { ownAssociation } = decide(route.access, caller)
  if (route.method === 'POST' && ownAssociation && caller.resourceOwnerId !== null)
    await limits.spendCreation(caller.resourceOwnerId)
}
