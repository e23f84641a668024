import type { World } from './world.ts'

/** The places of projects on the map: in rows around the middle, each led to by a line from the one before. */
export async function seedProjectData(world: World): Promise<void> {
  await world.derive(
    'project_data',
    `insert into project_data (project_session_id, coordinates, by, kind, created_at, updated_at)
     select session.id, format('[%s.0,%s.0]', x, y),
       case when before is null then '[]'
         else format('[[%s,%s,%s,%s,%s]]', before, before_x, before_y, x, y) end,
       case when exam then 'exam' else 'project' end, session.created_at, session.created_at
     from project_sessions session join (
       select id, exam, x, y, lag(id) over w as before, lag(x) over w as before_x, lag(y) over w as before_y
       from (
         select id, exam, 3000 + 150 * (row_number() over (order by id) % 12 - 6) as x,
           3000 + 200 * (row_number() over (order by id) / 12) as y
         from projects) placed
       window w as (order by id)) drawn on drawn.id = session.project_id
     order by session.id`,
  )
}
