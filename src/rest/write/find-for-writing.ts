import type { Handle } from '../../database/database.ts'
import { type ActionRequest, keyOf, narrowing, noRecord, requireOwner } from '../action-request.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { findQuery } from '../read/query.ts'

/** The id of the record that the path names. Throws 404 where there is none, 403 where the caller may not write it. */
export async function findForWriting(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
): Promise<number> {
  const view = { caller: request.caller, now: engine.clock.now() }
  const { text, values } = findQuery(resource, keyOf(request), narrowing(resource, request), view)
  const [row] = await tx.rows(text, values)
  if (!row) throw noRecord(resource, keyOf(request))
  const id = Number(row[0])
  await requireOwner(tx, resource, id, request)
  return id
}
