import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { defined } from '@campus/engine/base/defined'
import fc from 'fast-check'
import { campus, type World } from '../support/campus.ts'
import { openProject, type Project, student } from '../support/projects.ts'

const THRESHOLDS = [0, 100, 300, 700, 1500, 3000, 6000, 12_000]
const MINIMUM_MARK = 50

type Taught = Project & {
  readonly difficulty: number
  readonly skills: readonly (readonly [id: number, value: number])[]
}
type Team = { readonly id: number; readonly project: Taught; readonly members: Set<number>; mark: number | null }
/** Points by skill; the key 0 stands for the course. */
type Points = ReadonlyMap<number, number>
/** The points of the level that staff set last, and what the marks earned at that moment. */
type Start = { readonly points: number; readonly earned: number }

let world: World
let cursus: number
let projects: readonly Taught[]
/** How many levels were above 0 at the end of a run. */
let raised = 0
before(async () => {
  world = await campus()
  cursus = await world.build.cursus()
  for (const [lvl, xp] of THRESHOLDS.entries()) await world.build.record('levels', { cursus_id: cursus, lvl, xp })
  const skills = await Promise.all(
    ['Rigor', 'Web'].map((name) => world.build.record('skills', { name, slug: name.toLowerCase() })),
  )
  projects = [
    await teach(330, [
      [defined(skills[0]), 7],
      [defined(skills[1]), 3],
    ]),
    await teach(1051, [[defined(skills[1]), 0.4]]),
    await teach(77, []),
  ]
})
after(() => world.close())

async function teach(difficulty: number, skills: Taught['skills']): Promise<Taught> {
  const project = await openProject(world, { cursus, session: { difficulty } })
  for (const [skill_id, value] of skills) {
    await world.build.record('project_sessions_skills', { project_session_id: project.session, skill_id, value })
  }
  return { ...project, difficulty, skills }
}

/** Computes from scratch the experience that the present teams of a user earn. */
function earnedBy(user: number, teams: readonly Team[]): Points {
  const points = new Map<number, number>()
  const add = (skill: number, count: number) => points.set(skill, (points.get(skill) ?? 0) + count)
  for (const project of projects) {
    const marks = teams
      .filter((team) => team.project === project && team.members.has(user))
      .map(({ mark }) => mark ?? 0)
    const best = Math.max(0, ...marks.filter((mark) => mark >= MINIMUM_MARK))
    const earned = Math.round((project.difficulty * best) / 100)
    add(0, earned)
    const whole = project.skills.reduce((sum, [, value]) => sum + value, 0)
    let [upto, given] = [0, 0]
    for (const [skill, value] of project.skills) {
      upto += value
      const part = Math.round((earned * upto) / whole) - given
      given += part
      add(skill, part)
    }
  }
  return points
}

function levelOf(points: number): number {
  const level = THRESHOLDS.findLastIndex((xp) => xp <= points)
  const [from, to] = [defined(THRESHOLDS[level]), THRESHOLDS[level + 1]]
  return level + (to === undefined ? 0 : (points - from) / (to - from))
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('attempt'), who: fc.nat(1), alone: fc.boolean(), at: fc.nat(2), mark: fc.nat(125) }),
  fc.record({ kind: fc.constant('attempt'), who: fc.nat(1), alone: fc.boolean(), at: fc.nat(2), mark: fc.nat(125) }),
  fc.record({ kind: fc.constant('correct'), at: fc.nat(20), mark: fc.option(fc.nat(125)) }),
  fc.record({ kind: fc.constant('delete'), at: fc.nat(20) }),
  fc.record({ kind: fc.constant('reset'), who: fc.nat(1), at: fc.nat(2) }),
  fc.record({ kind: fc.constant('set'), who: fc.nat(1), level: fc.constantFrom(6, 6.5) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

class School {
  readonly users: readonly number[]
  readonly starts = new Map<number, Start>()
  teams: Team[] = []

  constructor(users: readonly number[]) {
    this.users = users
  }

  async take(one: Step): Promise<void> {
    const { director } = world
    if ('who' in one && 'mark' in one) {
      const project = defined(projects[one.at])
      const members = one.alone ? [defined(this.users[one.who])] : this.users
      const teams_users_attributes = members.map((user_id, index) => ({ user_id, leader: index === 0 }))
      const team = { project_id: project.project, final_mark: one.mark, closed_at: '2026-03-01T00:00:00Z' }
      const made = await director.post('/v2/teams', { team: { ...team, teams_users_attributes } })
      if (made.status !== 201) return
      this.teams.push({ id: made.json.id, project, members: new Set(members), mark: one.mark })
    } else if ('level' in one) {
      const user = defined(this.users[one.who])
      const [part] = (await director.get(`/v2/users/${user}/cursus_users`)).json
      const { status } = await director.patch(`/v2/cursus_users/${part.id}`, { cursus_user: { level: one.level } })
      assert.equal(status, 204)
      // Writing the present level again sets no new starting point.
      if (part.level === one.level) return
      const points = one.level === 6 ? 6000 : 9000
      this.starts.set(user, { points, earned: earnedBy(user, this.teams).get(0) ?? 0 })
    } else if ('who' in one) {
      const [user, project] = [defined(this.users[one.who]), defined(projects[one.at])]
      const { status } = await director.delete(`/v2/projects_users/reset?user_id=${user}&project_id=${project.project}`)
      if (status !== 200) return
      for (const team of this.teams) if (team.project === project) team.members.delete(user)
    } else {
      const team = this.teams[one.at % Math.max(1, this.teams.length)]
      if (team === undefined || team.members.size === 0) return
      if ('mark' in one) {
        const { status } = await director.patch(`/v2/teams/${team.id}`, { team: { final_mark: one.mark } })
        if (status === 204) team.mark = one.mark
      } else if ((await director.delete(`/v2/teams/${team.id}`)).status === 204) {
        this.teams = this.teams.filter((other) => other !== team)
      }
    }
  }

  async check(): Promise<void> {
    for (const user of this.users) {
      const earned = earnedBy(user, this.teams)
      const start = this.starts.get(user) ?? { points: 0, earned: 0 }
      const [{ level, skills }] = (await world.visitor.get(`/v2/users/${user}/cursus_users`)).json
      if (level > 0) raised += 1
      near(level, levelOf(start.points + (earned.get(0) ?? 0) - start.earned))
      const grown = new Map(skills.map((skill: { id: number; level: number }) => [skill.id, skill.level]))
      for (const [skill, points] of earned) if (skill !== 0) near(Number(grown.get(skill) ?? 0), levelOf(points))
      const experiences = (await world.staff.get(`/v2/users/${user}/experiences`)).json
      for (const [skill, points] of earned) {
        const recorded = experiences.filter((one: { skill_id: number }) => one.skill_id === skill)
        const sum = recorded.reduce((all: number, one: { experience: number }) => all + one.experience, 0)
        if (skill !== 0) assert.equal(sum, points)
      }
    }
  }
}

const near = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) < 0.0051, `${found} instead of ${expected}`)

describe('levels', () => {
  it('match the present marks after any sequence of marks, corrections, deletions, resets and levels set by staff', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const place = defined(projects[0])
        const school = new School([(await student(world, place)).id, (await student(world, place)).id])
        for (const one of steps) await school.take(one)
        await school.check()
      }),
      { numRuns: 20 },
    )
    assert.ok(raised > 5)
  })
})
