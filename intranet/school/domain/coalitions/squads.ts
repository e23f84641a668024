import { type ActionInput, chosenId } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'

type JoiningValues = { readonly squad_id: number; readonly user_id: number; readonly leader?: boolean }

/** Puts a user into a squad. That they belong to it is settled by a change later, whatever is sent now (spec: coalitions 13). */
export async function joinSquad(tx: Handle, { values, now }: ActionInput<JoiningValues>): Promise<number> {
  const { squad_id, user_id, leader } = values
  const { id } = await tx.kysely
    .insertInto('squads_users')
    .values({
      ...chosenId(values),
      squad_id,
      user_id,
      ...(leader === undefined ? {} : { leader }),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
