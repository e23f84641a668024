import { type ActionInput, chosenId } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { insertRow } from '../rows.ts'

type JoiningValues = { readonly squad_id: number; readonly user_id: number; readonly leader?: boolean }

/** Adds a user to a squad. Ignores `validated`, which a later change sets (spec: coalitions 13). */
export async function joinSquad(tx: Handle, { values, now }: ActionInput<JoiningValues>): Promise<number> {
  const { squad_id, user_id, leader } = values
  return insertRow(tx, 'squads_users', {
    ...chosenId(values),
    squad_id,
    user_id,
    ...(leader === undefined ? {} : { leader }),
    created_at: now,
    updated_at: now,
  })
}
