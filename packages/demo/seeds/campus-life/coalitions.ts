import { drawingPath } from '../../drawing-path.ts'
import type { Person } from '../people.ts'
import type { ProjectsUser } from '../projects-users.ts'
import type { NumberedEvaluation } from '../scale-teams.ts'
import { CAMPUSES, CORE, openedAt } from '../school.ts'
import { DAY } from '../time.ts'
import type { World } from '../world.ts'
import { numbered } from './times.ts'

/** By campus, in the order of their ids. */
const NAMES: readonly (readonly (readonly [name: string, color: string])[])[] = [
  [
    ['Lynxes', '#c9622b'],
    ['Otters', '#1f6f8b'],
    ['Ravens', '#3b3355'],
    ['Salamanders', '#5b8c2a'],
  ],
  [
    ['Capybaras', '#8a5a2b'],
    ['Herons', '#2b7a78'],
    ['Macaws', '#b3263c'],
  ],
  [
    ['Koalas', '#5f6b7a'],
    ['Lorikeets', '#2e8540'],
    ['Wombats', '#7a4f8a'],
  ],
]

export const SQUAD_SIZE = 3

/** What gives points; those of longer ago are forgotten. */
const REMEMBERED = 365 * DAY
const FOR_AN_EVALUATION = 20

type Sources = {
  readonly evaluations: readonly NumberedEvaluation[]
  readonly progress: ReadonlyMap<string, ProjectsUser>
}

/** The coalitions of each campus, to one of which everybody in the core curriculum belongs; who has most points leads it. */
export async function seedCoalitions(world: World, people: readonly Person[], sources: Sources): Promise<void> {
  const opened = openedAt(world.now)
  await world.insert(
    'blocs',
    CAMPUSES.map(({ id }) => {
      return { id, campus_id: id, cursus_id: CORE, squad_size: SQUAD_SIZE, created_at: opened, updated_at: opened }
    }),
  )
  const coalitions = NAMES.flatMap((own, index) => own.map(([name, color]) => ({ name, color, bloc: index + 1 }))).map(
    (coalition, index) => ({ ...coalition, id: index + 1 }),
  )
  const chance = world.random('coalitions')
  const joined = numbered(
    people.flatMap(({ id, core, campus }) => {
      const own = coalitions.filter(({ bloc }) => bloc === campus.id)
      return core ? { user_id: id, coalition_id: chance.pick(own).id, created_at: core.beginAt } : []
    }),
  )
  const scores = numbered(planScores(joined, sources, world.now - REMEMBERED))
  const points = new Map<number, { score: number; last: number }>()
  for (const { coalitions_user_id: id, value, created_at } of scores) {
    points.set(id, { score: (points.get(id)?.score ?? 0) + value, last: created_at })
  }
  const members = joined.map((member) => {
    const { score = 0, last } = points.get(member.id) ?? {}
    return { ...member, score, this_year_score_updated_at: last ?? null, updated_at: last ?? member.created_at }
  })
  await world.insert(
    'coalitions',
    coalitions.map(({ id, name, color, bloc }) => {
      const own = members.filter(({ coalition_id }) => coalition_id === id)
      const slug = name.toLowerCase()
      return {
        ...{ id, name, slug, color, bloc_id: bloc, created_at: opened, updated_at: opened },
        image_url: drawingPath('coalitions', slug),
        cover_url: drawingPath('covers', slug),
        score: own.reduce((sum, { score }) => sum + score, 0),
        user_id: own.toSorted((one, other) => other.score - one.score)[0]?.user_id ?? null,
      }
    }),
  )
  await world.insert('coalitions_users', members)
  await world.insert('scores', scores)
}

type Joined = {
  readonly id: number
  readonly user_id: number
  readonly coalition_id: number
  readonly created_at: number
}

/** Points for each evaluation that members gave and each project that they validated, since they joined. */
function planScores(joined: readonly Joined[], { evaluations, progress }: Sources, since: number) {
  const members = new Map(joined.map((member) => [member.user_id, member]))
  const score = (
    userId: number,
    at: number | null,
    source: { type: string; id: number; value: number; reason: string },
  ) => {
    const member = members.get(userId)
    if (!member || at === null || at < Math.max(since, member.created_at)) return []
    const { type: scoreable_type, id: scoreable_id, value, reason } = source
    const { id: coalitions_user_id, coalition_id } = member
    const times = { created_at: at, updated_at: at }
    return [{ coalition_id, coalitions_user_id, scoreable_type, scoreable_id, value, reason, ...times }]
  }
  const given = evaluations.flatMap(({ id, corrector, filledAt, isMissed }) =>
    corrector && !isMissed
      ? score(corrector.id, filledAt, { type: 'ScaleTeam', id, value: FOR_AN_EVALUATION, reason: 'Evaluated others' })
      : [],
  )
  const validated = [...progress.values()].flatMap(({ id, personId, team, outcome: { validated, mark, markedAt } }) =>
    team && validated
      ? score(personId, markedAt, { type: 'ProjectsUser', id, value: mark ?? 0, reason: 'Validated a project' })
      : [],
  )
  return [...given, ...validated]
}
