import { defined } from '@campus/engine/base/defined'
import { PROJECTS } from './curriculum.ts'
import type { ProjectsUser } from './projects-users.ts'
import type { PartnershipsUser } from './recognition/partnerships.ts'
import { CORE } from './school.ts'
import { SKILL_SHARES } from './sessions.ts'
import type { World } from './world.ts'

/** Points for each point of the mark of a partnership. */
const PARTNERSHIP_FACTOR = 10

/** Points by skill, and when the last points were earned. */
type Earned = { readonly points: ReadonlyMap<number, number>; readonly lastAt: number }

/** Returns what a user has earned in a cursus. */
export type Earnings = (userId: number, cursus: number) => Earned

/** Adds up points for validated projects, by difficulty and mark, and for partnerships. */
export function earningsOf(progress: Iterable<ProjectsUser>, partnerships: readonly PartnershipsUser[]): Earnings {
  const earned = new Map<string, { points: Map<number, number>; lastAt: number }>()
  const add = (userId: number, cursus: number, skills: readonly number[], points: number, at: number) => {
    const key = `${userId} ${cursus}`
    const own = earned.get(key) ?? { points: new Map<number, number>(), lastAt: 0 }
    earned.set(key, own)
    own.lastAt = Math.max(own.lastAt, at)
    const first = Math.round(points * SKILL_SHARES[0])
    for (const [index, part] of [first, points - first].entries()) {
      const skill = defined(skills[index])
      own.points.set(skill, (own.points.get(skill) ?? 0) + part)
    }
  }
  for (const { personId, projectId, team, outcome } of progress) {
    const project = PROJECTS[projectId - 1]
    if (!team || !project || !outcome.validated) continue
    const points = Math.round((project.difficulty * (outcome.mark ?? 0)) / 100)
    add(personId, project.cursus, project.skills, points, outcome.markedAt ?? 0)
  }
  for (const { user_id, final_mark, skills, updated_at } of partnerships) {
    if (final_mark !== null) add(user_id, CORE, skills, final_mark * PARTNERSHIP_FACTOR, updated_at)
  }
  return (userId, cursus) => earned.get(`${userId} ${cursus}`) ?? NOTHING
}

const NOTHING: Earned = { points: new Map(), lastAt: 0 }

/** Rows for each skill of what `earningsOf` adds up. */
export async function seedExperiences(world: World): Promise<void> {
  const part = `case place when 1 then round(points * ${SKILL_SHARES[0]}) else points - round(points * ${SKILL_SHARES[0]}) end`
  await world.derive(
    'experiences',
    `insert into experiences (user_id, skill_id, cursus_id, experiancable_type, experiancable_id, experience, is_bonus, recorded, created_at)
     select user_id, skill_id, cursus_id, sort, id, ${part}, is_bonus, sort = 'ProjectsUser', at from (
       select p.user_id, p.id, 'ProjectsUser' as sort, s.skill_id, c.cursus_id, s.place, p.final_mark > 100 as is_bonus, p.marked_at as at,
         round(j.difficulty * p.final_mark / 100.0) as points
       from projects_users p join projects j on j.id = p.project_id join projects_cursus c on c.project_id = j.id
       join (
         select project_id, skill_id, row_number() over (partition by project_id order by value desc) as place from (
           select distinct s.project_id, k.skill_id, k.value
           from project_sessions s join project_sessions_skills k on k.project_session_id = s.id) gains) s on s.project_id = j.id
       where p.validated and p.status <> 'parent'
       union all
       select p.user_id, p.id, 'PartnershipsUser', s.skill_id, ${CORE}, row_number() over (partition by p.id order by s.value desc), false, p.updated_at,
         p.final_mark * ${PARTNERSHIP_FACTOR}
       from partnerships_users p join partnerships_skills s using (partnership_id) where p.final_mark is not null) earned
     order by at, sort, id, place`,
  )
}
