import type { World } from './world.ts'

/**
 * Places projects on the map of their cursus, in circles of one to three projects. Lines connect each project to
 * projects of the previous circle.
 */
export async function seedProjectData(world: World): Promise<void> {
  await world.derive(
    'project_data',
    `with slots (slot, circle, y, leads) as (values
       (0, 0, 0, array[2, 1]), (1, 1, -100, array[1]), (2, 1, 100, array[2]), (3, 2, -200, array[2]),
       (4, 2, 0, array[3, 2]), (5, 2, 200, array[3]), (6, 3, -100, array[3, 2]), (7, 3, 100, array[2])),
     numbered as (
       select project_id, cursus_id, row_number() over (partition by cursus_id order by project_id) - 1 as n
       from (select project_id, min(cursus_id) as cursus_id from projects_cursus group by project_id) first),
     placed as (
       select project_id, cursus_id, n, leads, 2000 + 170 * (4 * (n / 8) + circle) as x, 2400 + 600 * cursus_id + y as y
       from numbered join slots on slot = n % 8)
     insert into project_data (project_session_id, coordinates, by, kind, created_at, updated_at)
     select session.id, format('[%s.0,%s.0]', one.x, one.y),
       coalesce((select '[' || string_agg(format('[%s,%s,%s,%s,%s]', before.project_id, before.x, before.y, one.x, one.y), ',' order by before.n) || ']'
         from placed before where before.cursus_id = one.cursus_id and one.n - before.n = any(one.leads)), '[]'),
       case when project.exam then 'exam' else 'project' end, session.created_at, session.created_at
     from project_sessions session join placed one using (project_id) join projects project on project.id = session.project_id
     order by session.id`,
  )
}
