import type { Created } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import type { RowsOptions } from '../../database/handle.ts'
import { type ActionRequest, narrowing } from '../action-request.ts'
import { type Answer, noContent, okay } from '../answer.ts'
import { grantOf } from '../declare/access.ts'
import { type CreateAction, createRepresentation, embeddedOnly, type Resource } from '../declare/declaration.ts'
import { restrictionOf } from '../read/actions.ts'
import { isGranted } from '../read/find.ts'
import { runInsertAndRead, runRecord } from '../read/run.ts'
import type { RequestContext } from '../request-context.ts'
import { isSingleRow, type Payload } from './parse.ts'
import { areInsertedTogether, INSERTED_ID, insertAndRemember } from './rows.ts'

/** Returns 201 with the record and its one-time values, which a replayed response shows as null. */
export async function representCreated(
  context: RequestContext,
  resource: Resource,
  { oneTimeValues: declared }: Pick<CreateAction, 'oneTimeValues'>,
  { id, oneTimeValues }: Created,
  { idempotent }: Pick<ActionRequest, 'idempotent'>,
): Promise<Answer> {
  const record = await createdRecord(context, resource, id, { isLast: idempotent === undefined })
  const answer = created(context, resource, id, record)
  if (!declared) return answer
  const shown = Object.keys(declared).map((name) => [name, oneTimeValues[name] ?? null] as const)
  const blank = shown.map(([name]) => [name, null] as const)
  return { ...answer, body: withTexts(record, shown), remembered: withTexts(record, blank) }
}

const created = ({ engine: { wire } }: RequestContext, { name }: Resource, id: number, record: string) => ({
  status: 201,
  headers: { location: `${wire.baseUrl}/v2/${name}/${id}` },
  body: record,
})

/** Inserts, reads and commits a single row in one round trip. Writes nothing and returns undefined otherwise. */
export async function insertAndRepresent(
  context: RequestContext,
  payload: Payload,
  { perform, performAll, finish, oneTimeValues }: CreateAction,
  { idempotent, parents }: ActionRequest,
): Promise<Answer | undefined> {
  const { resource, values } = payload
  const isPlain = !perform && !performAll && values.id === undefined && areInsertedTogether(resource)
  const isBelow = parents.some(({ association }) => typeof association !== 'string')
  if (!isPlain || isBelow || oneTimeValues || idempotent) return undefined
  if (resource.authorize || !isSingleRow(payload, finish)) return undefined
  const making = { first: insertAndRemember(resource, values, context.now), id: INSERTED_ID }
  const made = await runInsertAndRead(context, resource, createRepresentation(resource), making)
  return made && created(context, resource, made.id, made.record)
}

function withTexts(record: string, texts: readonly (readonly [string, string | null])[]): string {
  return `${record.slice(0, -1)}${texts.map(([name, text]) => `,${JSON.stringify(name)}:${JSON.stringify(text)}`).join('')}}`
}

/** May end the transaction. */
export async function createdRecord(context: RequestContext, resource: Resource, id: number, options?: RowsOptions) {
  return defined(await runRecord(context, resource, createRepresentation(resource), { id }, [], options))
}

export const listOfCreated = (records: readonly string[]): Answer => ({
  status: 201,
  headers: {},
  body: `[${records.join(',')}]`,
})

/** Returns 204, or 200 with the record if the client prefers it (RFC 7240) and may read it. */
export async function representChanged(
  context: RequestContext,
  resource: Resource,
  id: number,
  request: ActionRequest,
): Promise<Answer> {
  if (!request.prefersRecord) return noContent
  const record = await shownRecord(context, resource, id, request, { isLast: true })
  return record === undefined ? noContent : okay(record, { 'preference-applied': 'return=representation' })
}

/** Returns the record as `GET` does, or undefined if the caller may not read it. */
export async function shownRecord(
  context: RequestContext,
  resource: Resource,
  id: number,
  request: ActionRequest,
  options?: RowsOptions,
): Promise<string | undefined> {
  const { actions, answers } = resource
  const { caller } = request
  const grant = actions === embeddedOnly ? undefined : grantOf(actions.show, caller)
  if (!grant || !(await isGranted(context.handle, resource, id, grant, caller))) return undefined
  const conditions = [...narrowing(resource, { ...request, parents: [] }), ...restrictionOf(resource, request).hidden]
  return runRecord(context, resource, answers?.show ?? 'record', { id }, conditions, options)
}
