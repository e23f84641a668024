import { defined } from '@campus/engine/base/defined'
import { seedJournalsOfEvaluations } from './community/journals.ts'
import type { Evaluation } from './evaluations.ts'
import type { NumberedTeam } from './teams-plan.ts'
import { HOUR } from './time.ts'
import type { World } from './world.ts'

const SIDES = ['punctuality', 'interested', 'nice', 'rigorous'] as const

/** An evaluation with its place in the order of all. */
export type NumberedEvaluation = Evaluation & { readonly id: number; readonly team: NumberedTeam }

/**
 * Inserts the evaluations of the teams in the order of their booking, with the feedback of the corrected. Gives them.
 */
export async function seedScaleTeams(
  world: World,
  teams: readonly NumberedTeam[],
): Promise<readonly NumberedEvaluation[]> {
  const evaluations = teams
    .flatMap((team) => team.evaluations.map((evaluation) => ({ ...evaluation, team })))
    .sort((one, other) => one.createdAt - other.createdAt)
    .map((evaluation, index) => ({ id: index + 1, ...evaluation }))
  await world.insert(
    'scale_teams',
    evaluations.map((evaluation) => {
      const { id, team, corrector, beginAt, filledAt, mark, flagId, comment, feedback, rating } = evaluation
      return {
        id,
        scale_id: team.session.id,
        team_id: team.id,
        user_id: corrector?.id ?? null,
        begin_at: beginAt,
        comment,
        feedback,
        feedback_rating: rating,
        final_mark: mark,
        flag_id: flagId,
        filled_at: filledAt,
        truant_id: evaluation.isMissed ? (corrector?.id ?? null) : null,
        created_at: evaluation.createdAt,
        updated_at: filledAt ?? evaluation.createdAt,
      }
    }),
  )
  // What follows from these is planned by how many there are.
  await world.run('analyze cursus_users, campus_users, users, projects_users, teams_users, scale_teams')
  await seedJournalsOfEvaluations(world)
  await insertFeedbacks(world, evaluations)
  return evaluations
}

async function insertFeedbacks(world: World, evaluations: readonly NumberedEvaluation[]): Promise<void> {
  const chance = world.random('feedbacks')
  const spoken = evaluations
    .filter(({ feedback }) => feedback !== null)
    .map((evaluation, index) => {
      const at = Math.min(defined(evaluation.filledAt) + Math.round(chance.next() * HOUR), world.now)
      return { ...evaluation, id: index + 1, evaluationId: evaluation.id, at }
    })
  await world.insert(
    'feedbacks',
    spoken.map(({ id, team, evaluationId, feedback, rating, at }) => ({
      id,
      user_id: defined(team.members[0]).id,
      feedbackable_type: 'ScaleTeam',
      feedbackable_id: evaluationId,
      comment: feedback,
      rating,
      created_at: at,
      updated_at: at,
    })),
  )
  const details = spoken.flatMap(({ id, at, rating }) =>
    SIDES.slice(0, 1 + (id % SIDES.length)).map((kind) => ({ id, kind, at, rating: rating ?? 4 })),
  )
  await world.insert(
    'feedback_details',
    details.map(({ id, kind, at, rating }, index) => ({
      id: index + 1,
      feedback_id: id,
      kind,
      rate: Math.max(0, rating - chance.integer(1, 2)),
      created_at: at,
      updated_at: at,
    })),
  )
}
