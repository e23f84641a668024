import type { Handle } from '../../database/database.ts'
import { unprocessable } from '../../errors.ts'
import type { ActionRequest } from '../action-request.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { findQuery } from '../read/query.ts'

/** Refuses a new record that is not below what the path names, where no column of its own says so. Throws 422. */
export async function requireBelow(
  tx: Handle,
  { clock }: Engine,
  resource: Resource,
  id: number,
  { parents, caller }: ActionRequest,
): Promise<void> {
  for (const condition of parents) {
    if (typeof condition.association === 'string') continue
    const { text, values } = findQuery(resource, { id }, [condition], { caller, now: clock.now() }, '')
    if ((await tx.rows(text, values)).length > 0) continue
    throw unprocessable({ base: [`does not belong to the ${condition.parent.singular} in the path`] })
  }
}
