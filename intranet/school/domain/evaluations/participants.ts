import type { ActionInput } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import { accessDenied, unprocessable } from '@campus/engine/errors'
import type { Evaluation } from './evaluation.ts'

/** Members of a team without invited users. */
type Members = readonly { readonly user_id: number }[]

/** Fields of a booking. Participants cannot change them later (spec: evaluations 6). */
export const BOOKING = ['team_id', 'scale_id', 'user_id', 'begin_at']
const CORRECTORS_PART = ['comment', 'flag_id', 'final_mark', 'truant_id', 'answers_attributes']
const CORRECTEDS_PART = ['feedback', 'feedback_rating']

/** Throws 403 unless a member of the team books, with no more than the fields of a booking. */
export function requireBookersPart(input: ActionInput, members: Members): void {
  if (!isCorrected(input, members)) throw denied('Evaluations are booked by members of the team')
  const others = writtenBy(input).filter((name) => !BOOKING.includes(name))
  if (others.length > 0) throw fieldsDenied(others, 'once the evaluation has begun')
}

/** Throws 403 or 422 unless a participant writes the fields of their side, after the evaluation has begun. */
export function requireParticipantsPart(before: Evaluation, input: ActionInput, members: Members): void {
  const written = writtenBy(input)
  const isCorrector = before.user_id !== null && before.user_id === input.caller.resourceOwnerId
  const isOfTheTeam = isCorrected(input, members)
  if (!isCorrector && !isOfTheTeam) throw denied('Evaluations are written by their corrector and their corrected')
  const booking = written.filter((name) => BOOKING.includes(name))
  if (booking.length > 0)
    throw fieldsDenied(booking, 'by an application with Advanced Tutor only: cancel the evaluation and book anew')
  // The corrected may report the absence of the corrector.
  const reportsAbsence = isOfTheTeam && before.user_id !== null && input.values.truant_id === before.user_id
  const correctors = written.filter((name) => CORRECTORS_PART.includes(name))
  const refused = correctors.filter((name) => !(reportsAbsence && name === 'truant_id'))
  if (!isCorrector && refused.length > 0) throw fieldsDenied(refused, 'by the corrector only')
  const correcteds = written.filter((name) => CORRECTEDS_PART.includes(name))
  if (!isOfTheTeam && correcteds.length > 0) throw fieldsDenied(correcteds, 'by the corrected only')
  if (before.filled_at !== null && correctors.length > 0) {
    throw unprocessable({ base: ['the evaluation has been filled already'] })
  }
  if (written.length > 0 && !hasBegun(before, input.now)) throw unprocessable({ begin_at: ['has not come yet'] })
}

/** Throws 403 or 422 for an evaluation that has begun, so that nobody avoids a bad mark by cancelling. */
export function requireCancellable(evaluation: Evaluation, input: ActionInput, members: Members): void {
  const isCorrector = evaluation.user_id !== null && evaluation.user_id === input.caller.resourceOwnerId
  if (!isCorrector && !isCorrected(input, members)) {
    throw denied('Evaluations are cancelled by their corrector and their corrected')
  }
  if (evaluation.filled_at !== null) throw unprocessable({ base: ['a filled evaluation stays'] })
  if (hasBegun(evaluation, input.now)) {
    throw unprocessable({ base: ['an evaluation that has begun stays: it can be filled, or an absence reported'] })
  }
}

const isCorrected = ({ caller }: ActionInput, members: Members) =>
  members.some(({ user_id }) => user_id === caller.resourceOwnerId)

const hasBegun = ({ begin_at: begin }: Evaluation, now: Date) =>
  begin !== null && new Date(begin).getTime() <= now.getTime()

const writtenBy = ({ values, nestedKeys }: ActionInput) => [...Object.keys(values), ...nestedKeys]

const denied = (why: string) =>
  accessDenied(message('You are not authorized to access this page. {who} only.', { who: why }))

const fieldsDenied = (names: readonly string[], when: string) =>
  accessDenied(
    message('You are not authorized to access this page. {what} can be written {how}.', {
      what: names.join(', '),
      how: when,
    }),
  )
