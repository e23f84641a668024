import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import type { Evaluation } from './evaluation.ts'

type Members = readonly { readonly user_id: number }[]

/**
 * Applies the sent values to an evaluation. A mark, a negative flag or a truant fills it. The mark is null if the
 * corrector is the truant, and 0 if none is sent. Throws 422.
 */
export async function gradingOf(
  tx: Handle,
  before: Evaluation,
  { values, now }: Pick<ActionInput, 'values' | 'now'>,
  members: Members,
): Promise<Evaluation> {
  const sent = Object.fromEntries(Object.entries(values).filter(([name]) => name in before && name !== 'id'))
  if (sent.flag_id === null) delete sent.flag_id
  const evaluation = { ...before, ...sent }
  const isPositive = await checkFlag(tx, evaluation)
  checkTruant(evaluation, members)
  const { truant_id, user_id, final_mark } = evaluation
  const isFilled = final_mark !== null || truant_id !== null || !isPositive
  if (!isFilled && before.filled_at !== null) throw unprocessable({ final_mark: ["can't be blank"] })
  if (!isFilled) return evaluation
  const mark = truant_id !== null && truant_id === user_id ? null : (final_mark ?? 0)
  return { ...evaluation, final_mark: mark, filled_at: before.filled_at ?? now }
}

/** Reports whether the flag is positive. Throws 422 if the scale has flags but not this negative one. */
async function checkFlag(tx: Handle, { flag_id, scale_id }: Evaluation): Promise<boolean> {
  const { rows } = await sql<{ positive: boolean; offered: boolean }>`
    select f.positive,
      not exists (select 1 from scales_flags where scale_id = ${scale_id})
        or exists (select 1 from scales_flags where scale_id = ${scale_id} and flag_id = f.id) as offered
    from flags f where f.id = ${flag_id}`.execute(tx.kysely)
  const flag = rows[0]
  if (!flag) throw unprocessable({ flag_id: ['must exist'] })
  if (!flag.offered && !flag.positive) throw unprocessable({ flag_id: ['is not a flag of the scale'] })
  return flag.positive
}

function checkTruant({ truant_id, user_id }: Evaluation, members: Members): void {
  if (truant_id === null || truant_id === user_id) return
  if (members.some((member) => member.user_id === truant_id)) return
  throw unprocessable({ truant_id: ['must be the corrector or one of the corrected'] })
}
