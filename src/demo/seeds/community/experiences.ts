import { CORE } from '../school.ts'
import type { World } from '../world.ts'
import { timestamp } from './sql.ts'

/** What people have earned by projects that they passed, in a skill of the course, and by partnerships. */
export async function seedExperiences(world: World): Promise<void> {
  await world.derive(
    'experiences',
    `with taught as (select skill_id, row_number() over (order by skill_id) - 1 as place, count(*) over () as all_skills
       from cursus_skills where cursus_id = ${CORE})
     insert into experiences (user_id, skill_id, cursus_id, experiancable_type, experiancable_id, experience, is_bonus, created_at)
     select earned.user_id, taught.skill_id, ${CORE}, earned.sort, earned.id, earned.points, earned.is_bonus, earned.at
     from (
       select user_id, id, 'ProjectsUser' as sort, project_id as subject, final_mark * 5 as points, final_mark > 100 as is_bonus,
         marked_at as at from projects_users where validated and marked_at is not null
       union all
       select user_id, id, 'PartnershipsUser', partnership_id, coalesce(final_mark, 50) * 10, false,
         least(created_at, ${timestamp(world.now)}) from partnerships_users) earned
     join taught on taught.place = earned.subject % taught.all_skills
     order by earned.at, earned.sort, earned.id`,
  )
}
