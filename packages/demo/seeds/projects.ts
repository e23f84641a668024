import { defined } from '@campus/engine/base/defined'
import { withIds } from './bulk-insert.ts'
import { PROJECTS } from './curriculum.ts'
import { descriptionOf, textOf } from './project-texts.ts'
import { seedScales } from './scales.ts'
import { CAMPUSES, DISCOVERY, openedAt } from './school.ts'
import { MINIMUM_MARK, SESSIONS, SKILL_SHARES, TERMINATING_FACTOR } from './sessions.ts'
import { DAY, type Times, toSecond } from './time.ts'
import type { World } from './world.ts'

/** What there is to be done at the school, and how it is evaluated. */
export async function seedProjects(world: World): Promise<void> {
  const opened = openedAt(world.now)
  const times = { created_at: opened, updated_at: opened }
  await insertProjects(world, times)
  await insertSessions(world, times)
  await insertRules(world, times)
  await seedScales(world, times)
}

async function insertProjects(world: World, times: Times): Promise<void> {
  await world.insert(
    'projects',
    PROJECTS.map(({ id, name, slug, difficulty, parent, exam }) => ({
      id,
      name,
      slug,
      difficulty,
      exam,
      parent_id: parent,
      position: id,
      ...times,
      description: descriptionOf({ slug, exam }),
    })),
  )
  await world.insert(
    'projects_cursus',
    PROJECTS.map(({ id, cursus }) => ({ id, project_id: id, cursus_id: cursus })),
  )
  const links = CAMPUSES.flatMap((campus) => PROJECTS.map(({ id }) => ({ project_id: id, campus_id: campus.id })))
  await world.insert('projects_campus', withIds(links))
  await world.derive(
    'cursus_skills',
    `insert into cursus_skills (cursus_id, skill_id) select distinct c.cursus_id, s.skill_id
     from (values ${PROJECTS.flatMap(({ id, skills }) => skills.map((skill) => `(${id}, ${skill})`)).join(', ')}) s (project_id, skill_id)
     join projects_cursus c on c.project_id = s.project_id order by 1, 2`,
  )
}

/** The programme for guests ends one day, and begins again with other sessions. */
const DISCOVERY_ENDS = 200 * DAY

async function insertSessions(world: World, times: Times): Promise<void> {
  await world.insert(
    'project_sessions',
    SESSIONS.map(({ id, project, campusId, people }) => ({
      id,
      project_id: project.id,
      campus_id: campusId,
      cursus_id: project.cursus,
      solo: people === 1,
      estimate_time: `${project.days} days`,
      difficulty: project.difficulty,
      duration_days: project.days,
      objectives: JSON.stringify(['Rigour', people > 1 ? 'Working together' : 'Working alone', 'Explaining the work']),
      description: `${textOf(project).about} It takes about ${project.days === 1 ? 'a day' : `${project.days} days`}${people > 1 ? `, in teams of up to ${people}` : ''}.`,
      begin_at: times.created_at,
      end_at: project.cursus === DISCOVERY ? toSecond(world.now + DISCOVERY_ENDS) : null,
      terminating_after: project.days * TERMINATING_FACTOR,
      max_people: people,
      is_subscriptable: project.corrections > 0,
      minimum_mark: MINIMUM_MARK,
      ...times,
    })),
  )
  const gains = SESSIONS.flatMap(({ id, project }) => project.skills.map((skill) => ({ session: id, skill })))
  await world.insert(
    'project_sessions_skills',
    gains.map(({ session, skill }, index) => ({
      id: index + 1,
      project_session_id: session,
      skill_id: skill,
      value: defined(SKILL_SHARES[index % 2]),
      ...times,
    })),
  )
}

/** The first rule, with its only param, of those that every installation has. */
const PROJECTS_VALIDATED = { rule_id: 1, param_id: 1 }

async function insertRules(world: World, times: Times): Promise<void> {
  const ruled = SESSIONS.filter(({ project }) => project.after !== null)
  await world.insert(
    'project_sessions_rules',
    ruled.map(({ id }, index) => ({
      id: index + 1,
      project_session_id: id,
      rule_id: PROJECTS_VALIDATED.rule_id,
      required: true,
      ...times,
    })),
  )
  await world.insert(
    'params_project_sessions_rules',
    ruled.map(({ project }, index) => ({
      id: index + 1,
      project_sessions_rule_id: index + 1,
      param_id: PROJECTS_VALIDATED.param_id,
      ...times,
      value: PROJECTS[defined(project.after) - 1]?.slug ?? null,
    })),
  )
}
