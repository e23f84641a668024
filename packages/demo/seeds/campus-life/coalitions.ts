import { drawingPath } from '../../drawing-path.ts'
import type { Person } from '../people.ts'
import type { ProjectsUser } from '../projects-users.ts'
import type { NumberedEvaluation } from '../scale-teams.ts'
import { CAMPUSES, CORE } from '../school.ts'
import { DAY } from '../time.ts'
import type { World } from '../world.ts'
import { numbered } from './times.ts'

const COALITIONS = [
  ['Lynxes', '#c9622b', 1],
  ['Otters', '#1f6f8b', 1],
  ['Ravens', '#3b3355', 1],
  ['Salamanders', '#5b8c2a', 1],
  ['Capybaras', '#8a5a2b', 2],
  ['Herons', '#2b7a78', 2],
  ['Macaws', '#b3263c', 2],
  ['Koalas', '#5f6b7a', 3],
  ['Lorikeets', '#2e8540', 3],
  ['Wombats', '#7a4f8a', 3],
] as const

export const SQUAD_SIZE = 3

/** Period in which activity earns points. */
const REMEMBERED = 365 * DAY
const FOR_AN_EVALUATION = 20

type Sources = {
  readonly evaluations: readonly NumberedEvaluation[]
  readonly progress: ReadonlyMap<string, ProjectsUser>
}

/** The coalitions of each campus. Everybody in the core curriculum belongs to one, and the member with most points leads it. */
export async function seedCoalitions(world: World, people: readonly Person[], sources: Sources): Promise<void> {
  const blocs = CAMPUSES.map(({ id }) => ({ campus_id: id, cursus_id: CORE, squad_size: SQUAD_SIZE }))
  await world.insert('blocs', blocs)
  const coalitions = COALITIONS.map(([name, color, bloc_id], index) => ({ id: index + 1, name, color, bloc_id }))
  const chance = world.random('coalitions')
  const joined = numbered(
    people.flatMap(({ id, core, campus }) => {
      const own = coalitions.filter(({ bloc_id }) => bloc_id === campus.id)
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
    coalitions.map((coalition) => {
      const own = members.filter(({ coalition_id }) => coalition_id === coalition.id)
      const slug = coalition.name.toLowerCase()
      return {
        ...coalition,
        slug,
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

type Source = { readonly scoreable_type: string; readonly scoreable_id: number; value: number; reason: string }

/** Points of members for evaluations that they gave and projects that they validated since they joined. */
function planScores(joined: readonly Joined[], { evaluations, progress }: Sources, since: number) {
  const members = new Map(joined.map((member) => [member.user_id, member]))
  const score = (userId: number, created_at: number | null, source: Source) => {
    const member = members.get(userId)
    if (!member || created_at === null || created_at < Math.max(since, member.created_at)) return []
    return { ...source, coalition_id: member.coalition_id, coalitions_user_id: member.id, created_at }
  }
  const given = evaluations.flatMap(({ id, corrector, filledAt, isMissed }) => {
    if (!corrector || isMissed) return []
    const source = {
      scoreable_type: 'ScaleTeam',
      scoreable_id: id,
      value: FOR_AN_EVALUATION,
      reason: 'Evaluated others',
    }
    return score(corrector.id, filledAt, source)
  })
  const validated = [...progress.values()].flatMap(({ id, personId, team, outcome: { validated, mark, markedAt } }) => {
    if (!team || !validated) return []
    const source = { scoreable_type: 'ProjectsUser', scoreable_id: id, value: mark ?? 0, reason: 'Validated a project' }
    return score(personId, markedAt, source)
  })
  return [...given, ...validated]
}
