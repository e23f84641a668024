import type { Action, ActionInput, Created, Values } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import { message } from '../../base/languages/say.ts'
import { isRetryable } from '../../database/errors.ts'
import type { RowsOptions } from '../../database/handle.ts'
import { errorsWithin, HttpError, unprocessable } from '../../errors.ts'
import type { WrittenRecord } from '../../http/caller.ts'
import type { CreateAction, Resource, WriteAction } from '../declare/declaration.ts'
import type { RequestContext, WriteContext } from '../request-context.ts'
import { advancePast, claimIds } from './chosen-ids.ts'
import { changesOf, differingValues, isEmpty } from './compare.ts'
import { asHttpError, isMissingReference } from './constraints.ts'
import { deleteUnlessReferenced } from './delete-restrictions.ts'
import { lockElement } from './lock.ts'
import {
  type Element,
  isNamedByOther,
  isSingleRow,
  type LinksPart,
  type NestedPart,
  orThrow,
  type Parsed,
  type Payload,
} from './parse.ts'
import { sameAs } from './read-payload.ts'
import { deleteRecord, insertRecord, replaceLinks, timesOf, updateRecord } from './rows.ts'

export type CreateActions = Pick<CreateAction, 'perform' | 'performAll' | 'finish'>

export async function writeNew(context: WriteContext, payload: Payload, actions: CreateActions = {}): Promise<Created> {
  const { handle: tx, caller } = context
  const { resource, values } = payload
  const { authorize, table } = resource
  const input = await inputOf(context, payload)
  await authorize?.(tx, input)
  await claimIds(tx, resource, [values.id])
  const created = await insert(context, resource, input, actions)
  const { id } = created
  await writeParts(context, payload, { ...input, id }, actions.finish)
  await authorize?.(tx, { ...input, id })
  await caller.authorizeWrite?.(tx, table, id)
  await advancePast(tx, resource, [values.id])
  return created
}

async function insert(
  { handle: tx, now }: WriteContext,
  resource: Resource,
  input: ActionInput,
  { perform, performAll }: CreateActions,
): Promise<Created> {
  if (performAll && !perform) return orThrow(defined((await performAll(tx, [input]))[0]))
  const made = perform ? await perform(tx, input) : await insertRecord(tx, resource, input.values, now)
  return typeof made === 'number' ? { id: made, oneTimeValues: {} } : made
}

/** Returns the id afterwards. With `isLast`, the update may commit the transaction. Throws 422. */
export async function writeChanges(
  context: WriteContext,
  formerId: number,
  payload: Payload,
  { perform, finish }: Pick<WriteAction, 'perform' | 'finish'> = {},
  { isLast = false }: RowsOptions = {},
): Promise<number> {
  const { handle: tx, caller, now } = context
  const { resource } = payload
  const { authorize, table } = resource
  const triggersOn = resource.payload?.triggersOn
  const input = await inputOf(context, payload, formerId)
  await authorize?.(tx, input)
  await caller.authorizeWrite?.(tx, table, formerId)
  const changes = triggersOn && !perform ? await differingValues(tx, resource, formerId, input.values) : input.values
  const isTrigger = triggersOn && Object.keys(changes).length + payload.nested.length + payload.links.length === 0
  const isOnly = isSingleRow(payload, finish) && !authorize
  let id = formerId
  if (perform) id = await perform(tx, input)
  else if (!isTrigger) id = await updateRecord(tx, resource, formerId, changes, now, { isLast: isLast && isOnly })
  await writeParts(context, payload, { ...input, id, changed: new Set(Object.keys(changes)) }, finish)
  await authorize?.(tx, { ...input, id })
  await caller.authorizeWrite?.(tx, table, id)
  return id
}

/** Deletes a record. Throws 422 if others refer to it. */
export async function writeDeletion(
  context: WriteContext,
  resource: Resource,
  id: number,
  perform: Action | undefined,
): Promise<void> {
  const { handle: tx, engine, caller } = context
  const input = bareInput(context, id, {})
  await resource.authorize?.(tx, input)
  await caller.authorizeWrite?.(tx, resource.table, id)
  await deleteUnlessReferenced(tx, engine.registry, resource, id, async () => {
    if (perform) await perform(tx, input)
    else await deleteRecord(tx, resource, id)
  })
}

export async function reportWrite(
  { caller, handle }: RequestContext,
  { name: resource }: Resource,
  { id, action, payload }: Pick<WrittenRecord, 'id' | 'action'> & { readonly payload?: Payload },
): Promise<void> {
  const parts = payload ? [...payload.pointed, ...payload.nested, ...payload.links] : []
  const fields = [...Object.keys(payload?.values ?? {}), ...parts.map(({ name }) => name)]
  await caller.onWrite?.(handle, { resource, id, action, fields })
}

/** Returns the input of an action, after creating the records whose ids it contains. */
export async function inputOf(context: WriteContext, payload: Payload, id = 0): Promise<ActionInput> {
  const ids: Record<string, number> = {}
  for (const { name, by, payload: pointed } of payload.pointed) {
    await within(name, context, async () => {
      ids[by] = (await writeNew(context, orThrow(pointed))).id
    })
  }
  const nestedKeys = new Set([...payload.nested, ...payload.links].map(({ name }) => name))
  return { ...bareInput(context, id, { ...payload.values, ...ids }), nestedKeys }
}

export const bareInput = ({ caller, ownOnly, now }: WriteContext, id: number, values: Values): ActionInput => ({
  id,
  values,
  caller,
  nestedKeys: new Set(),
  ownOnly,
  now,
})

async function writeParts(
  context: WriteContext,
  { resource, nested, links }: Payload,
  input: ActionInput,
  finish: Action | undefined,
): Promise<void> {
  const { handle: tx } = context
  for (const part of nested)
    for (const [index, element] of part.elements.entries())
      await within(`${part.name}[${index}]`, context, () => writeElement(context, part, input.id, element))
  for (const part of links) await writeLinks(context, part, input.id)
  await resource.payload?.validateAfter?.(tx, input.id)
  await finish?.(tx, input)
}

async function writeElement(
  context: WriteContext,
  { by, actions: declared, resource }: NestedPart,
  holderId: number,
  parsed: Parsed<Element>,
): Promise<void> {
  // biome-ignore lint/plugin: the payload of the element’s resource gives these actions what they take
  const actions = declared as Readonly<Partial<Record<'create' | 'update' | 'destroy', Action>>> | undefined
  const element = orThrow(parsed)
  const { id: named, holder } = element
  if (holder !== undefined && holder !== holderId) {
    throw unprocessable({ [by]: [sameAs('record around it', holderId)] })
  }
  const id = named === undefined ? undefined : await lockElement(context.handle, resource, by, holderId, named)
  if (id === undefined && named !== undefined && !isNamedByOther(resource)) {
    throw unprocessable({ id: [message('{id} is no element of this record', { id: named })] })
  }
  if (element.isRemoval) {
    if (id !== undefined) await writeDeletion(context, resource, id, actions?.destroy)
  } else if (id === undefined) {
    const payload = orThrow(defined(element.asNew))
    const values = { ...payload.values, [by]: holderId }
    await writeNew(context, { ...payload, values }, { perform: actions?.create })
  } else {
    const changes = await changesOf(context, id, orThrow(defined(element.asChange)))
    if (!isEmpty(changes)) await writeChanges(context, id, changes, { perform: actions?.update })
  }
}

/** Sets the times of new rows if a resource has the join table. */
async function writeLinks({ handle: tx, engine, now }: WriteContext, { name, links, ids }: LinksPart, id: number) {
  const between = engine.registry.resources.find(({ table }) => table === links.table)
  const times = between ? timesOf(between, ['created_at', 'updated_at'], now) : {}
  await replaceLinks(tx, links, id, ids, times).catch((error) => {
    throw isMissingReference(error) ? unprocessable({ [name]: ['must exist'] }) : error
  })
}

/** Adds the place of the part to errors: `loans_attributes[0].user_id`. */
async function within(part: string, { engine }: WriteContext, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (isRetryable(error)) throw error
    const httpError = asHttpError(error, engine.registry)
    if (httpError instanceof HttpError && httpError.errors) throw unprocessable(errorsWithin(part, httpError.errors))
    throw httpError
  }
}
