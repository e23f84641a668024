import { type ActionInput, chosenId, type Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { findRow, insertRow } from '../rows.ts'

type VoteValues = Values & { readonly message_id: number; readonly kind: string; readonly user_id?: number }

/** The database counts votes. Throws 422 for a deleted message. */
export async function castVote(tx: Handle, { values, caller, now }: ActionInput<VoteValues>): Promise<number> {
  const { message_id, kind, user_id = caller.resourceOwnerId } = values
  if (user_id === null) throw unprocessable({ user_id: ["can't be blank"] })
  const message = await findRow(tx, 'messages', message_id, ['deleted_at'])
  if (!message) throw unprocessable({ message_id: ['must exist'] })
  if (message.deleted_at) throw unprocessable({ message_id: ['has been deleted'] })
  return insertRow(tx, 'votes', { ...chosenId(values), message_id, kind, user_id, created_at: now })
}
