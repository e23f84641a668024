import { type ActionInput, chosenId, type Values } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { refuseUnlessSame } from '../forum/moderation.ts'
import { showFirst } from './comments.ts'
import { type AboutValues, aboutOf, requirePart, SIDES, storedAbout } from './feedbackables.ts'

type FeedbackValues = Values &
  AboutValues & {
    readonly user_id?: number
    readonly comment?: string
    readonly rating?: number | null
  }

/** Gives a feedback on what the path or the payload names. Throws 422. */
export async function giveFeedback(
  tx: Handle,
  { values, caller, now }: ActionInput<FeedbackValues & { readonly comment: string }>,
): Promise<number> {
  const user_id = values.user_id ?? caller.resourceOwnerId
  if (user_id === null) throw unprocessable({ user_id: ["can't be blank"] })
  const about = aboutOf(values)
  await requirePart(tx, about, user_id)
  const { comment, rating = null } = values
  const { id } = await tx.kysely
    .insertInto('feedbacks')
    .values({
      ...chosenId(values),
      ...{ user_id, comment, rating, created_at: now, updated_at: now },
      ...{ feedbackable_type: about.type, feedbackable_id: about.id },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes what a feedback says; what it is about is for good. Throws 422. */
export async function changeFeedback(tx: Handle, { id, values, now }: ActionInput<FeedbackValues>): Promise<number> {
  const present = await tx.kysely
    .selectFrom('feedbacks')
    .select(['user_id', 'feedbackable_type', 'feedbackable_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { feedbackable_type, feedbackable_id, ...columns } = values
  refuseUnlessSame(values, ['feedbackable_type', 'feedbackable_id'], present, 'cannot be changed')
  if (columns.user_id !== undefined && columns.user_id !== present.user_id)
    await requirePart(tx, storedAbout(present), columns.user_id)
  await tx.kysely
    .updateTable('feedbacks')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
  return id
}

/** After its details are written: they rate sides of what it is about, and an evaluation shows what was said first. Throws 422. */
export async function finishFeedback(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const feedback = await tx.kysely
    .selectFrom('feedbacks')
    .select(['feedbackable_type', 'feedbackable_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const about = storedAbout(feedback)
  const sides: readonly string[] = SIDES[about.type]
  const details = await tx.kysely.selectFrom('feedback_details').select('kind').where('feedback_id', '=', id).execute()
  if (details.some(({ kind }) => !sides.includes(kind)))
    throw unprocessable({
      feedback_details_attributes: [message('must be of the kinds {kinds} here', { kinds: sides.join(', ') })],
    })
  await showFirst(tx, about, now)
  return id
}

/** Takes a feedback back. */
export async function withdrawFeedback(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const feedback = await tx.kysely
    .deleteFrom('feedbacks')
    .where('id', '=', id)
    .returning(['feedbackable_type', 'feedbackable_id'])
    .executeTakeFirstOrThrow()
  await showFirst(tx, storedAbout(feedback), now)
  return id
}
