import type { Values } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'
import { type HttpError, notFound } from '../../errors.ts'
import { type ActionRequest, keyOf, narrowing, noRecord, requireOwner } from '../action-request.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import type { Condition, RecordKey } from '../read/plan.ts'
import { findQuery } from '../read/query.ts'

/** The id of the record that the path names. Throws 404 where there is none, 403 where the caller may not write it. */
export async function findForWriting(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
): Promise<number> {
  const key = keyOf(request)
  return find(tx, engine, resource, request, { key, missing: () => noRecord(resource, key) })
}

/** The same of the record that a payload names, by the values of these columns. */
export async function findNamed(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
  names: readonly string[],
  values: Values,
): Promise<number> {
  const conditions = names.map((name): Condition => {
    const type = resource.stored(name)?.kind
    if (!type) throw new Error(`${resource.name} has no column ${name}`)
    return { kind: 'filter', name, type, values: [values[name] ?? null] }
  })
  const said = names.map((name) => `${name} ${values[name]}`).join(' and ')
  const missing = () => notFound(`There is no ${resource.singular} with ${said}.`)
  return find(tx, engine, resource, request, { conditions, missing })
}

type Sought = {
  readonly key?: RecordKey
  readonly conditions?: readonly Condition[]
  readonly missing: () => HttpError
}

async function find(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
  { key, conditions = [], missing }: Sought,
): Promise<number> {
  const view = { caller: request.caller, now: engine.clock.now() }
  const { text, values } = findQuery(resource, key, [...conditions, ...narrowing(resource, request)], view)
  const [row] = await tx.rows(text, values)
  if (!row) throw missing()
  const id = Number(row[0])
  await requireOwner(tx, resource, id, request)
  return id
}
