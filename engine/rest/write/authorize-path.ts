import { HttpError } from '../../errors.ts'
import type { ActionRequest } from '../action-request.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { findParents, valuesOfPath } from '../read/find.ts'
import { requireOwn } from './authorize.ts'
import { requireWritable } from './lock.ts'

/** Throws 403 before the body is read. The write reports a missing record, and a repeated request is replayed. */
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
