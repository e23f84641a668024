import { HttpError } from '../../errors.ts'
import type { ActionRequest } from '../action-request.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { findParents } from '../read/find.ts'
import { requireOwn, valuesOfPath } from './authorize.ts'
import { requireWritable } from './lock.ts'

/**
 * Refuses, before the body is read, a caller who may write only records of their own and names one of somebody else in the path. Throws 403.
 * A record that is missing is left to the write, as is a repeated request: what it was once allowed is answered again.
 */
export async function authorizePath(
  engine: Engine,
  { action, resource }: { readonly action: string; readonly resource: Resource },
  request: ActionRequest,
): Promise<void> {
  if (request.idempotent) return
  try {
    if (action === 'create') requireOwn(request, valuesOfPath(await findParents(engine.database, request.parents)))
    else await requireWritable(engine, resource, request)
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 404)) throw error
  }
}
