import type { Values } from '../../actions.ts'
import { message } from '../../base/languages/say.ts'
import { isRecord } from '../../base/narrow.ts'
import { type HttpError, notFound } from '../../errors.ts'
import { type ActionRequest, keyOf, narrowing, noRecord } from '../action-request.ts'
import type { Condition, RecordKey } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import type { Registry } from '../declare/registry.ts'
import type { RowLock } from '../declare/row-lock.ts'
import { requireOwner } from '../read/find.ts'
import { findQuery, lockParentsQuery } from '../read/query.ts'
import type { RequestContext } from '../request-context.ts'

/**
 * The id of the record that the path names, locked with its parents unless it is only looked at. Throws 404 where there is none, 403
 * where the caller may not write it.
 */
export async function findForWriting(
  context: RequestContext,
  resource: Resource,
  request: ActionRequest,
  lock: RowLock = 'for no key update of t',
): Promise<number> {
  const key = keyOf(request)
  return find(context, resource, request, { key, lock, missing: () => noRecord(resource, key) })
}

/** The same of the record that a payload names, by the values of these columns. */
export async function findNamed(
  context: RequestContext,
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
  const missing = () =>
    notFound(message('There is no {what} with {values}.', { what: resource.singular, values: said }))
  return find(context, resource, request, { conditions, lock: 'for no key update of t', missing })
}

type Sought = {
  readonly key?: RecordKey
  readonly conditions?: readonly Condition[]
  readonly lock: RowLock
  readonly missing: () => HttpError
}

async function find(
  context: RequestContext,
  resource: Resource,
  request: ActionRequest,
  { key, conditions = [], lock, missing }: Sought,
): Promise<number> {
  const { engine, handle } = context
  const narrowed = [...conditions, ...narrowing(resource, request)]
  for (const parent of lock ? (resource.lockedAfter ?? []) : []) {
    const parents = parentsOf(engine.registry, resource, parent, request)
    const { text, values } = lockParentsQuery(resource, key, narrowed, context, parents)
    await handle.rows(text, values)
  }
  const { text, values } = findQuery(resource, key, narrowed, context, lock)
  const [row] = await handle.rows(text, values)
  if (!row) throw missing()
  const id = Number(row[0])
  await requireOwner(handle, resource, id, request)
  return id
}

type LockedParent = NonNullable<Resource['lockedAfter']>[number]

/** The parents of a record, and the one that the payload names, where it may be one: what is wrong with it is said later. */
function parentsOf(registry: Registry, resource: Resource, parent: LockedParent, { body }: ActionRequest) {
  if (typeof parent !== 'string') {
    const { table, foreignKey, otherKey } = parent
    const own = (records: string) =>
      `select ${quote(otherKey)} from ${quote(table)} where ${quote(foreignKey)} in (select t.id from ${records})`
    return { table: registry.get(parent.resource).table, own, others: [] }
  }
  const { column, references } = resource.stored(parent) ?? {}
  if (column === undefined || references === undefined) throw new Error(`${resource.name}.${parent} refers to nothing`)
  const payload = isRecord(body) ? body[resource.singular] : undefined
  const value = isRecord(payload) ? payload[parent] : undefined
  const sent = typeof value === 'object' ? Number.NaN : Number(value)
  return {
    table: registry.get(references).table,
    own: (records: string) => `select t.${quote(column)} from ${records}`,
    others: Number.isInteger(sent) && sent > 0 && sent <= 2_147_483_647 ? [sent] : [],
  }
}
