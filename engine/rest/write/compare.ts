import type { Values } from '../../actions.ts'
import { message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { HttpError, unprocessable } from '../../errors.ts'
import { isAnyVersion, isKnownVersion } from '../../http/if-none-match.ts'
import type { ActionRequest } from '../action-request.ts'
import type { Resource, WriteAction } from '../declare/declaration.ts'
import type { SqlValue } from '../declare/fields/kinds.ts'
import { visibleSql } from '../declare/guard-sql.ts'
import { quote } from '../declare/identifiers.ts'
import { SqlBuilder } from '../declare/sql-builder.ts'
import { queryFor, type Viewer } from '../declare/viewer.ts'
import { etagOf } from '../encoded-answer.ts'
import type { RequestContext } from '../request-context.ts'
import { authorizedPart, requireOwn } from './authorize.ts'
import {
  type Element,
  hasParts,
  keyColumn,
  type LinksPart,
  type NestedPart,
  type Parsed,
  type Payload,
} from './parse.ts'
import { sameAs } from './read-payload.ts'
import { shownRecord } from './represent.ts'
import { bare, columnsOf } from './rows.ts'
import type { Update } from './settle.ts'

/** Returns the part of an update that would change the locked record. Throws 403, 412 or 422 (another record's id). */
export async function compareUpdate(
  context: RequestContext,
  action: WriteAction,
  request: ActionRequest,
  id: number,
  { namedId, payload }: Update,
): Promise<Payload> {
  if (namedId !== undefined && namedId !== id) throw unprocessable({ id: [sameAs('path', id)] })
  requireOwn(request, payload.values)
  const changes = authorizedPart(action, request, payload, await changesOf(context, id, payload, context))
  await requirePreconditions(context, payload.resource, id, request)
  return changes
}

/**
 * Returns the part of a payload that would change the locked record. With a viewer, a field hidden from the caller
 * always counts as changed, since a response must not confirm a guess.
 */
export async function changesOf(context: RequestContext, id: number, payload: Payload, viewer?: Viewer) {
  const values = await changedValues(context.handle, id, payload, viewer)
  const nested: NestedPart[] = []
  for (const part of payload.nested) if (await changesElements(context, id, part)) nested.push(part)
  const links: LinksPart[] = []
  for (const part of payload.links) if (await changesLinks(context.handle, id, part)) links.push(part)
  return { ...payload, values, nested, links }
}

export const isEmpty = (payload: Payload): boolean => Object.keys(payload.values).length === 0 && !hasParts(payload)

/** Values of `triggersOn` count as changed unless the payload has an id, as a record that is sent back does. */
async function changedValues(tx: Handle, id: number, { resource, values, hasId }: Payload, viewer: Viewer | undefined) {
  const { extra = {}, triggersOn = [] } = resource.payload ?? {}
  const differing = await differingValues(tx, resource, id, values, viewer)
  const mayChange = (name: string) =>
    Object.hasOwn(differing, name) || Object.hasOwn(extra, name) || (triggersOn.includes(name) && !hasId)
  return Object.fromEntries(Object.entries(values).filter(([name]) => mayChange(name)))
}

/** Returns the values that differ from their columns, or whose columns are hidden from the caller. */
export async function differingValues(tx: Handle, resource: Resource, id: number, values: Values, viewer?: Viewer) {
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

/** A secret is compared by its digest, since each sealing differs. */
function differs(resource: Resource, name: string, value: SqlValue, builder: SqlBuilder): string {
  const columns = columnsOf(resource, { [name]: value })
  const digestColumn = resource.stored(name)?.column
  const compared =
    digestColumn !== undefined && Object.hasOwn(columns, digestColumn) ? [digestColumn] : Object.keys(columns)
  const tests = compared.map((column) => `${quote(column)} is distinct from ${bare(builder, columns[column] ?? null)}`)
  return `(${tests.join(' or ')})`
}

/** Stops at the first change, since the write compares all elements again. */
async function changesElements(context: RequestContext, holderId: number, part: NestedPart): Promise<boolean> {
  for (const element of part.elements) if (await changesElement(context, holderId, part, element)) return true
  return false
}

/** A refused or missing element counts as a change, so that the write reports its error. */
async function changesElement(
  context: RequestContext,
  holderId: number,
  { resource, by }: NestedPart,
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
  return !isEmpty(await changesOf(context, Number(row[0]), asChange))
}

async function changesLinks(tx: Handle, id: number, { links, ids }: LinksPart): Promise<boolean> {
  const rows = await tx.rows(
    `select ${quote(links.otherKey)} from ${quote(links.table)} where ${quote(links.foreignKey)} = $1`,
    [id],
  )
  const present = new Set(rows.map(([otherKey]) => Number(otherKey)))
  return present.size !== ids.length || ids.some((otherKey) => !present.has(otherKey))
}

/** Throws 412 unless the locked record meets `If-Match` and `If-None-Match` (RFC 9110 §13.2.2; spec: writing 28). */
export async function requirePreconditions(
  context: RequestContext,
  resource: Resource,
  id: number,
  request: ActionRequest,
): Promise<void> {
  const { ifMatch, ifNoneMatch } = request.preconditions ?? {}
  if (ifMatch === undefined && ifNoneMatch === undefined) return
  const needsEtags = [ifMatch, ifNoneMatch].some((header) => header !== undefined && !isAnyVersion(header))
  const etags = needsEtags ? await etagsOfRecord(context, resource, id, request) : []
  const isMatched = (header: string) => isAnyVersion(header) || etags.some((etag) => isKnownVersion(header, etag))
  if (ifMatch !== undefined && !isMatched(ifMatch)) throw failed('If-Match')
  if (ifNoneMatch !== undefined && isMatched(ifNoneMatch)) throw failed('If-None-Match')
}

/** Returns the ETags that `GET` may return, or none if the caller may not read the record. */
async function etagsOfRecord(context: RequestContext, resource: Resource, id: number, request: ActionRequest) {
  const record = await shownRecord(context, resource, id, request)
  if (record === undefined) return []
  const representations = (await request.representationsOf?.(record, id)) ?? [record]
  return representations.map((text) => etagOf(Buffer.from(text)))
}

const failed = (header: 'If-Match' | 'If-None-Match') =>
  new HttpError(
    412,
    header === 'If-Match'
      ? message(
          '`If-Match` does not match the record, which was changed since you read it. Read it again, then repeat your change.',
        )
      : message('`If-None-Match` matches the record. To change an existing record, leave this header out.'),
    { source: { header } },
  )
