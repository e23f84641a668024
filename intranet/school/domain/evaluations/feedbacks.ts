import { type ActionInput, chosenId, type Values } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { refuseUnlessSame } from '../forum/moderation.ts'
import { insertRow, readRow, updateRow } from '../rows.ts'
import { showFirst } from './comments.ts'
import { type AboutValues, aboutOf, requirePart, SIDES, storedAbout } from './feedbackables.ts'

type FeedbackValues = Values &
  AboutValues & {
    readonly user_id?: number
    readonly comment?: string
    readonly rating?: number | null
  }

export async function giveFeedback(
  tx: Handle,
  { values, caller, now }: ActionInput<FeedbackValues & { readonly comment: string }>,
): Promise<number> {
  const user_id = values.user_id ?? caller.resourceOwnerId
  if (user_id === null) throw unprocessable({ user_id: ["can't be blank"] })
  const about = aboutOf(values)
  await requirePart(tx, about, user_id)
  const { comment, rating = null } = values
  return insertRow(tx, 'feedbacks', {
    ...chosenId(values),
    ...{ user_id, comment, rating, created_at: now, updated_at: now },
    ...{ feedbackable_type: about.type, feedbackable_id: about.id },
  })
}

/** The subject of a feedback cannot change. Throws 422. */
export async function changeFeedback(tx: Handle, { id, values, now }: ActionInput<FeedbackValues>): Promise<number> {
  const present = await readRow(tx, 'feedbacks', id, ['user_id', 'feedbackable_type', 'feedbackable_id'])
  const { feedbackable_type, feedbackable_id, ...columns } = values
  refuseUnlessSame(values, ['feedbackable_type', 'feedbackable_id'], present, 'cannot be changed')
  if (columns.user_id !== undefined && columns.user_id !== present.user_id)
    await requirePart(tx, storedAbout(present), columns.user_id)
  await updateRow(tx, 'feedbacks', id, { ...columns, updated_at: now })
  return id
}

/** Runs after the details are written. Throws 422 if their kinds do not match the subject. */
export async function finishFeedback(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const feedback = await readRow(tx, 'feedbacks', id, ['feedbackable_type', 'feedbackable_id'])
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

export async function withdrawFeedback(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const feedback = await tx.kysely
    .deleteFrom('feedbacks')
    .where('id', '=', id)
    .returning(['feedbackable_type', 'feedbackable_id'])
    .executeTakeFirstOrThrow()
  await showFirst(tx, storedAbout(feedback), now)
  return id
}
