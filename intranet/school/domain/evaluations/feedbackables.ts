import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { findRow } from '../rows.ts'

/** Kinds of feedback details by subject. Clients know no others (spec: evaluations 18). */
export const SIDES = {
  ScaleTeam: ['nice', 'rigorous', 'interested', 'punctuality'],
  Event: ['pertinent', 'quality', 'interesting', 'accuracy'],
} as const

export type Feedbackable = keyof typeof SIDES
export type About = { readonly type: Feedbackable; readonly id: number }

type Columns = { readonly feedbackable_type: string; readonly feedbackable_id: number }

export const storedAbout = ({ feedbackable_type, feedbackable_id }: Columns): About => ({
  type: feedbackable_type === 'Event' ? 'Event' : 'ScaleTeam',
  id: feedbackable_id,
})

export type AboutValues = {
  readonly feedbackable_type?: Feedbackable | null
  readonly feedbackable_id?: number | null
  readonly scale_team_id?: number | null
  readonly event_id?: number | null
}

/** Returns the subject of a feedback. Throws 422 if it is missing, or if the payload contradicts the path. */
export function aboutOf({ scale_team_id, event_id, feedbackable_type, feedbackable_id }: AboutValues): About {
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
  const contradicted = (value: string | number) => [
    message('must be {value} or left out, since the path says so', { value }),
  ]
  if (ofPath && type !== ofPath.type) throw unprocessable({ feedbackable_type: contradicted(ofPath.type) })
  if (ofPath && id !== ofPath.id) throw unprocessable({ feedbackable_id: contradicted(ofPath.id) })
  return { type, id }
}

/** Throws 422 unless the user was corrected by the filled evaluation, or has a place at the event. */
export async function requirePart(tx: Handle, { type, id }: About, userId: number): Promise<void> {
  if (type === 'Event') return requireRegistration(tx, id, userId)
  const evaluation = await findRow(tx, 'scale_teams', id, ['team_id', 'filled_at'])
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

async function requireRegistration(tx: Handle, eventId: number, userId: number): Promise<void> {
  const event = await findRow(tx, 'events', eventId, ['id'])
  if (!event) throw unprocessable({ feedbackable_id: ['must exist'] })
  const registration = await tx.kysely
    .selectFrom('events_users')
    .select('id')
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .where('waiting', '=', false)
    .executeTakeFirst()
  if (!registration) throw unprocessable({ user_id: ['must have a place at the event'] })
}
