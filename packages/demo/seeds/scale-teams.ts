import { defined } from '@campus/engine/base/defined'
import { withIds } from './bulk-insert.ts'
import { seedJournalsOfEvaluations } from './community/journals.ts'
import type { Evaluation } from './evaluations.ts'
import type { NumberedTeam } from './teams-plan.ts'
import { HOUR } from './time.ts'
import type { World } from './world.ts'

const SIDES = ['punctuality', 'interested', 'nice', 'rigorous'] as const

export type NumberedEvaluation = Evaluation & { readonly id: number; readonly team: NumberedTeam }

/** Inserts evaluations and feedbacks. Returns the evaluations, in the order of their booking. */
export async function seedScaleTeams(
  world: World,
  teams: readonly NumberedTeam[],
): Promise<readonly NumberedEvaluation[]> {
  const evaluations = withIds(
    teams
      .flatMap((team) => team.evaluations.map((evaluation) => ({ ...evaluation, team })))
      .sort((one, other) => one.createdAt - other.createdAt),
  )
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
  // The planner needs statistics of these tables for the statements that follow.
  await world.run('analyze cursus_users, campus_users, users, projects_users, teams_users, scale_teams')
  await seedJournalsOfEvaluations(world)
  await insertFeedbacks(world, evaluations)
  return evaluations
}

async function insertFeedbacks(world: World, evaluations: readonly NumberedEvaluation[]): Promise<void> {
  const chance = world.random('feedbacks')
  const given = evaluations.filter(({ feedback }) => feedback !== null)
  const feedbacks = withIds(
    given.map(({ id, team, feedback, rating, filledAt }) => ({
      user_id: defined(team.members[0]).id,
      feedbackable_type: 'ScaleTeam',
      feedbackable_id: id,
      comment: feedback,
      rating,
      created_at: Math.min(defined(filledAt) + Math.round(chance.next() * HOUR), world.now),
    })),
  )
  await world.insert('feedbacks', feedbacks)
  const details = feedbacks.flatMap(({ id, created_at, rating }) =>
    SIDES.slice(0, 1 + (id % SIDES.length)).map((kind) => {
      return { feedback_id: id, kind, rate: Math.max(0, (rating ?? 4) - chance.integer(1, 2)), created_at }
    }),
  )
  await world.insert('feedback_details', details)
}
