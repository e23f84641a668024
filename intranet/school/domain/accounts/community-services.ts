import type { ActionInput } from '@campus/engine/actions'
import { type Message, message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import type { SqlValue } from '@campus/engine/database/sql-value'
import { unprocessable } from '@campus/engine/errors'

export const validateService = (tx: Handle, input: ActionInput): Promise<number> => conclude(tx, input, 'validated')

export const invalidateService = (tx: Handle, input: ActionInput): Promise<number> => conclude(tx, input, 'invalidated')

const DAY_MS = 86_400_000
const MAX_DAYS_AHEAD = 14

/** Returns an error unless the time is after today and at most two weeks ahead, by days in UTC. */
export function scheduleError(value: SqlValue, now: Date): Message | undefined {
  const daysAhead = dayOf(new Date(String(value))) - dayOf(now)
  if (daysAhead < 1) return 'must be after today'
  return daysAhead > MAX_DAYS_AHEAD ? 'must be at most two weeks ahead' : undefined
}

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS)

async function conclude(tx: Handle, { id, now }: ActionInput, state: 'validated' | 'invalidated'): Promise<number> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('community_services')
    .set({ state, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'schedule')
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw unprocessable({ state: [message('must be schedule to become {state}', { state: message(state) })] })
  return id
}
