import assert from 'node:assert/strict'
import type { World } from '../support/campus.ts'

export type School = Awaited<ReturnType<typeof findSchool>>

/** Records of the demonstration school that programs ask for, by what they are to them. */
export async function findSchool({ database }: Pick<World, 'database'>) {
  const row = async (statement: string): Promise<readonly unknown[]> => {
    const [found] = await database.rows(`${statement} limit 1`)
    assert.ok(found, `the demonstration school has nothing for: ${statement}`)
    return found
  }
  const id = async (statement: string) => Number((await row(statement))[0])

  const [user, login, firstName, lastName] = await row(
    `select u.id, u.login, u.first_name, u.last_name from users u where closed_at is null and kind = 'student'
     and exists (select from scale_teams s where s.user_id = u.id and s.filled_at is not null)
     and exists (select from locations l where l.user_id = u.id)
     and exists (select from cursus_users c where c.user_id = u.id and c.cursus_id = 1 and c.end_at is null)
     and exists (select from campus_users m where m.user_id = u.id and m.campus_id = 1)
     and (select count(*) from titles_users t where t.user_id = u.id) <= (select count(*) from titles) - 2 order by u.id`,
  )
  const [projectId, projectSlug] = await row(
    `select p.id, p.slug from projects p join projects_cursus pc on pc.project_id = p.id and pc.cursus_id = 1
     where not exam and exists (select from project_sessions where project_id = p.id) order by p.id`,
  )
  const [doneProject, doneUser, doneLogin] = await row(
    `select pu.project_id, pu.user_id, u.login from projects_users pu join users u on u.id = pu.user_id
     where pu.status = 'finished' and pu.final_mark is not null and u.closed_at is null
     and exists (select from teams_users tu where tu.projects_user_id = pu.id) order by pu.id`,
  )
  const [evaluatedScale, evaluatedTeam, evaluatedProject] = await row(
    `select s.scale_id, s.team_id, t.project_id from scale_teams s join teams t on t.id = s.team_id
     where filled_at is not null and s.user_id is not null order by s.id`,
  )
  const [waitingTeam, waitingScale, stranger] = await row(
    `select t.id, sc.id, u.id from teams t
     join project_sessions ps on ps.id = t.project_session_id
     join evaluations e on e.project_session_id = ps.id join scales sc on sc.evaluation_id = e.id
     join users u on u.closed_at is null and u.kind = 'student'
     where t.status = 'waiting_for_correction' and (select count(*) from scale_teams s where s.team_id = t.id) < sc.correction_number
     and not exists (select from teams_users tu where tu.team_id = t.id and tu.user_id = u.id)
     and not exists (select from scale_teams s where s.team_id = t.id and s.user_id = u.id) order by t.id, sc.is_primary desc, u.id desc`,
  )
  const [title, otherTitle] = await row(
    `select a.id, b.id from titles a, titles b where a.id < b.id
     and not exists (select from titles_users where user_id = ${user} and title_id in (a.id, b.id)) order by 1, 2`,
  )
  const person = await id(
    `select u.id from users u where closed_at is null and kind = 'student' and alumnized_at is null and id <> ${user}
     and exists (select from cursus_users c where c.user_id = u.id and c.cursus_id = 1 and c.end_at is null)
     and exists (select from teams_users tu join scale_teams s on s.team_id = tu.team_id where tu.user_id = u.id and s.begin_at < '2026-03-02')
     order by u.id desc`,
  )
  const [cursusUser] = await row(`select id from cursus_users where user_id = ${user} order by id`)
  return {
    campus: 1,
    cursus: 1,
    cursusSlug: 'core',
    pool: { id: 1, cursus: 2 },
    poolSlug: 'entry-pool',
    poolYear: String((await row("select pool_year from users where kind = 'student' order by id"))[0]),
    user: Number(user),
    login: String(login),
    firstName: String(firstName),
    lastName: String(lastName),
    person,
    newcomer: await id(
      `select id from users u where closed_at is null and not exists (select from titles_users where user_id = u.id)
       and not exists (select from coalitions_users where user_id = u.id) and not exists (select from groups_users where user_id = u.id) order by id desc`,
    ),
    stranger: Number(stranger),
    project: Number(projectId),
    projectSlug: String(projectSlug),
    projectWord: String(projectSlug).split('-')[0],
    projectsUser: await id("select id from projects_users where status = 'finished' order by id"),
    cursusUser: Number(cursusUser),
    done: { project: Number(doneProject), user: Number(doneUser), login: String(doneLogin) },
    evaluated: { scale: Number(evaluatedScale), team: Number(evaluatedTeam), project: Number(evaluatedProject) },
    waiting: { team: Number(waitingTeam), scale: Number(waitingScale) },
    markedTeam: await id('select id from teams where final_mark is not null order by id'),
    group: await id('select group_id from groups_users group by 1 having count(*) > 1 order by 1'),
    grouped: await id('select user_id from groups_users order by id'),
    coalition: 1,
    otherCoalition: 2,
    coalitionMember: await id('select user_id from coalitions_users group by 1 having count(*) = 1 order by 1'),
    title: Number(title),
    otherTitle: Number(otherTitle),
    heldTitle: await id('select title_id from titles_users order by id'),
    location: await id('select id from locations where end_at is not null order by id'),
    host: String((await row('select host from locations where campus_id = 1 order by id'))[0]),
    seated: await id('select user_id from locations where campus_id = 1 and end_at is null order by id'),
    event: await id("select e.id from events e where begin_at > '2026-03-03' and max_people is null order by id"),
    pastEvent: await id(
      "select event_id from events_users join events e on e.id = event_id where e.end_at < '2026-03-02' group by 1 having count(*) > 3 order by 1",
    ),
    attendee: await id('select user_id from events_users order by id'),
    expert: await id('select user_id from expertises_users order by id'),
    expertise: await id(
      `select id from expertises e where not exists (select from expertises_users where expertise_id = e.id and user_id = ${person}) order by id`,
    ),
    achievement: await id('select achievement_id from achievements_users order by id'),
    partnership: await id('select partnership_id from partnerships_users order by id'),
    feedbackUser: await id("select user_id from feedbacks where feedbackable_type = 'ScaleTeam' order by id"),
    topic: await id("select messageable_id from messages where messageable_type = 'Topic' order by id"),
    tag: await id('select id from tags order by id'),
  }
}
