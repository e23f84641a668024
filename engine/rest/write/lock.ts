import type { Values } from '../../actions.ts'
import { message } from '../../base/languages/say.ts'
import { isRecord } from '../../base/narrow.ts'
import type { Handle } from '../../database/database.ts'
import { notFound } from '../../errors.ts'
import { type ActionRequest, keyOf, narrowing, noRecord } from '../action-request.ts'
import type { Condition, RecordKey } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { MAX_INTEGER } from '../declare/fields/kinds.ts'
import { quote } from '../declare/identifiers.ts'
import type { Registry } from '../declare/registry.ts'
import type { RowLock } from '../declare/row-lock.ts'
import type { Engine } from '../engine.ts'
import { requireOwner } from '../read/find.ts'
import { findQuery, lockParentsQuery } from '../read/query.ts'
import { type RequestContext, requestContext, type WriteContext } from '../request-context.ts'
import { keyColumn } from './parse.ts'
import { sourceOf } from './unwrap.ts'

/** The time of the context is taken after the lock, so that times follow the order of writes. */
type Locked = { readonly id: number; readonly context: WriteContext }

/** Locks the parents, then the record in the path. Throws 403 and 404. */
export async function lockRecord(
  context: WriteContext,
  resource: Resource,
  request: ActionRequest,
  lock: RowLock = 'for no key update of t',
): Promise<Locked> {
  const key = keyOf(request)
  const id = await findWritable(context, resource, request, { key, lock })
  if (id === undefined) throw noRecord(resource, key)
  return { id, context: atCurrentTime(context) }
}

/** Locks the record with these values. Throws 403 and 404. */
export async function lockNamed(
  context: WriteContext,
  resource: Resource,
  request: ActionRequest,
  names: readonly string[],
  values: Values,
): Promise<Locked> {
  const conditions = names.map((name): Condition => {
    const type = resource.stored(name)?.kind
    if (!type) throw new Error(`${resource.name} has no column ${name}`)
    return { kind: 'filter', name, type, values: [values[name] ?? null] }
  })
  const id = await findWritable(context, resource, request, { conditions, lock: 'for no key update of t' })
  if (id === undefined) {
    const said = names.map((name) => `${name} ${values[name]}`).join(' and ')
    throw notFound(message('There is no {what} with {values}.', { what: resource.singular, values: said }))
  }
  return { id, context: atCurrentTime(context) }
}

const atCurrentTime = (context: WriteContext): WriteContext => ({ ...context, now: context.engine.clock.now() })

/** Checks, without a transaction, that the caller may write the record. Throws 403 and 404. */
export async function requireWritable(engine: Engine, resource: Resource, request: ActionRequest): Promise<void> {
  const key = keyOf(request)
  const id = await findWritable(requestContext(engine, request.caller), resource, request, { key, lock: '' })
  if (id === undefined) throw noRecord(resource, key)
}

/** Returns the row lock that the fields of a payload need. Ignores an invalid payload, which a later step refuses. */
export function lockForPayload(registry: Registry, resource: Resource, request: Pick<ActionRequest, 'body' | 'query'>) {
  const whole = sourceOf(request)
  const source = isRecord(whole) ? whole : undefined
  const inside = source?.[resource.singular] ?? (resource.payload?.mayBeBare ? source : undefined)
  return lockFor(registry, resource, typeof inside === 'object' && inside !== null ? Object.keys(inside) : [])
}

/** Returns `for update` if a field is a unique key. Two transactions that upgrade a weaker lock would deadlock. */
export function lockFor(registry: Registry, { table, stored }: Resource, fields: readonly string[]): RowLock {
  const isKey = (field: string) => registry.isKey(table, stored(field)?.column ?? field)
  return fields.some(isKey) ? 'for update of t' : 'for no key update of t'
}

type Sought = {
  readonly key?: RecordKey
  readonly conditions?: readonly Condition[]
  readonly lock: RowLock
}

/** Locks the parents, then the record, and returns its id. Throws 403. */
async function findWritable(
  context: RequestContext,
  resource: Resource,
  request: ActionRequest,
  { key, conditions = [], lock }: Sought,
): Promise<number | undefined> {
  const { engine, handle } = context
  const narrowed = [...conditions, ...narrowing(resource, request)]
  for (const parent of lock ? (resource.lockedAfter ?? []) : []) {
    const parents = parentsOf(engine.registry, resource, parent, request)
    const { text, values } = lockParentsQuery(resource, key, narrowed, context, parents)
    await handle.rows(text, values)
  }
  const { text, values } = findQuery(resource, key, narrowed, context, lock)
  const [row] = await handle.rows(text, values)
  if (!row) return undefined
  const id = Number(row[0])
  await requireOwner(handle, resource, id, request)
  return id
}

type LockedParent = NonNullable<Resource['lockedAfter']>[number]

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
    others: Number.isInteger(sent) && sent > 0 && sent <= MAX_INTEGER ? [sent] : [],
  }
}

export async function lockElement(tx: Handle, resource: Resource, by: string, holderId: number, named: number) {
  const [table, key] = [quote(resource.table), quote(keyColumn(resource))]
  const [row] = await tx.rows(`select id from ${table} where ${key} = $1 and ${quote(by)} = $2 for update`, [
    named,
    holderId,
  ])
  return row && Number(row[0])
}
