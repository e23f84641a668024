import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { seededDatabase } from '@campus/test/support/database'

const NOW = new Date('2026-03-04T11:17:23.456Z')

describe('the projects of the demonstration school', () => {
  let database: Database
  const one = async (sql: string) => Number((await database.rows(sql))[0]?.[0])
  const none = async (sql: string) => assert.equal(await one(`select count(*) from ${sql}`), 0)

  before(async () => {
    database = await seededDatabase({ users: 600, locations: 100, now: NOW })
  })
  after(() => database.close())

  it('are many in the main cursus, some of them parts of others', async () => {
    for (const cursus of [1, 2]) {
      const projects = await one(`select count(*) from projects_cursus where cursus_id = ${cursus}`)
      assert.ok(projects > 20 && projects < 30, `${projects}`)
    }
    assert.ok((await one('select count(distinct parent_id) from projects')) >= 3)
    await none('projects p where not exists (select 1 from project_sessions where project_id = p.id)')
  })

  it('have about 2300 teams in every state and 3700 evaluations, past and to come', async () => {
    const teams = await one('select count(*) from teams')
    const evaluations = await one('select count(*) from scale_teams')
    assert.ok(teams > 2000 && teams < 2700, `${teams}`)
    assert.ok(evaluations > 3200 && evaluations < 4200, `${evaluations}`)
    const states = await database.rows('select status, count(*) from teams group by 1 order by 1')
    assert.deepEqual(
      states.map(([status]) => status),
      ['creating_group', 'finished', 'in_progress', 'waiting_for_correction'],
    )
    assert.ok((await one('select count(*) from scale_teams where filled_at is null')) > 10)
    assert.ok((await one('select count(*) from scale_teams where truant_id is not null')) > 10)
    assert.ok((await one('select count(distinct flag_id) from scale_teams')) > 4)
  })

  it('let nothing happen in the future but evaluations to come', async () => {
    const now = `'${NOW.toISOString()}'`
    await none(`teams where greatest(created_at, updated_at, locked_at, closed_at) > ${now}`)
    await none(`scale_teams where greatest(created_at, updated_at, filled_at) > ${now}`)
    await none(`scale_teams where (filled_at is null) <> (begin_at > ${now})`)
    await none('scale_teams s join teams t on t.id = s.team_id where s.created_at < t.closed_at or t.closed_at is null')
    await none(
      'teams_users m join users u on u.id = m.user_id join teams t on t.id = m.team_id where t.created_at < u.created_at',
    )
  })

  it('mark a team as its evaluations say', async () => {
    const graded = `(
      select t.*, p.minimum_mark, greatest(1, (
        select sum(c.correction_number) from scales c join evaluations e on e.id = c.evaluation_id
        where e.project_session_id = t.project_session_id
      )) as needed,
      (
        select case when count(*) > 0 then array[count(*), round(avg(case when f.positive then s.final_mark else 0 end))] end
        from scale_teams s join flags f on f.id = s.flag_id
        where s.team_id = t.id and s.filled_at is not null and (s.truant_id is null or s.truant_id <> s.user_id)
      ) as verdict
      from teams t join project_sessions p on p.id = t.project_session_id
    ) as judged`
    await none(
      `${graded} where final_mark is not null and (verdict is null or verdict[1] < needed or verdict[2] <> final_mark)`,
    )
    await none(`${graded} where final_mark is null and verdict[1] >= needed`)
    await none(`${graded} where (final_mark >= minimum_mark) is distinct from validated`)
    await none(`teams where status <> case when final_mark is not null then 'finished' when closed_at is not null
      then 'waiting_for_correction' when locked_at is not null then 'in_progress' else 'creating_group' end`)
  })

  it('let each projects_user follow the latest team', async () => {
    await none(`projects_users p left join teams t on t.id = p.current_team_id where p.status <> 'parent' and
      (t.id is null or t.project_id <> p.project_id or t.status <> p.status or t.final_mark is distinct from p.final_mark
        or t.validated is distinct from p.validated or (p.marked_at is null) <> (p.final_mark is null)
        or t.id <> (select max(team_id) from teams_users where projects_user_id = p.id)
        or p.occurrence <> (select count(*) - 1 from teams_users where projects_user_id = p.id))`)
    await none(`teams_users m join teams t on t.id = m.team_id left join projects_users p
      on p.id = m.projects_user_id and p.user_id = m.user_id and p.project_id = t.project_id where p.id is null`)
    assert.ok((await one("select count(*) from projects_users where status = 'parent' and validated")) > 0)
  })

  it('keep the rules on teams', async () => {
    await none(`(select 1 from teams_users m join teams t on t.id = m.team_id where t.status <> 'finished'
      group by m.user_id, t.project_id having count(*) > 1) as twice`)
    await none(`(select 1 from teams_users m join teams t on t.id = m.team_id
      join project_sessions p on p.id = t.project_session_id
      group by t.id, p.max_people having count(*) > p.max_people or count(*) filter (where m.leader) <> 1) as crowded`)
    await none(`teams_users m join teams t on t.id = m.team_id
      join project_sessions_rules r on r.project_session_id = t.project_session_id
      join params_project_sessions_rules v on v.project_sessions_rule_id = r.id join projects asked on asked.slug = v.value
      where not exists (
        select 1 from teams_users e join teams before on before.id = e.team_id
        where e.user_id = m.user_id and before.project_id = asked.id and before.validated and before.id < t.id
      )`)
  })

  it('keep the rules on evaluations', async () => {
    await none('scale_teams s join teams_users m on m.team_id = s.team_id and m.user_id = s.user_id')
    await none(`scale_teams a join scale_teams b on a.user_id = b.user_id and a.id < b.id
      where a.filled_at is null and b.filled_at is null and a.begin_at < b.begin_at + interval '30 minutes'
        and b.begin_at < a.begin_at + interval '30 minutes'`)
    await none(`scale_teams s join teams t on t.id = s.team_id join scales c on c.id = s.scale_id
      join evaluations e on e.id = c.evaluation_id where e.project_session_id <> t.project_session_id`)
  })
})
