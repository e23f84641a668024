import { type ActionInput, chosenId, type Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'

type VoteValues = Values & { readonly message_id: number; readonly kind: string; readonly user_id?: number }

/** Votes on a message that still stands; the database counts. Throws 422. */
export async function castVote(tx: Handle, { values, caller, now }: ActionInput<VoteValues>): Promise<number> {
  const { message_id, kind, user_id = caller.resourceOwnerId } = values
  if (user_id === null) throw unprocessable({ user_id: ["can't be blank"] })
  const message = await tx.kysely
    .selectFrom('messages')
    .select('deleted_at')
    .where('id', '=', message_id)
    .executeTakeFirst()
  if (!message) throw unprocessable({ message_id: ['must exist'] })
  if (message.deleted_at) throw unprocessable({ message_id: ['has been deleted'] })
  const { id } = await tx.kysely
    .insertInto('votes')
    .values({ ...chosenId(values), message_id, kind, user_id, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
