import type { Values } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'
import { HttpError } from '../../errors.ts'
import type { Resource } from '../declare/declaration.ts'
import type { SqlValue } from '../declare/fields/kinds.ts'
import { visibleSql } from '../declare/guard-sql.ts'
import { quote } from '../declare/identifiers.ts'
import { SqlBuilder } from '../declare/sql-builder.ts'
import { queryFor, type Viewer } from '../declare/viewer.ts'
import type { RequestContext } from '../request-context.ts'
import { type Element, keyColumn, type Parsed, type Payload } from './parse.ts'
import { bare, columnsOf } from './rows.ts'

/**
 * Returns the part of a payload that would change the record. A field hidden from the caller always counts as a change, since a
 * response must not confirm a guess. Locks the record.
 */
export async function changesOf(
  context: RequestContext,
  resource: Resource,
  id: number,
  payload: Payload,
  viewer?: Viewer,
): Promise<Payload> {
  const { handle: tx, engine } = context
  const values = await changedValues(tx, resource, id, payload, viewer)
  const nested = new Map<string, readonly Parsed<Element>[]>()
  for (const [name, elements] of payload.nested) {
    const declared = resource.payload?.nested?.[name]
    if (!declared) continue
    const target = { resource: engine.registry.get(declared.resource), by: declared.by, id }
    if (await changesAny(context, target, elements)) nested.set(name, elements)
  }
  const links = new Map<string, readonly number[]>()
  for (const [name, ids] of payload.links) {
    if (await changesLinks(tx, resource, name, id, ids)) links.set(name, ids)
  }
  return { ...payload, values, nested, links }
}

/** Reports whether there is nothing to write. */
export const isEmpty = ({ values, nested, pointed, links }: Payload): boolean =>
  Object.keys(values).length + nested.size + pointed.size + links.size === 0

/**
 * Returns the values that differ from the row, and the values that only an action of the domain can compare. Values of
 * `triggersOn` are returned even if they are equal, unless the payload has an id, as a record that is sent back does.
 */
async function changedValues(
  tx: Handle,
  resource: Resource,
  id: number,
  { values, hasId }: Payload,
  viewer: Viewer | undefined,
): Promise<Values> {
  const { extra = {}, triggersOn = [] } = resource.payload ?? {}
  const differing = await differingValues(tx, resource, id, values, viewer)
  const mayChange = (name: string) =>
    Object.hasOwn(differing, name) || Object.hasOwn(extra, name) || (triggersOn.includes(name) && !hasId)
  return Object.fromEntries(Object.entries(values).filter(([name]) => mayChange(name)))
}

/** Returns the values that differ from their columns, and the values of columns hidden from the viewer's caller. */
export async function differingValues(
  tx: Handle,
  resource: Resource,
  id: number,
  values: Values,
  viewer?: Viewer,
): Promise<Values> {
  const names = Object.keys(values).filter((name) => !Object.hasOwn(resource.payload?.extra ?? {}, name))
  if (names.length === 0) return {}
  const builder = new SqlBuilder()
  const tests = names.map((name) => {
    const visible = viewer && visibleSql(resource, name, 't', viewer)
    return differs(resource, name, values[name] ?? null, builder) + (visible ? ` or not ${visible}` : '')
  })
  const statement = `select ${tests.join(', ')} from ${quote(resource.table)} t where t.id = ${bare(builder, id)}`
  const query = viewer ? queryFor(viewer, statement, builder) : { text: statement, values: builder.values }
  const [row] = await tx.rows(query.text, query.values)
  return Object.fromEntries(
    names.filter((_, place) => row?.[place] !== 'f').map((name) => [name, values[name] ?? null]),
  )
}

/** A secret is sealed anew each time, so that only its digest can be compared. */
function differs(resource: Resource, name: string, value: SqlValue, builder: SqlBuilder): string {
  const columns = columnsOf(resource, { [name]: value })
  const digestColumn = resource.stored(name)?.column
  const compared =
    digestColumn !== undefined && Object.hasOwn(columns, digestColumn) ? [digestColumn] : Object.keys(columns)
  const tests = compared.map((column) => `${quote(column)} is distinct from ${bare(builder, columns[column] ?? null)}`)
  return `(${tests.join(' or ')})`
}

/** The record that holds elements, whose column `by` has its id. */
type Target = { readonly resource: Resource; readonly by: string; readonly id: number }

async function changesAny(
  context: RequestContext,
  target: Target,
  elements: readonly Parsed<Element>[],
): Promise<boolean> {
  for (const element of elements) if (await changes(context, target, element)) return true
  return false
}

/** An element that cannot be read, or is not there, is for the write to refuse. */
async function changes(
  context: RequestContext,
  { resource, by, id: holderId }: Target,
  element: Parsed<Element>,
): Promise<boolean> {
  if (element instanceof HttpError) return true
  const { id, holder, isRemoval } = element
  if (id === undefined) return !isRemoval
  if (isRemoval || (holder !== undefined && holder !== holderId)) return true
  const found = `select id from ${quote(resource.table)} where ${quote(keyColumn(resource))} = $1 and ${quote(by)} = $2`
  const [row] = await context.handle.rows(found, [id, holderId])
  const { asChange } = element
  if (!row || !asChange || asChange instanceof HttpError) return true
  return !isEmpty(await changesOf(context, resource, Number(row[0]), asChange))
}

async function changesLinks(
  tx: Handle,
  resource: Resource,
  name: string,
  id: number,
  ids: readonly number[],
): Promise<boolean> {
  const links = resource.payload?.links?.[name]
  if (!links) return true
  const rows = await tx.rows(
    `select ${quote(links.otherKey)} from ${quote(links.table)} where ${quote(links.foreignKey)} = $1`,
    [id],
  )
  const present = new Set(rows.map(([otherKey]) => Number(otherKey)))
  return present.size !== ids.length || ids.some((otherKey) => !present.has(otherKey))
}
