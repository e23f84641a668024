import { defined } from '@campus/engine/base/defined'
import { PROJECTS } from './curriculum.ts'
import { descriptionOf, textOf } from './project-texts.ts'
import { seedScales } from './scales.ts'
import { CAMPUSES, DISCOVERY } from './school.ts'
import { MINIMUM_MARK, SESSIONS, SKILL_SHARES, TERMINATING_FACTOR } from './sessions.ts'
import { DAY, openedAt, toSecond } from './time.ts'
import type { World } from './world.ts'

/** The projects, their sessions with rules, and their scales. */
export async function seedProjects(world: World): Promise<void> {
  await insertProjects(world)
  await insertSessions(world)
  await insertRules(world)
  await seedScales(world)
}

async function insertProjects(world: World): Promise<void> {
  const projects = PROJECTS.map(({ id, name, slug, difficulty, parent, exam }) => {
    const description = descriptionOf({ slug, exam })
    return { name, slug, difficulty, exam, parent_id: parent, position: id, description }
  })
  await world.insert('projects', projects)
  const projectsCursus = PROJECTS.map(({ id, cursus }) => ({ project_id: id, cursus_id: cursus }))
  await world.insert('projects_cursus', projectsCursus)
  const links = CAMPUSES.flatMap((campus) => PROJECTS.map(({ id }) => ({ project_id: id, campus_id: campus.id })))
  await world.insert('projects_campus', links)
  await world.derive(
    'cursus_skills',
    `insert into cursus_skills (cursus_id, skill_id) select distinct c.cursus_id, s.skill_id
     from (values ${PROJECTS.flatMap(({ id, skills }) => skills.map((skill) => `(${id}, ${skill})`)).join(', ')}) s (project_id, skill_id)
     join projects_cursus c on c.project_id = s.project_id order by 1, 2`,
  )
}

const DISCOVERY_ENDS = 200 * DAY

async function insertSessions(world: World): Promise<void> {
  await world.insert(
    'project_sessions',
    SESSIONS.map(({ project, campusId, people }) => ({
      project_id: project.id,
      campus_id: campusId,
      cursus_id: project.cursus,
      solo: people === 1,
      estimate_time: `${project.days} days`,
      difficulty: project.difficulty,
      duration_days: project.days,
      objectives: JSON.stringify(['Rigour', people > 1 ? 'Working together' : 'Working alone', 'Explaining the work']),
      description: `${textOf(project).about} It takes about ${project.days === 1 ? 'a day' : `${project.days} days`}${people > 1 ? `, in teams of up to ${people}` : ''}.`,
      begin_at: openedAt(world.now),
      end_at: project.cursus === DISCOVERY ? toSecond(world.now + DISCOVERY_ENDS) : null,
      terminating_after: project.days * TERMINATING_FACTOR,
      max_people: people,
      is_subscriptable: project.corrections > 0,
      minimum_mark: MINIMUM_MARK,
    })),
  )
  const skills = SESSIONS.flatMap(({ id, project }) =>
    project.skills.map((skill_id, nth) => ({ project_session_id: id, skill_id, value: defined(SKILL_SHARES[nth]) })),
  )
  await world.insert('project_sessions_skills', skills)
}

/** The first rule that every installation has, with its only param. */
const PROJECTS_VALIDATED = { rule_id: 1, param_id: 1 }

async function insertRules(world: World): Promise<void> {
  const { rule_id, param_id } = PROJECTS_VALIDATED
  const ruled = SESSIONS.filter(({ project }) => project.after !== null)
  const rules = ruled.map(({ id }) => ({ project_session_id: id, rule_id, required: true }))
  await world.insert('project_sessions_rules', rules)
  const params = ruled.map(({ project }, index) => {
    const value = PROJECTS[defined(project.after) - 1]?.slug ?? null
    return { project_sessions_rule_id: index + 1, param_id, value }
  })
  await world.insert('params_project_sessions_rules', params)
}
