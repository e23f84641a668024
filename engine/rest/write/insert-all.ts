import type { Created } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import { isRetryable } from '../../database/errors.ts'
import { inSavepoint } from '../../database/savepoint.ts'
import { HttpError } from '../../errors.ts'
import type { RequestContext, WriteContext } from '../request-context.ts'
import { advancePast, claimIds } from './chosen-ids.ts'
import { asHttpError } from './constraints.ts'
import { isSingleRow, type Payload } from './parse.ts'
import { areInsertedTogether, insertRecords } from './rows.ts'
import { type CreateActions, inputOf, writeNew } from './write.ts'

export type Outcome = Created | HttpError

/** Writes new records independently of each other. Those without parts take few statements. */
export async function insertAll(context: WriteContext, payloads: readonly Payload[], actions: CreateActions) {
  const outcomes: Outcome[] = []
  // Records with chosen ids come first, so that the sequence does not assign one of these ids to another record.
  for (const hasChosenId of [true, false]) {
    const together = new Map<number, Payload>()
    for (const [index, payload] of payloads.entries()) {
      if ((payload.values.id !== undefined) !== hasChosenId) continue
      if (isWrittenTogether(payload, context, actions)) together.set(index, payload)
      else outcomes[index] = await refusedOr(context, () => writeNew(context, payload, actions))
    }
    const made = await splitOnFailure([...together.values()], context, actions)
    for (const [at, index] of [...together.keys()].entries()) outcomes[index] = defined(made[at])
  }
  return outcomes
}

/** Runs `work` in a savepoint, and returns an error that the client caused. Throws other errors. */
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

function isWrittenTogether(payload: Payload, { caller }: WriteContext, { perform, performAll, finish }: CreateActions) {
  const { resource } = payload
  if ((resource.authorize && caller.resourceOwnerId !== null) || caller.authorizeWrite) return false
  return isSingleRow(payload, finish) && (performAll !== undefined || (!perform && areInsertedTogether(resource)))
}

/** Inserts records. If an insert fails, tries each half separately to find the refused records. */
async function splitOnFailure(
  payloads: readonly Payload[],
  context: WriteContext,
  actions: CreateActions,
): Promise<readonly Outcome[]> {
  if (payloads.length === 0) return []
  const outcomes = await refusedOr(context, () => insertTogether(payloads, context, actions))
  if (!(outcomes instanceof HttpError)) return outcomes
  if (payloads.length === 1) return [outcomes]
  const half = payloads.length >> 1
  return [
    ...(await splitOnFailure(payloads.slice(0, half), context, actions)),
    ...(await splitOnFailure(payloads.slice(half), context, actions)),
  ]
}

async function insertTogether(
  payloads: readonly Payload[],
  context: WriteContext,
  { performAll }: CreateActions,
): Promise<readonly Outcome[]> {
  const { handle: tx, now } = context
  const { resource } = defined(payloads[0])
  const chosen = payloads.map(({ values }) => values.id)
  await claimIds(tx, resource, chosen)
  if (performAll) {
    const made = await performAll(tx, await Promise.all(payloads.map((payload) => inputOf(context, payload))))
    const idsOfMade = chosen.filter((_, at) => !(made[at] instanceof HttpError))
    await advancePast(tx, resource, idsOfMade)
    return made
  }
  const values = payloads.map((payload) => payload.values)
  const ids = await insertRecords(tx, resource, values, now)
  await advancePast(tx, resource, chosen)
  return ids.map((id) => ({ id, oneTimeValues: {} }))
}
