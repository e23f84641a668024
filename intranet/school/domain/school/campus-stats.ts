import type { QueryAction } from '@campus/engine/actions'
import { defined } from '@campus/engine/base/defined'
import { sql } from 'kysely'

export const readCampusStats: QueryAction = async (handle, { id, now }) => {
  const { rows } = await sql<{ stats: string }>`
    with members as (
       select u.id, u.kind, u.alumnized_at, u.closed_at from users u join campus_users m on m.user_id = u.id and m.campus_id = ${id})
     select json_build_object(
       'campus_id', ${id}::integer,
       'users', (select json_build_object(
         'total', count(*),
         'students', count(*) filter (where kind = 'student'),
         'staff', count(*) filter (where kind = 'admin'),
         'externals', count(*) filter (where kind = 'external'),
         'alumni', count(*) filter (where alumnized_at is not null),
         'closed', count(*) filter (where closed_at is not null)) from members),
       'logged_in', (select count(distinct user_id) from locations where campus_id = ${id} and end_at is null),
       'events_to_come', (select count(*) from events e join events_campus c on c.event_id = e.id
         where c.campus_id = ${id} and e.begin_at > ${now}),
       'exams_to_come', (select count(*) from exams where campus_id = ${id} and begin_at > ${now}),
       'cursus', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'users', followed.users)
           order by c.id), '[]')
         from cursus c join (select cursus_id, count(distinct user_id) as users from cursus_users
           where user_id in (select id from members) and begin_at <= ${now} and (end_at is null or end_at > ${now})
           group by cursus_id) followed on followed.cursus_id = c.id))::text as stats`.execute(handle.kysely)
  return defined(rows[0]).stats
}
