import { PROJECTS } from './curriculum.ts'
import type { NumberedTeam } from './teams-plan.ts'

type Outcome = { readonly mark: number | null; readonly validated: boolean | null; readonly markedAt: number | null }

/** The state of a person's project, from the latest team or from the parts of a parent project. */
export type ProjectsUser = {
  readonly id: number
  readonly personId: number
  readonly projectId: number
  readonly team: NumberedTeam | undefined
  readonly outcome: Outcome
  readonly createdAt: number
  readonly updatedAt: number
}

/** Follows teams in the order of their ids. The keys of the result are `personId projectId`. */
export function followTeams(teams: readonly NumberedTeam[]): ReadonlyMap<string, ProjectsUser> {
  const known = new Map<string, ProjectsUser>()
  const put = (personId: number, projectId: number, values: Omit<ProjectsUser, 'id' | 'personId' | 'projectId'>) => {
    const key = `${personId} ${projectId}`
    const before = known.get(key)
    const createdAt = before?.createdAt ?? values.createdAt
    known.set(key, { ...values, id: before?.id ?? known.size + 1, personId, projectId, createdAt })
  }
  for (const team of teams) {
    const { id: projectId, parent } = team.session.project
    for (const { id: personId } of team.members) {
      const { createdAt, updatedAt, mark, validated, markedAt } = team
      put(personId, projectId, { team, outcome: { mark, validated, markedAt }, createdAt, updatedAt })
      if (parent === null) continue
      const parts = PROJECTS.filter((project) => project.parent === parent)
      const outcome = combine(parts.map(({ id }) => known.get(`${personId} ${id}`)))
      put(personId, parent, { team: undefined, outcome, createdAt, updatedAt })
    }
  }
  return known
}

/** A parent project is validated if all parts are. Its mark is their mean. */
function combine(parts: readonly (ProjectsUser | undefined)[]): Outcome {
  const outcomes = parts.flatMap((part) => (part?.outcome.validated ? [part.outcome] : []))
  if (outcomes.length < parts.length) return { mark: null, validated: null, markedAt: null }
  const marks = outcomes.map(({ mark }) => mark ?? 0)
  return {
    mark: Math.round(marks.reduce((sum, mark) => sum + mark, 0) / marks.length),
    validated: true,
    markedAt: Math.max(...outcomes.map(({ markedAt }) => markedAt ?? 0)),
  }
}
