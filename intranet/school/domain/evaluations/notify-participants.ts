import type { Handle } from '@campus/engine/database/database'
import { notify } from '../../../services/notifications/notify.ts'
import { findRow } from '../rows.ts'
import type { Evaluation } from './evaluation.ts'

type About = {
  readonly members: readonly { readonly user_id: number }[]
  /** The actor is not notified. */
  readonly actorId: number | null
  readonly now: Date
}

/** Notifies both sides of a future evaluation without naming the other side. */
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
  const scale = await findRow(tx, 'scales', scale_id, ['name'])
  const details = { evaluationId: id, scale: scale?.name ?? '', at: new Date(begin_at).toISOString() }
  await notify(tx, { kind, userIds, details, now })
}
