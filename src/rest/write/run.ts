import type { ActionInput, Created, Values } from '../../actions.ts'
import { isRetryable } from '../../database/errors.ts'
import type { Handle, RowsOptions } from '../../database/handle.ts'
import { errorsWithin, HttpError, unprocessable } from '../../errors.ts'
import type { RequestContext } from '../request-context.ts'
import { differingValues } from './changes.ts'
import { advancePast, claimIds } from './chosen-ids.ts'
import { asHttpError, isMissingReference } from './constraints.ts'
import { deleteUnlessReferenced } from './delete-restrictions.ts'
import { orThrow } from './parse.ts'
import { type DeletePlan, type InsertPlan, isAlone, type LinksPlan, type UpdatePlan, type WritePlan } from './plan.ts'
import { planElement } from './plan-element.ts'
import { deleteRecord, insertRecord, replaceLinks, timesOf, updateRecord } from './rows.ts'

/** The context of a write: its handle is the transaction. */
export type WriteContext = RequestContext & Pick<ActionInput, 'ownOnly'>

/** Writes what is planned in the transaction of the context, which this may end, and gives the record's id. Throws 422. */
export async function runPlan(plan: WritePlan, context: WriteContext, options: RowsOptions = {}): Promise<Created> {
  switch (plan.kind) {
    case 'insert':
      return runInsert(plan, context)
    case 'update':
      return { id: await runUpdate(plan, context, options), oneTimeValues: {} }
    case 'delete':
      await runDelete(plan, context)
      return { id: plan.id, oneTimeValues: {} }
  }
}

async function runInsert(plan: InsertPlan, context: WriteContext): Promise<Created> {
  const input = await inputOf(plan, context)
  const { handle: tx } = context
  const { authorize } = plan.resource
  await authorize?.(tx, input)
  await claimIds(tx, plan.resource, [plan.values.id])
  const made = plan.perform
    ? await plan.perform(tx, input)
    : await insertRecord(tx, plan.resource, input.values, context.now)
  const created = typeof made === 'number' ? { id: made, oneTimeValues: {} } : made
  await runParts(plan, { ...input, id: created.id }, context)
  await authorize?.(tx, { ...input, id: created.id })
  await context.caller.authorizeWrite?.(tx, plan.resource.table, created.id)
  await advancePast(tx, plan.resource, [plan.values.id])
  return created
}

/** Gives the id that is in force afterwards. */
async function runUpdate(plan: UpdatePlan, context: WriteContext, { isLast = false }: RowsOptions): Promise<number> {
  const input = await inputOf(plan, context)
  const { handle: tx } = context
  const { authorize, table } = plan.resource
  await authorize?.(tx, input)
  await context.caller.authorizeWrite?.(tx, table, plan.id)
  const changes =
    plan.resource.payload?.triggersOn && !plan.perform
      ? await differingValues(tx, plan.resource, plan.id, input.values)
      : input.values
  const options = { isLast: isLast && isAlone(plan) }
  const id = plan.perform ? await plan.perform(tx, input) : await updatePlainly(tx, plan, changes, context.now, options)
  await runParts(plan, { ...input, id, changed: new Set(Object.keys(changes)) }, context)
  await authorize?.(tx, { ...input, id })
  await context.caller.authorizeWrite?.(tx, table, id)
  return id
}

async function runDelete({ resource, id, perform }: DeletePlan, context: WriteContext): Promise<void> {
  const { handle: tx, engine } = context
  await resource.authorize?.(tx, bareInput(context, id, {}))
  await context.caller.authorizeWrite?.(tx, resource.table, id)
  await deleteUnlessReferenced(tx, engine.registry, resource, id, async () => {
    if (perform) await perform(tx, bareInput(context, id, {}))
    else await deleteRecord(tx, resource, id)
  })
}

/** Returns the input of a domain action. Creates the records that this one will reference, since the values contain their ids. */
export async function inputOf(plan: InsertPlan | UpdatePlan, context: WriteContext): Promise<ActionInput> {
  const ids: Record<string, number> = {}
  for (const { name, by, plan: pointed } of plan.pointed) {
    await within(name, context, async () => {
      ids[by] = (await runPlan(orThrow(pointed), context)).id
    })
  }
  const nestedKeys = new Set([...plan.nested, ...plan.links].map(({ name }) => name))
  return { ...bareInput(context, plan.kind === 'update' ? plan.id : 0, { ...plan.values, ...ids }), nestedKeys }
}

/** Returns the input of a domain action without nested records. */
export const bareInput = ({ caller, ownOnly, now }: WriteContext, id: number, values: Values): ActionInput => ({
  id,
  values,
  caller,
  nestedKeys: new Set(),
  ownOnly,
  now,
})

/** A value that only triggers the action is no change of the record. */
async function updatePlainly(
  tx: Handle,
  { resource, id, nested, links }: UpdatePlan,
  changes: Values,
  now: Date,
  options: RowsOptions,
): Promise<number> {
  const isTriggerAlone = Object.keys(changes).length + nested.length + links.length === 0
  if (resource.payload?.triggersOn && isTriggerAlone) return id
  return updateRecord(tx, resource, id, changes, now, options)
}

/** Writes the parts of the record, and checks the whole. */
async function runParts(
  { resource, nested, links, finish }: InsertPlan | UpdatePlan,
  input: ActionInput,
  context: WriteContext,
): Promise<void> {
  const { handle: tx } = context
  for (const part of nested) {
    for (const [index, element] of part.elements.entries()) {
      await within(`${part.name}[${index}]`, context, async () => {
        const plan = await planElement(context, part, input.id, element)
        if (plan) await runPlan(plan, context)
      })
    }
  }
  for (const part of links) await runLinks(tx, part, input.id, context.now)
  await resource.payload?.validateAfter?.(tx, input.id)
  await finish?.(tx, input)
}

async function runLinks(tx: Handle, { name, links, between, ids }: LinksPlan, id: number, now: Date): Promise<void> {
  const times = between ? timesOf(between, ['created_at', 'updated_at'], now) : {}
  await replaceLinks(tx, links, id, ids, times).catch((error) => {
    throw isMissingReference(error) ? unprocessable({ [name]: ['must exist'] }) : error
  })
}

/** Writes a part of a record; what is wrong with it is named by its place: `teams_users_attributes[0].user_id`. */
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
