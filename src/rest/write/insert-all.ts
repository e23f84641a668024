import type { Created } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import { isRetryable } from '../../database/errors.ts'
import { inSavepoint } from '../../database/savepoint.ts'
import { HttpError } from '../../errors.ts'
import type { RequestContext } from '../request-context.ts'
import { advancePast, claimIds } from './chosen-ids.ts'
import { asHttpError } from './constraints.ts'
import { hasNoParts, type InsertPlan } from './plan.ts'
import { areInsertedTogether, insertRecords } from './rows.ts'
import { inputOf, runPlan, type WriteContext } from './run.ts'

/** Outcome for a new record: written, or the reason why not. */
export type Outcome = Created | HttpError

/** Writes new records of one resource, each as if it were alone. Writes records without parts by few statements. */
export async function insertAll(plans: readonly InsertPlan[], context: WriteContext): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const indexed = [...plans.entries()]
  const hasChosenId = ([, { values }]: IndexedPlan) => values.id !== undefined
  // Records with chosen ids come first, so that the sequence does not give one of these ids to another record.
  await insertInto(outcomes, indexed.filter(hasChosenId), context)
  await insertInto(
    outcomes,
    indexed.filter((one) => !hasChosenId(one)),
    context,
  )
  return outcomes
}

type IndexedPlan = readonly [index: number, plan: InsertPlan]

/** Writes records, and puts the outcome of each at its index. */
async function insertInto(outcomes: Outcome[], plans: readonly IndexedPlan[], context: WriteContext): Promise<void> {
  const together: IndexedPlan[] = []
  for (const indexed of plans) {
    const [index, plan] = indexed
    if (isWrittenTogether(plan, context)) together.push(indexed)
    else outcomes[index] = await refusedOr(context, () => runPlan(plan, context))
  }
  const made = await splitOnFailure(
    together.map(([, plan]) => plan),
    context,
  )
  for (const [at, [index]] of together.entries()) outcomes[index] = defined(made[at])
}

/** Runs `work` in a savepoint. If its values are at fault, writes nothing and returns the error. Throws other errors. */
export async function refusedOr<T>({ engine, handle }: RequestContext, work: () => Promise<T>): Promise<T | HttpError> {
  try {
    return await inSavepoint(handle, work)
  } catch (error) {
    if (isRetryable(error)) throw error
    const httpError = asHttpError(error, engine.registry)
    if (!(httpError instanceof HttpError) || httpError.status >= 500) throw error
    return httpError
  }
}

const isWrittenTogether = (plan: InsertPlan, { caller }: WriteContext): boolean => {
  const { resource, perform, performAll } = plan
  if ((resource.authorize && caller.resourceOwnerId !== null) || caller.authorizeWrite) return false
  return hasNoParts(plan) && (performAll !== undefined || (perform === undefined && areInsertedTogether(resource)))
}

/** Inserts records. If the database refuses several, inserts each half separately to find the refused ones. */
async function splitOnFailure(plans: readonly InsertPlan[], context: WriteContext): Promise<readonly Outcome[]> {
  if (plans.length === 0) return []
  const outcomes = await refusedOr(context, () => insertTogether(plans, context))
  if (!(outcomes instanceof HttpError)) return outcomes
  if (plans.length === 1) return [outcomes]
  const half = plans.length >> 1
  return [
    ...(await splitOnFailure(plans.slice(0, half), context)),
    ...(await splitOnFailure(plans.slice(half), context)),
  ]
}

async function insertTogether(plans: readonly InsertPlan[], context: WriteContext): Promise<readonly Outcome[]> {
  const { resource, performAll } = defined(plans[0])
  const chosen = plans.map(({ values }) => values.id)
  await claimIds(context.handle, resource, chosen)
  if (performAll) {
    const made = await performAll(context.handle, await Promise.all(plans.map((plan) => inputOf(plan, context))))
    await advancePast(
      context.handle,
      resource,
      chosen.filter((_, at) => !(made[at] instanceof HttpError)),
    )
    return made
  }
  const ids = await insertRecords(
    context.handle,
    resource,
    plans.map(({ values }) => values),
    context.now,
  )
  await advancePast(context.handle, resource, chosen)
  return ids.map((id) => ({ id, oneTimeValues: {} }))
}
