import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Captures } from '@campus/engine/changes/capture'
import { readFeed, readHead } from '@campus/engine/changes/feed'
import { campus, type World } from '@campus/test/support/campus'
import { seededDatabase } from '@campus/test/support/database'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'
import { until } from '@campus/test/support/until'
import { countMarks } from '../../school/domain/projects/mark-experience.ts'
import { storageOfResources } from '../../school/resources/declared.ts'

const THRESHOLDS = [0, 100, 300, 700, 1500]

let world: World
let cursus: number
let place: Project
let skills: readonly number[]
let minutes = 0
before(async () => {
  world = await campus()
})
after(() => world.close())
beforeEach(async () => {
  minutes += 1
  world.clock.set(new Date(Date.UTC(2026, 2, 2, 10, minutes)))
  cursus = await openCursus()
  place = await openProject(world, { cursus, session: { difficulty: 200 } })
  skills = await teach(place.session, [7, 3])
})

async function openCursus(thresholds = THRESHOLDS): Promise<number> {
  const cursus_id = await world.build.cursus()
  for (const [lvl, xp] of thresholds.entries()) await world.build.record('levels', { cursus_id, lvl, xp })
  return cursus_id
}

let named = 0
async function makeSkill(): Promise<number> {
  named += 1
  return world.build.record('skills', { name: `Skill ${named}`, slug: `skill-${named}` })
}

/** Gives a session new skills of these values. */
async function teach(project_session_id: number, values: readonly number[]): Promise<readonly number[]> {
  const taught: number[] = []
  for (const value of values) {
    const skill_id = await makeSkill()
    await world.build.record('project_sessions_skills', { project_session_id, skill_id, value })
    taught.push(skill_id)
  }
  return taught
}

const succeeds = async (answer: ReturnType<World['director']['get']>) => {
  const { status, json, text } = await answer
  assert.ok(status < 300, text)
  return json
}

const markTeam = (team: number, final_mark: number | null) =>
  succeeds(world.director.patch(`/v2/teams/${team}`, { team: { final_mark } }))

async function attempted(mark: number | null, project = place) {
  const person = await student(world, project)
  const team = await closedTeam(person.client, project.project)
  if (mark !== null) await markTeam(team, mark)
  return { ...person, team, part: await partOf(person.id, project.project) }
}

async function partOf(user: number, project: number): Promise<number> {
  const [part] = await succeeds(world.visitor.get(`/v2/users/${user}/projects_users?filter[project_id]=${project}`))
  return part.id
}

/** The level and the skills of a user in a course. */
async function levelsOf(user: number, of = cursus) {
  const [found] = await succeeds(world.visitor.get(`/v2/users/${user}/cursus_users?filter[cursus_id]=${of}`))
  const { level, skills, updated_at } = found
  return { level, skills: skills.map((skill: { id: number; level: number }) => [skill.id, skill.level]), updated_at }
}

const experiencesOf = async (user: number) =>
  (await succeeds(world.staff.get(`/v2/users/${user}/experiences?sort=id`))).map((one: Record<string, unknown>) => [
    one.cursus_id,
    one.skill_id,
    one.experience,
  ])

const now = () => world.clock.now().toISOString()

describe('levels', () => {
  it('follow a validated project, with the skills of its session and updated_at', async () => {
    const { id, part } = await attempted(110)
    assert.deepEqual(await levelsOf(id), {
      level: 1.6,
      skills: [
        [skills[0], 1.27],
        [skills[1], 0.66],
      ],
      updated_at: now(),
    })
    const experiences = await succeeds(world.staff.get(`/v2/projects_users/${part}/experiences?sort=id`))
    assert.deepEqual(
      experiences.map((one: Record<string, unknown>) => [one.user_id, one.skill_id, one.experience, one.created_at]),
      [
        [id, skills[0], 154, now()],
        [id, skills[1], 66, now()],
      ],
    )
  })

  it('stay the same until a project is validated', async () => {
    const { id, team } = await attempted(40)
    const before = await levelsOf(id)
    assert.deepEqual([before.level, before.skills, await experiencesOf(id)], [0, [], []])
    await markTeam(team, 100)
    assert.equal((await levelsOf(id)).level, 1.5)
  })

  it('follow corrections, and keep the experience records', async () => {
    const { id, team, part } = await attempted(100)
    const recorded = await succeeds(world.staff.get(`/v2/projects_users/${part}/experiences?sort=id`))
    await markTeam(team, 110)
    assert.equal((await levelsOf(id)).level, 1.6)
    await markTeam(team, 80)
    assert.equal((await levelsOf(id)).level, 1.3)
    const corrected = await succeeds(world.staff.get(`/v2/projects_users/${part}/experiences?sort=id`))
    assert.deepEqual(
      corrected.map((one: { id: number; experience: number }) => [one.id, one.experience]),
      [
        [recorded[0].id, 112],
        [recorded[1].id, 48],
      ],
    )
    await markTeam(team, 20)
    const { level, skills: left } = await levelsOf(id)
    assert.deepEqual([level, left, await experiencesOf(id)], [0, [], []])
  })

  for (const [what, undo] of Object.entries({
    'its team is deleted': (one: { team: number }) => succeeds(world.director.delete(`/v2/teams/${one.team}`)),
    'it is reset': ({ id }: { id: number }) =>
      succeeds(world.director.delete(`/v2/projects_users/reset?user_id=${id}&project_id=${place.project}`)),
    'its mark is taken back': (one: { team: number }) => markTeam(one.team, null),
    'its member leaves the team': async ({ team, id }: { team: number; id: number }) => {
      const other = await student(world, place)
      await succeeds(world.director.post('/v2/teams_users', { teams_user: { team_id: team, user_id: other.id } }))
      assert.equal((await levelsOf(other.id)).level, 1.5)
      const [own] = await succeeds(world.visitor.get(`/v2/teams_users?filter[team_id]=${team}&filter[user_id]=${id}`))
      await succeeds(world.director.delete(`/v2/teams_users/${own.id}`))
      assert.equal((await levelsOf(other.id)).level, 1.5)
    },
    'staff invalidate it': ({ part }: { part: number }) =>
      succeeds(world.director.patch(`/v2/projects_users/${part}`, { projects_user: { 'validated?': false } })),
  })) {
    it(`lose what a project gave when ${what}`, async () => {
      const person = await attempted(100)
      assert.equal((await levelsOf(person.id)).level, 1.5)
      world.clock.advance(1)
      await undo(person)
      const { level, skills: left, updated_at } = await levelsOf(person.id)
      assert.deepEqual([level, left, updated_at, await experiencesOf(person.id)], [0, [], now(), []])
    })
  }

  it('count the best validated attempt', async () => {
    const { id, part, team } = await attempted(90)
    await succeeds(world.director.patch(`/v2/projects_users/${part}/retry`, { force: true }))
    assert.equal((await levelsOf(id)).level, 1.4)
    const { current_team_id: second } = await succeeds(world.visitor.get(`/v2/projects_users/${part}`))
    await markTeam(second, 60)
    assert.equal((await levelsOf(id)).level, 1.4)
    await markTeam(second, 100)
    assert.equal((await levelsOf(id)).level, 1.5)
    await markTeam(team, 105)
    assert.equal((await levelsOf(id)).level, 1.55)
    await succeeds(world.director.delete(`/v2/teams/${team}`))
    assert.equal((await levelsOf(id)).level, 1.5)
  })

  it('follow marks by evaluations, for each member', async () => {
    const [one, other] = [await student(world, place), await student(world, place)]
    const { id: team } = await succeeds(
      world.director.post('/v2/teams', {
        team: {
          project_id: place.project,
          closed_at: now(),
          teams_users_attributes: [{ user_id: one.id, leader: true }, { user_id: other.id }],
        },
      }),
    )
    for (const mark of [100, 90]) {
      const evaluator = await student(world, place)
      const { id } = await succeeds(
        world.director.post('/v2/scale_teams', {
          scale_team: { team_id: team, user_id: evaluator.id, begin_at: now() },
        }),
      )
      assert.equal((await levelsOf(one.id)).level, 0)
      await succeeds(
        world.director.patch(`/v2/scale_teams/${id}`, { scale_team: { final_mark: mark, comment: 'Seen' } }),
      )
    }
    for (const { id } of [one, other]) assert.equal((await levelsOf(id)).level, 1.45)
  })

  it('follow marks that staff write without a team', async () => {
    const { id } = await student(world, place)
    const values = { user_id: id, project_id: place.project, final_mark: 100, 'validated?': true }
    const part = await succeeds(world.director.post('/v2/projects_users', { projects_user: values }))
    assert.equal((await levelsOf(id)).level, 1.5)
    await succeeds(world.director.patch(`/v2/projects_users/${part.id}`, { projects_user: { final_mark: 110 } }))
    assert.equal((await levelsOf(id)).level, 1.6)
    await succeeds(
      world.director.patch('/v2/projects_users/scale', { user_id: id, project_id: place.project, scale: 60 }),
    )
    assert.equal((await levelsOf(id)).level, 1.1)
    await succeeds(world.director.delete(`/v2/projects_users/${part.id}`))
    assert.deepEqual([(await levelsOf(id)).level, await experiencesOf(id)], [0, []])
  })

  it('move to another user with the projects_user', async () => {
    const { id, part } = await attempted(100)
    const other = await student(world, place)
    await succeeds(world.director.patch(`/v2/projects_users/${part}`, { projects_user: { user_id: other.id } }))
    assert.deepEqual([(await levelsOf(id)).level, (await levelsOf(other.id)).level], [0, 1.5])
  })

  it('use the difficulty of the project if the session has none, and do not change without either', async () => {
    const plain = await openProject(world, { cursus })
    const { id } = await attempted(100, plain)
    assert.deepEqual([(await levelsOf(id)).level, await experiencesOf(id)], [0, []])
    const hard = await openProject(world, { cursus })
    await world.database.rows('update projects set difficulty = 100 where id = $1', [hard.project])
    assert.equal((await levelsOf((await attempted(100, hard)).id)).level, 1)
  })

  it('count experience for the first skill of the course if the session has no skills, or for the course alone', async () => {
    const plain = await openProject(world, { cursus, session: { difficulty: 200 } })
    const without = await attempted(100, plain)
    assert.deepEqual([(await levelsOf(without.id)).level, await experiencesOf(without.id)], [1.5, []])
    await markTeam(without.team, 110)
    assert.equal((await levelsOf(without.id)).level, 1.6)
    await succeeds(world.director.delete(`/v2/teams/${without.team}`))
    assert.equal((await levelsOf(without.id)).level, 0)

    const [first, second] = [await makeSkill(), await makeSkill()]
    for (const skill_id of [second, first]) await world.build.record('cursus_skills', { cursus_id: cursus, skill_id })
    const { id } = await attempted(100, plain)
    assert.deepEqual([(await levelsOf(id)).level, await experiencesOf(id)], [1.5, [[cursus, first, 200]]])
  })

  it('rise in the course of the session, or in each active course that contains the project', async () => {
    const [second, ended, unrelated] = [await openCursus(), await openCursus(), await openCursus()]
    for (const cursus_id of [second, ended]) {
      await world.build.record('projects_cursus', { project_id: place.project, cursus_id })
    }
    const begin_at = '2026-01-01T00:00:00Z'
    const enter = async (user_id: number) => {
      await world.build.record('cursus_users', { user_id, cursus_id: second, begin_at })
      await world.build.record('cursus_users', { user_id, cursus_id: unrelated, begin_at })
      await world.build.record('cursus_users', { user_id, cursus_id: ended, begin_at, end_at: '2026-02-01T00:00:00Z' })
    }
    const levels = async (user: number) => {
      const found = [cursus, second, ended, unrelated].map(async (of) => (await levelsOf(user, of)).level)
      return Promise.all(found)
    }
    const general = await student(world, place)
    await enter(general.id)
    const team = await closedTeam(general.client, place.project)
    await markTeam(team, 100)
    assert.deepEqual(await levels(general.id), [1.5, 1.5, 0, 0])
    // A correction counts where the mark counts already.
    await world.database.rows('update cursus_users set end_at = $1 where user_id = $2 and cursus_id = $3', [
      now(),
      general.id,
      second,
    ])
    await markTeam(team, 110)
    assert.deepEqual(await levels(general.id), [1.6, 1.6, 0, 0])

    await world.database.rows('update project_sessions set cursus_id = $1 where id = $2', [ended, place.session])
    const particular = await student(world, place)
    await enter(particular.id)
    const values = { project_id: place.project, project_session_id: place.session, final_mark: 100 }
    await succeeds(
      world.director.post('/v2/teams', { team: { ...values, teams_users_attributes: [{ user_id: particular.id }] } }),
    )
    assert.deepEqual(await levels(particular.id), [0, 0, 1.5, 0])
  })

  it('start from a level that staff set', async () => {
    const { id, team } = await attempted(100)
    const [part] = await succeeds(world.visitor.get(`/v2/users/${id}/cursus_users`))
    const set = (level: number) =>
      succeeds(world.director.patch(`/v2/cursus_users/${part.id}`, { cursus_user: { level } }))
    await set(2.5)
    assert.equal((await levelsOf(id)).level, 2.5)
    await markTeam(team, 110)
    assert.equal((await levelsOf(id)).level, 2.55)
    await set(0)
    await succeeds(world.director.delete(`/v2/teams/${team}`))
    assert.equal((await levelsOf(id)).level, 0)
    // Above the last threshold, a level stands for no number of points.
    await set(12)
    await markTeam(await closedTeam(await world.caller({ user: id, scopes: ['projects'] }), place.project), 100)
    assert.equal((await levelsOf(id)).level, 12)
  })

  it('do not change in a course without thresholds, which still records experience', async () => {
    const bare = await openCursus([])
    const project = await openProject(world, { cursus: bare, session: { difficulty: 200 } })
    await teach(project.session, [1])
    const { id, team } = await attempted(60, project)
    const { level, updated_at } = await levelsOf(id, bare)
    assert.deepEqual([level, updated_at, (await experiencesOf(id)).length], [0, now(), 1])
    for (const [lvl, xp] of THRESHOLDS.entries()) await world.build.record('levels', { cursus_id: bare, lvl, xp })
    await markTeam(team, 100)
    assert.equal((await levelsOf(id, bare)).level, 0.8)
  })

  it('above the last threshold stay until the course has a higher one', async () => {
    const { id, team } = await attempted(60)
    const [part] = await succeeds(world.visitor.get(`/v2/users/${id}/cursus_users`))
    await succeeds(world.director.patch(`/v2/cursus_users/${part.id}`, { cursus_user: { level: 5 } }))
    await markTeam(team, 80)
    assert.equal((await levelsOf(id)).level, 5)
    await world.build.record('levels', { cursus_id: cursus, lvl: 6, xp: 3500 })
    await markTeam(team, 100)
    assert.equal((await levelsOf(id)).level, 5.04)
  })

  it('already include the marks from before counting began', async () => {
    const { id } = await student(world, place)
    await world.database.rows('update cursus_users set level = 2 where user_id = $1', [id])
    const values = { user_id: id, project_id: place.project, status: 'finished', validated: true, final_mark: 80 }
    const part = await world.build.record('projects_users', values)
    await succeeds(world.director.patch(`/v2/projects_users/${part}`, { projects_user: { status: 'in_progress' } }))
    assert.equal((await levelsOf(id)).level, 2)
    await succeeds(world.director.patch(`/v2/projects_users/${part}`, { projects_user: { final_mark: 100 } }))
    assert.equal((await levelsOf(id)).level, 2.1)
    await succeeds(world.director.delete(`/v2/projects_users/reset?user_id=${id}&project_id=${place.project}`))
    assert.equal((await levelsOf(id)).level, 1.2)
    assert.deepEqual(await experiencesOf(id), [])
  })

  it('keep their mirrored values, which include the marks of the other service', async () => {
    const { id, team, part } = await attempted(80)
    await world.database.transaction(async (tx) => {
      await tx.rows("select set_config('campus.journals', 'off', true)")
      await tx.rows('update teams set final_mark = 100 where id = $1', [team])
      await tx.rows('update projects_users set final_mark = 100 where id = $1', [part])
      await tx.rows('update cursus_users set level = 2 where user_id = $1', [id])
      await tx.rows('delete from counted_marks where projects_user_id = $1', [part])
      await tx.rows('delete from experiences where projects_user_id = $1', [part])
    })
    await markTeam(team, 110)
    assert.equal((await levelsOf(id)).level, 2.05)
    assert.deepEqual(
      (await experiencesOf(id)).map(([, , points]: number[]) => points),
      [154, 66],
    )
  })

  it('are reported to subscribers of cursus_users', async () => {
    const { id, client } = await student(world, place)
    const team = await closedTeam(client, place.project)
    await new Captures(world.database, storageOfResources()).capture(['cursus_users'])
    const { position } = await readHead(world.database)
    await markTeam(team, 100)
    const updates = async () =>
      (await readFeed(world.database, position, { limit: 1000 })).filter(({ table }) => table === 'cursus_users')
    await until(async () => (await updates()).length > 0)
    const [part] = await succeeds(world.visitor.get(`/v2/users/${id}/cursus_users`))
    assert.deepEqual(
      (await updates()).map(({ recordId, operation, columns }) => [recordId, operation, columns.includes('level')]),
      [[part.id, 'update', true]],
    )
  })

  it('follow the experience that tutors write', async () => {
    const { id, part } = await attempted(100)
    const values = { user_id: id, cursus_id: cursus, skill_id: skills[1], experiancable_id: part, experience: 100 }
    const { id: extra } = await succeeds(world.director.post('/v2/experiences', { experience: values }))
    assert.deepEqual((await levelsOf(id)).skills, [
      [skills[0], 1.2],
      [skills[1], 1.3],
    ])
    assert.equal((await levelsOf(id)).level, 2)
    await succeeds(
      world.director.patch(`/v2/experiences/${extra}`, { experience: { skill_id: skills[0], experience: 200 } }),
    )
    assert.deepEqual(await levelsOf(id), {
      level: 2.25,
      skills: [
        [skills[0], 2.1],
        [skills[1], 0.6],
      ],
      updated_at: now(),
    })
    world.clock.advance(1)
    await succeeds(world.director.patch(`/v2/experiences/${extra}`, { experience: { is_bonus: true } }))
    assert.ok((await levelsOf(id)).updated_at < now())
    await succeeds(world.director.delete(`/v2/experiences/${extra}`))
    assert.equal((await levelsOf(id)).level, 1.5)
  })

  it('ignore the marks of parent projects, whose children earn the experience', async () => {
    await world.database.rows(
      `with parent as (insert into projects (name, slug, difficulty) values ('Whole ${minutes}', 'whole-${minutes}', 900) returning id)
       update projects set parent_id = parent.id from parent where projects.id = $1`,
      [place.project],
    )
    const { id } = await attempted(100)
    const parts = await succeeds(world.visitor.get(`/v2/users/${id}/projects_users`))
    assert.deepEqual(
      parts.map((part: Record<string, unknown>) => part['validated?']),
      [true, true],
    )
    assert.equal((await levelsOf(id)).level, 1.5)
  })

  it('count two marks that are given at the same time', async () => {
    const other = await openProject(world, { cursus, session: { difficulty: 100 } })
    const { id, client } = await student(world, place)
    const teams = [await closedTeam(client, place.project), await closedTeam(client, other.project)]
    await Promise.all(teams.map((team) => markTeam(team, 100)))
    assert.equal((await levelsOf(id)).level, 2)
  })

  it('are written or undone together with the mark', async () => {
    const person = await student(world, place)
    const team = await closedTeam(person.client, place.project)
    await world.database.rows(`create function refuse_level() returns trigger language plpgsql as $$
      begin if new.user_id = ${person.id} then raise exception 'refused'; end if; return new; end $$`)
    await world.database.rows(
      'create trigger refuse_level before update on cursus_users for each row execute function refuse_level()',
    )
    const { status } = await world.director.patch(`/v2/teams/${team}`, { team: { final_mark: 100 } })
    await world.database.rows('drop function refuse_level cascade')
    assert.equal(status, 500)
    const found = await succeeds(world.visitor.get(`/v2/teams/${team}`))
    assert.deepEqual([found.final_mark, await experiencesOf(person.id)], [null, []])
  })
})

describe('the demonstration school', () => {
  it('has the levels and the experience that its marks earn', async () => {
    const database = await seededDatabase({ users: 60, locations: 120, now: new Date('2026-03-02T10:00:00.000Z') })
    const held = () =>
      database.rows(
        `select 'e', id::text, experience::text from experiences union all select 'c', id::text, level::text || updated_at from cursus_users
         union all select 's', id::text, level::text from cursus_users_skills order by 1, 2`,
      )
    try {
      const before = await held()
      const rows = await database.rows('select id from projects_users where validated')
      assert.ok(rows.length > 100)
      const ids = rows.map(([id]) => Number(id))
      await database.transaction((tx) => countMarks(tx, ids, new Date('2026-03-02T10:00:00.000Z')))
      assert.deepEqual(await held(), before)
    } finally {
      await database.close()
    }
  })
})
