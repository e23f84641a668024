import type { Handle } from '@campus/engine/database/database'
import { notify } from '../../../services/notifications/notify.ts'
import type { Evaluation } from './evaluation.ts'

type About = {
  readonly members: readonly { readonly user_id: number }[]
  /** Who did it, and knows it. */
  readonly actorId: number | null
  readonly now: Date
}

/** Notifies both sides of an evaluation to come, and neither of the other; of one that has been there is nothing to say. */
export async function notifyParticipants(
  tx: Handle,
  kind: 'evaluation_booked' | 'evaluation_cancelled',
  { id, scale_id, user_id, begin_at }: Pick<Evaluation, 'id' | 'scale_id' | 'user_id' | 'begin_at'>,
  { members, actorId, now }: About,
): Promise<void> {
  if (begin_at === null || new Date(begin_at) <= now) return
  const sides = [...members.map((member) => member.user_id), ...(user_id === null ? [] : [user_id])]
  const userIds = sides.filter((one) => one !== actorId)
  if (userIds.length === 0) return
  const scale = await tx.kysely.selectFrom('scales').select('name').where('id', '=', scale_id).executeTakeFirst()
  const details = { evaluationId: id, scale: scale?.name ?? '', at: new Date(begin_at).toISOString() }
  await notify(tx, { kind, userIds, details, now })
}
