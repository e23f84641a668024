import type { Caller } from '../http/caller.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import { decide } from './declare/access.ts'
import type { Route } from './route-table.ts'

/**
 * Decides whether the caller may use the route, and counts a creation that only the own-rule allows: a person has as many in
 * an hour, however many applications they have. Throws the refusal of the route, and 429.
 */
export async function countCreation(limits: RateLimits, route: Route, caller: Caller): Promise<void> {
  const { ownAssociation } = decide(route.access, caller)
  if (route.method === 'POST' && ownAssociation && caller.resourceOwnerId !== null)
    await limits.spendCreation(caller.resourceOwnerId)
}
