import type { Created } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import { inSavepoint } from '../../database/savepoint.ts'
import { HttpError } from '../../errors.ts'
import type { RequestContext } from '../request-context.ts'
import { asHttpError } from './constraints.ts'
import { hasNoParts, type InsertPlan } from './plan.ts'
import { areInsertedTogether, insertRecords } from './rows.ts'
import { inputOf, runPlan, type WriteContext } from './run.ts'

/** Outcome for a new record: written, or the reason why not. */
export type Outcome = Created | HttpError

/**
 * Writes those new records of one resource that can be written, as each would be by itself: those without parts by few
 * statements.
 */
export async function insertAll(plans: readonly InsertPlan[], context: WriteContext): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const together: number[] = []
  for (const [at, plan] of plans.entries()) {
    if (isWrittenTogether(plan, context)) together.push(at)
    else outcomes[at] = await refusedOr(context, () => runPlan(plan, context))
  }
  const made = await splitOnFailure(
    together.map((at) => defined(plans[at])),
    context,
  )
  for (const [index, at] of together.entries()) outcomes[at] = defined(made[index])
  return outcomes
}

/** Runs `work` in a savepoint; gives the refusal where values are at fault, with nothing of it written. Throws other errors. */
export async function refusedOr<T>({ engine, handle }: RequestContext, work: () => Promise<T>): Promise<T | HttpError> {
  try {
    return await inSavepoint(handle, work)
  } catch (error) {
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
  if (performAll) return performAll(context.handle, await Promise.all(plans.map((plan) => inputOf(plan, context))))
  const ids = await insertRecords(
    context.handle,
    resource,
    plans.map(({ values }) => values),
    context.now,
  )
  return ids.map((id) => ({ id, oneTimeValues: {} }))
}
