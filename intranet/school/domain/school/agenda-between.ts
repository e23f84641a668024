import type { Handle } from '@campus/engine/database/database'
import { type RawBuilder, sql } from 'kysely'
import { offersOfUser } from '../evaluations/offers.ts'

export type AgendaEntry = {
  readonly kind: 'event' | 'exam' | 'evaluation' | 'slot'
  readonly id: number
  readonly title: string
  readonly location: string | null
  readonly begin_at: Date
  readonly end_at: Date
  /** `open` if the user could register. */
  readonly state: 'registered' | 'waiting' | 'open' | 'corrector' | 'corrected' | 'free'
}

type Reader = Pick<Handle, 'kysely'>
/** If there are too many entries, those that ended by `now` are left out first. */
type Span = { readonly from: Date; readonly until: Date; readonly now: Date }
type Own = Span & { readonly userId: number }

const MAX_ENTRIES = 2_000

/**
 * Returns what a user does between two times, in order: events and exams they are registered for, evaluations without the
 * other side, and the time they offer that nobody has booked.
 */
export async function ownAgenda({ kysely }: Reader, { userId, from, until, now }: Own): Promise<AgendaEntry[]> {
  const within = sql`begin_at < ${until} and end_at > ${from}`
  const registered = sql`case when waiting then 'waiting' else 'registered' end`
  const entries = sql`
      select 'event' as kind, e.id, e.name as title, e.location, begin_at, end_at, ${registered} as state
      from events_users u join events e on e.id = u.event_id where u.user_id = ${userId} and ${within}
      union all
      select 'exam', e.id, e.name, e.location, begin_at, end_at, ${registered}
      from exams_users u join exams e on e.id = u.exam_id where u.user_id = ${userId} and ${within}
      union all
      select 'evaluation', st.id, s.name, null, st.begin_at, st.begin_at + make_interval(secs => s.duration),
        case when st.user_id = ${userId} then 'corrector' else 'corrected' end
      from (
        select id from scale_teams where user_id = ${userId} and begin_at < ${until} and begin_at > ${dayBefore(from)}
        union
        select st.id from teams_users tu join scale_teams st on st.team_id = tu.team_id
        where tu.user_id = ${userId} and tu.validated and st.begin_at < ${until} and st.begin_at > ${dayBefore(from)}
      ) own join scale_teams st using (id) join scales s on s.id = st.scale_id
      union all
      select 'slot', ids[1], '', null, begin_at, end_at, 'free'
      from (${offersOfUser(userId, sql`scale_team_id is null and ${within}`)}) offers`
  return nearest(kysely, sql`select * from (${entries}) entries where end_at > ${from}`, now)
}

/** No evaluation takes more than a day. */
const dayBefore = (time: Date) => new Date(time.getTime() - 86_400_000)

async function nearest(kysely: Reader['kysely'], entries: RawBuilder<unknown>, now: Date): Promise<AgendaEntry[]> {
  const { rows } = await sql<AgendaEntry>`
    select * from (
      select * from (${entries}) entries
      order by end_at <= ${now}, greatest(begin_at - ${now}, ${now} - end_at), kind, id limit ${MAX_ENTRIES}
    ) nearest order by begin_at, kind, id`.execute(kysely)
  return rows
}

export async function campusAgenda(
  { kysely }: Reader,
  { userId, campusId, from, until, now }: Own & { readonly campusId: number },
): Promise<AgendaEntry[]> {
  const within = sql`e.begin_at < ${until} and e.end_at > ${from}`
  const state = sql`case when u.waiting then 'waiting' when u.id is not null then 'registered' else 'open' end`
  const entries = sql`
      select 'event' as kind, e.id, e.name as title, e.location, e.begin_at, e.end_at, ${state} as state
      from events e left join events_users u on u.event_id = e.id and u.user_id = ${userId}
      where ${within} and exists (select from events_campus c where c.event_id = e.id and c.campus_id = ${campusId})
      union all
      select 'exam', e.id, e.name, e.location, e.begin_at, e.end_at, ${state}
      from exams e left join exams_users u on u.exam_id = e.id and u.user_id = ${userId}
      where ${within} and e.campus_id = ${campusId} and e.visible`
  return nearest(kysely, entries, now)
}
