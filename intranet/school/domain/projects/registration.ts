import type { FoundAssociation } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { type RawBuilder, sql } from 'kysely'
import { satisfiesRules } from './registration-rules.ts'

type OpenSession = { readonly project_id: number; readonly session_id: number }
type Narrowed = { readonly projectId?: number; readonly exceptTeamId?: number }

/** Projects that a user may register for, each with its session (spec: projects 1). */
export const openToRegister: FoundAssociation = {
  note: 'Those that the user may register for now, each with the session that it would be in.',
  columns: ['id', 'project_session_id'],
  async find(handle, userId, now) {
    const open = await openSessions(handle, userId, {}, now)
    return open.map(({ project_id, session_id }) => [project_id, session_id])
  },
}

/** Returns the session in which a user may begin the project now, if any. */
export async function openSessionOf(
  tx: Handle,
  userId: number,
  narrowed: Narrowed & { readonly projectId: number },
  now: Date,
): Promise<number | undefined> {
  const [open] = await openSessions(tx, userId, narrowed, now)
  return open?.session_id
}

/**
 * Returns the most specific session for a user: one of their campus and cursus, else of one of these, else of all. If no
 * session fits the user, returns the most general one. Returns undefined if the project has no sessions.
 */
export async function sessionFor(tx: Handle, userId: number, projectId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${fittingSession(sql`${userId}`, sql`${projectId}`)}`.execute(tx.kysely)
  return rows[0]?.id
}

export const fittingSession = (userId: RawBuilder<unknown>, projectId: RawBuilder<unknown>) => sql<{ id: number }>`
  select s.id from project_sessions s,
    lateral (select (s.campus_id is not null)::int + (s.cursus_id is not null)::int as narrowness,
      (s.campus_id is null or s.campus_id in (select campus_id from campus_users where user_id = ${userId}))
      and (s.cursus_id is null or s.cursus_id in (select cursus_id from cursus_users where user_id = ${userId})) as fits) f
  where s.project_id = ${projectId}
  order by f.fits desc, case when f.fits then -f.narrowness else f.narrowness end, s.id desc limit 1`

/**
 * Projects that a user may begin: an active cursus contains the project, a session is open, its rules hold, and the
 * user has no open or validated team on it besides `exceptTeamId`.
 */
async function openSessions(
  handle: Handle,
  userId: number,
  { projectId, exceptTeamId = 0 }: Narrowed,
  now: Date,
): Promise<readonly OpenSession[]> {
  const { rows } = await sql<OpenSession & { position: number; rank: number }>`
    with active as (
      select cursus_id from cursus_users
      where user_id = ${userId} and begin_at <= ${now} and (end_at is null or end_at > ${now})
    )
    select p.id as project_id, s.id as session_id
    from projects p join project_sessions s on s.project_id = p.id
    where p.visible and s.is_subscriptable and p.id = coalesce(${projectId ?? null}::int, p.id)
      and (s.begin_at is null or s.begin_at <= ${now}) and (s.end_at is null or s.end_at > ${now})
      and (s.campus_id is null or s.campus_id in (select campus_id from campus_users where user_id = ${userId}))
      and (s.cursus_id is null or s.cursus_id in (select cursus_id from active))
      and exists (
        select 1 from projects_cursus c where c.project_id = p.id and c.cursus_id in (select cursus_id from active)
      )
      and not exists (
        select 1 from teams_users m join teams t on t.id = m.team_id
        where m.user_id = ${userId} and m.validated and t.project_id = p.id and t.id <> ${exceptTeamId}
          and (t.status <> 'finished' or t.validated)
      )
    order by p.position, p.id, (s.campus_id is not null)::int + (s.cursus_id is not null)::int desc, s.id desc`.execute(
    handle.kysely,
  )
  const satisfies = await satisfiesRules(
    handle,
    userId,
    rows.map(({ session_id }) => session_id),
    now,
  )
  const chosen = new Map<number, OpenSession>()
  for (const row of rows) if (!chosen.has(row.project_id) && satisfies(row)) chosen.set(row.project_id, row)
  return [...chosen.values()]
}
