import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { campus as openCampus, type World } from '../support/campus.ts'
import type { Client } from '../support/client.ts'
import { openProject, type Project, student } from '../support/projects.ts'

type Person = { readonly id: number; readonly client: Client }
type Evaluation = { readonly id: number; mark: number | null; absent: boolean }
type Team = { readonly id: number; isLocked: boolean; isClosed: boolean; evaluations: Evaluation[] }

/** Expected teams of one student, each with its evaluations. */
type Model = { readonly teams: Team[]; asked: number }
type Real = { readonly world: World; readonly place: Project; readonly student: Person; readonly correctors: Person[] }

const NEEDED = 2
const RUNS = 30
const SEED = 42
const AT = '2026-03-02T09:00:00Z'

const countingOf = (team: Team) => team.evaluations.filter(({ absent }) => !absent)
const isFull = (team: Team) => countingOf(team).length >= NEEDED

function markOf(team: Team): number | null {
  const marks = countingOf(team).flatMap(({ mark }) => mark ?? [])
  return marks.length < NEEDED ? null : Math.round(marks.reduce((sum, mark) => sum + mark, 0) / marks.length)
}

function statusOf(team: Team): string {
  if (markOf(team) !== null) return 'finished'
  if (team.isClosed) return 'waiting_for_correction'
  return team.isLocked ? 'in_progress' : 'creating_group'
}

type Step = { readonly name: string; run(model: Model, real: Real): Promise<void> }

/** A command that may always be tried: whether it is refused is part of the model. */
function step(name: string, run: Step['run']): fc.AsyncCommand<Model, Real> {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real)
      await compare(model, real)
    },
    toString: () => name,
  }
}

const begin = step('begin', async ({ teams }, { place, student: { client } }) => {
  const last = teams.at(-1)
  const mark = last ? markOf(last) : null
  const isOpen = !last || (mark !== null && mark < 50)
  const { status, json } = await client.post('/v2/teams', { team: { project_id: place.project } })
  assert.equal(status, isOpen ? 201 : 422)
  if (isOpen) teams.push({ id: json.id, isLocked: false, isClosed: false, evaluations: [] })
})

const lock = step('lock', async ({ teams }, { student: { client } }) => {
  const team = teams.at(-1)
  if (!team) return
  const { status } = await client.patch(`/v2/teams/${team.id}`, { team: { locked_at: AT } })
  assert.equal(status, team.isLocked ? 422 : 204)
  team.isLocked = true
})

const close = step('close', async ({ teams }, { student: { client } }) => {
  const team = teams.at(-1)
  if (!team) return
  const { status } = await client.patch(`/v2/teams/${team.id}`, { team: { closed_at: AT } })
  assert.equal(status, team.isClosed ? 422 : 204)
  Object.assign(team, { isLocked: true, isClosed: true })
})

const dissolve = step('dissolve', async ({ teams }, { student: { client } }) => {
  const team = teams.at(-1)
  if (!team) return
  const { status } = await client.delete(`/v2/teams/${team.id}`)
  assert.equal(status, team.isClosed ? 422 : 204)
  if (!team.isClosed) teams.pop()
})

const book = (nth: number) =>
  step(`book ${nth}`, async (model, { world, correctors }) => {
    const team = model.teams.at(-1)
    if (!team) return
    // Each request is for another hour.
    model.asked += 1
    const begin_at = new Date(Date.parse(AT) - model.asked * 3_600_000).toISOString()
    const user_id = correctors[nth]?.id
    const { status, json } = await world.director.post('/v2/scale_teams', {
      scale_team: { team_id: team.id, user_id, begin_at },
    })
    const isBookable = team.isClosed && markOf(team) === null && !isFull(team)
    assert.equal(status, isBookable ? 201 : 422)
    if (isBookable) team.evaluations.push({ id: json.id, mark: null, absent: false })
  })

const fill = (nth: number, mark: number | 'absent') =>
  step(`fill ${nth} with ${mark}`, async ({ teams }, { world, correctors }) => {
    const evaluation = teams.at(-1)?.evaluations[nth]
    if (!evaluation) return
    const path = `/v2/scale_teams/${evaluation.id}`
    const corrector = (await world.visitor.get(path)).json.corrector.id
    const client = correctors.find(({ id }) => id === corrector)?.client as Client
    const scale_team = mark === 'absent' ? { truant_id: corrector } : { final_mark: mark }
    const { status } = await client.patch(path, { scale_team })
    const isFilled = evaluation.absent || evaluation.mark !== null
    assert.equal(status, isFilled ? 422 : 204)
    if (!isFilled) Object.assign(evaluation, mark === 'absent' ? { absent: true } : { mark })
  })

const cancel = (nth: number, byTutor: boolean) =>
  step(`cancel ${nth}${byTutor ? ' as a tutor' : ''}`, async ({ teams }, { world, student: { client } }) => {
    const team = teams.at(-1)
    const evaluation = team?.evaluations[nth]
    if (!team || !evaluation) return
    const { status } = await (byTutor ? world.director : client).delete(`/v2/scale_teams/${evaluation.id}`)
    // All have begun: their participants let them stay.
    const isAllowed = byTutor
    assert.equal(status, isAllowed ? 204 : 422)
    if (isAllowed) team.evaluations.splice(nth, 1)
  })

/** Every try, and the student's projects_user, are as the model says. */
async function compare({ teams }: Model, { world, place, student: { id } }: Real): Promise<void> {
  const shown = (await world.visitor.get(`/v2/users/${id}/teams`)).json
  const validationOf = (mark: number | null) => (mark === null ? null : mark >= 50)
  assert.deepEqual(
    shown.map((team: Record<string, unknown>) => [team.id, team.status, team.final_mark, team['validated?']]),
    teams.map((team) => [team.id, statusOf(team), markOf(team), validationOf(markOf(team))]),
  )
  const [mine] = (await world.visitor.get(`/v2/users/${id}/projects_users?filter[project_id]=${place.project}`)).json
  if (!mine) return assert.equal(teams.length, 0)
  const last = teams.at(-1)
  const mark = last ? markOf(last) : null
  assert.deepEqual(
    [mine.current_team_id, mine.status, mine.final_mark, mine['validated?'], mine.marked, mine.occurrence],
    [
      ...[last?.id ?? null, last ? statusOf(last) : 'searching_a_group', mark, validationOf(mark), mark !== null],
      Math.max(0, teams.length - 1),
    ],
  )
}

describe('teams and their evaluations', () => {
  let world: World
  let place: Project
  let correctors: Person[]

  before(async () => {
    world = await openCampus()
    place = await openProject(world)
    correctors = [await student(world, place), await student(world, place), await student(world, place)]
  })
  after(() => world.close())

  it('are in the state that their story says, whatever is tried in whatever order', async () => {
    const nth = fc.nat({ max: 2 })
    const mark = fc.oneof(fc.constantFrom('absent' as const, 0, 49, 50, 125), fc.nat({ max: 125 }))
    const booked = [begin, close, book(0), book(1)]
    // Some stories begin later than others, so that all states are met often.
    const beginning = fc.constantFrom([begin], booked, [...booked, fill(0, 20), fill(1, 50), ...booked])
    const commands = fc.commands(
      [
        ...[begin, close, lock, dissolve].map((command) => fc.constant(command)),
        ...[fc.constant(close), nth.map(book), nth.map(book)],
        ...[fc.tuple(nth, mark).map((choice) => fill(...choice)), fc.tuple(nth, mark).map((choice) => fill(...choice))],
        fc.tuple(nth, fc.boolean()).map((choice) => cancel(...choice)),
      ],
      { maxCommands: 15, size: 'max' },
    )
    await fc.assert(
      fc.asyncProperty(beginning, commands, async (first, steps) => {
        const real: Real = { world, place, correctors, student: await student(world, place) }
        try {
          await fc.asyncModelRun(() => ({ model: { teams: [], asked: 0 }, real }), [...first, ...steps] as never)
        } finally {
          await world.database.rows('delete from scale_teams')
        }
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})
