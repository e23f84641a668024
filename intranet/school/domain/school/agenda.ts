import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { type Offer, offersOfUser } from '../evaluations/offers.ts'

type Reader = Pick<Handle, 'kysely'>

type Own = { readonly userId: number; readonly now: Date; readonly limit: number }

/** Latest first. */
export const projectsAtWork = ({ kysely }: Reader, { userId, limit }: Own) =>
  kysely
    .selectFrom('projects_users')
    .innerJoin('projects', 'projects.id', 'projects_users.project_id')
    .select(['projects_users.id', 'projects.id as project_id', 'name', 'status', 'projects_users.updated_at'])
    .where('user_id', '=', userId)
    .where('status', 'not in', ['finished', 'parent'])
    .orderBy('projects_users.updated_at', 'desc')
    .orderBy('projects_users.id', 'desc')
    .limit(limit)
    .execute()

/** Omits the evaluations that booked the time. */
export async function offersToCome({ kysely }: Reader, { userId, now, limit }: Own): Promise<Offer[]> {
  const { rows } = await sql<Offer>`
    ${offersOfUser(userId, sql`end_at > ${now}`)} order by begin_at limit ${limit}`.execute(kysely)
  return rows
}

/** Without the other side, which is hidden. */
export type EvaluationToCome = {
  readonly id: number
  readonly begin_at: Date
  readonly project: string
  readonly isCorrector: boolean
}

export async function evaluationsToCome({ kysely }: Reader, { userId, now, limit }: Own): Promise<EvaluationToCome[]> {
  const { rows } = await sql<EvaluationToCome>`
    select st.id, st.begin_at, p.name as project, st.user_id is not distinct from ${userId} as "isCorrector"
    from (
      select id from scale_teams where user_id = ${userId} and begin_at > ${now}
      union
      select st.id from teams_users tu join scale_teams st on st.team_id = tu.team_id
      where tu.user_id = ${userId} and st.begin_at > ${now}
    ) own join scale_teams st using (id) join teams t on t.id = st.team_id join projects p on p.id = t.project_id
    order by st.begin_at, st.id limit ${limit}`.execute(kysely)
  return rows
}

export const eventsToCome = ({ kysely }: Reader, { userId, now, limit }: Own) =>
  kysely
    .selectFrom('events_users')
    .innerJoin('events', 'events.id', 'events_users.event_id')
    .select(['events.id', 'name', 'location', 'begin_at', 'end_at', 'waiting'])
    .where('user_id', '=', userId)
    .where('end_at', '>', now)
    .orderBy('begin_at')
    .orderBy('events.id')
    .limit(limit)
    .execute()
