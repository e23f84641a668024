import { sql } from 'kysely'
import type { ActionInput, Values } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import { refuseUnlessSame } from './moderation.ts'

/** The sides that feedbacks rate, by what they are about: clients know no others there (neighbours §7). */
export const SIDES = {
  ScaleTeam: ['nice', 'rigorous', 'interested', 'punctuality'],
  Event: ['pertinent', 'quality', 'interesting', 'accuracy'],
} as const

/** What a feedback may be about. */
export type Feedbackable = keyof typeof SIDES
type About = { readonly type: Feedbackable; readonly id: number }

type FeedbackValues = Values & {
  readonly user_id?: number
  readonly comment?: string
  readonly rating?: number | null
  readonly feedbackable_type?: Feedbackable | null
  readonly feedbackable_id?: number | null
  readonly scale_team_id?: number | null
  readonly event_id?: number | null
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
export async function settleFeedback(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const feedback = await tx.kysely
    .selectFrom('feedbacks')
    .select(['feedbackable_type', 'feedbackable_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const about = storedAbout(feedback)
  const sides: readonly string[] = SIDES[about.type]
  const details = await tx.kysely.selectFrom('feedback_details').select('kind').where('feedback_id', '=', id).execute()
  if (details.some(({ kind }) => !sides.includes(kind)))
    throw unprocessable({ feedback_details_attributes: [`must be of the kinds ${sides.join(', ')} here`] })
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

/** Refuses to write the remark of an evaluation beside a feedback that says it. Throws 422. */
export async function requireNoFeedback(tx: Handle, scaleTeamId: number, names: readonly string[]): Promise<void> {
  const first = await tx.kysely
    .selectFrom('feedbacks')
    .select('id')
    .where('scale_team_id', '=', scaleTeamId)
    .orderBy('id')
    .executeTakeFirst()
  if (first) throw unprocessable(Object.fromEntries(names.map((name) => [name, [`is said by feedback ${first.id}`]])))
}

const storedAbout = ({ feedbackable_type, feedbackable_id }: { feedbackable_type: string; feedbackable_id: number }) =>
  ({ type: feedbackable_type as Feedbackable, id: feedbackable_id }) satisfies About

/** The path says it by a column of its own; a payload may repeat that, not contradict it. Throws 422. */
function aboutOf({ scale_team_id, event_id, feedbackable_type, feedbackable_id }: FeedbackValues): About {
  const ofPath: About | undefined =
    scale_team_id != null
      ? { type: 'ScaleTeam', id: scale_team_id }
      : event_id != null
        ? { type: 'Event', id: event_id }
        : undefined
  const [type, id] = [feedbackable_type ?? ofPath?.type, feedbackable_id ?? ofPath?.id]
  if (type === undefined || id === undefined) {
    throw unprocessable({
      ...(type === undefined ? { feedbackable_type: ["can't be blank"] } : {}),
      ...(id === undefined ? { feedbackable_id: ["can't be blank"] } : {}),
    })
  }
  const contradicted = (value: unknown) => [`must be ${value} or left out, since the path says so`]
  if (ofPath && type !== ofPath.type) throw unprocessable({ feedbackable_type: contradicted(ofPath.type) })
  if (ofPath && id !== ofPath.id) throw unprocessable({ feedbackable_id: contradicted(ofPath.id) })
  return { type, id }
}

/** The corrected speak about an evaluation that is filled, those who have a place about their event. Throws 422. */
async function requirePart(tx: Handle, { type, id }: About, userId: number): Promise<void> {
  if (type === 'Event') return requirePlace(tx, id, userId)
  const evaluation = await tx.kysely
    .selectFrom('scale_teams')
    .select(['team_id', 'filled_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!evaluation) throw unprocessable({ feedbackable_id: ['must exist'] })
  if (evaluation.filled_at === null)
    throw unprocessable({ feedbackable_id: ['is an evaluation that is not filled yet'] })
  const member = await tx.kysely
    .selectFrom('teams_users')
    .select('id')
    .where('team_id', '=', evaluation.team_id)
    .where('user_id', '=', userId)
    .where('validated', '=', true)
    .executeTakeFirst()
  if (!member) throw unprocessable({ user_id: ['must be one of the corrected'] })
}

async function requirePlace(tx: Handle, eventId: number, userId: number): Promise<void> {
  const event = await tx.kysely.selectFrom('events').select('id').where('id', '=', eventId).executeTakeFirst()
  if (!event) throw unprocessable({ feedbackable_id: ['must exist'] })
  const place = await tx.kysely
    .selectFrom('events_users')
    .select('id')
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .where('waiting', '=', false)
    .executeTakeFirst()
  if (!place) throw unprocessable({ user_id: ['must have a place at the event'] })
}

/** `feedback` and `feedback_rating` of an evaluation are those of its first feedback (neighbours §16). */
async function showFirst(tx: Handle, { type, id }: About, now: Date): Promise<void> {
  if (type !== 'ScaleTeam') return
  // Held first, or of two feedbacks that come at once each would take itself for the first.
  await tx.rows('select 1 from scale_teams where id = $1 for no key update', [id])
  await sql`
    update scale_teams t set feedback = f.comment, feedback_rating = f.rating, updated_at = ${now}
    from (values (1)) one left join lateral
      (select comment, rating from feedbacks where scale_team_id = ${id} order by id limit 1) f on true
    where t.id = ${id} and (t.feedback, t.feedback_rating) is distinct from (f.comment, f.rating)`.execute(tx.kysely)
}
