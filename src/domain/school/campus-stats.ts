import type { QueryAction } from '../../actions.ts'
import { defined } from '../../base/defined.ts'

/** How many people a campus has, of each sort, and what goes on there, as JSON (`campus/:id/stats`). */
export const readCampusStats: QueryAction = async (handle, { id, now }) => {
  const [row] = await handle.rows(
    `with members as (
       select u.id, u.kind, u.alumnized_at, u.closed_at from users u join campus_users m on m.user_id = u.id and m.campus_id = $1)
     select json_build_object(
       'campus_id', $1::integer,
       'users', (select json_build_object(
         'total', count(*),
         'students', count(*) filter (where kind = 'student'),
         'staff', count(*) filter (where kind = 'admin'),
         'externals', count(*) filter (where kind = 'external'),
         'alumni', count(*) filter (where alumnized_at is not null),
         'closed', count(*) filter (where closed_at is not null)) from members),
       'logged_in', (select count(distinct user_id) from locations where campus_id = $1 and end_at is null),
       'events_to_come', (select count(*) from events e join events_campus c on c.event_id = e.id
         where c.campus_id = $1 and e.begin_at > $2),
       'exams_to_come', (select count(*) from exams where campus_id = $1 and begin_at > $2),
       'cursus', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'users', followed.users)
           order by c.id), '[]')
         from cursus c join (select cursus_id, count(distinct user_id) as users from cursus_users
           where user_id in (select id from members) and begin_at <= $2 and (end_at is null or end_at > $2)
           group by cursus_id) followed on followed.cursus_id = c.id))`,
    [id, now],
  )
  return defined(row?.[0])
}
