import { defined } from '@campus/engine/base/defined'
import type { Correctors } from './correctors.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { EVALUATION_MINUTES, MINIMUM_MARK, type ProjectSession } from './sessions.ts'
import { DAY, HOUR, MINUTE } from './time.ts'

export type Evaluation = {
  readonly corrector: Person | undefined
  readonly createdAt: number
  readonly beginAt: number
  readonly filledAt: number | null
  readonly mark: number | null
  readonly flagId: number
  readonly comment: string | null
  readonly feedback: string | null
  readonly rating: number | null
  /** Whether the corrector did not come. */
  readonly isMissed: boolean
}

type Outcome = {
  readonly evaluations: readonly Evaluation[]
  readonly mark: number | null
  readonly validated: boolean | null
  readonly markedAt: number | null
}

type Closed = { readonly members: readonly Person[]; readonly session: ProjectSession; readonly closedAt: number }

const OK = 1
const OUTSTANDING = 9
const BAD_FLAGS = [2, 3, 5, 6, 7, 8]
const LENGTH = EVALUATION_MINUTES * MINUTE
const QUARTER = 15 * MINUTE

const PRAISE = [
  'Everything works and the explanations were clear.',
  'Clean code, good tests, and a calm defence. Well done!',
  'Very solid. We talked about how it could be made simpler still.',
  'All the mandatory part is there; the bonus is a nice surprise.',
  'A pleasure to evaluate: each choice had a reason.',
]
const BLAME = [
  'The idea is good, but it crashes on an empty input.',
  'Half of the mandatory part is missing. Come back with the rest!',
  'It does not compile with the flags that the subject asks for.',
  'Nobody could explain how the core of it works.',
]
/** Feedbacks by rating. */
const THANKS = new Map([
  [5, ['Punctual, patient and precise. Thank you!', 'Good remarks, I learnt something about memory.']],
  [4, ['Fair, and open to discussion.', 'Asked the right questions and listened to the answers.']],
  [3, ['A bit quick, but kind.', 'Ten minutes late, then thorough.']],
])

type Evaluating = {
  readonly isFinished: boolean
  /** Whether the team surely validates. */
  readonly isGood?: boolean
  /** Whether all evaluations but one are over, and one is booked. */
  readonly lacksOne?: boolean
  readonly now: number
}

/** Plans the evaluations of a closed team: all of them if it is finished, else fewer. */
export function evaluate(
  chance: Random,
  correctors: Correctors,
  { members, session, closedAt }: Closed,
  { isFinished, isGood = false, lacksOne = false, now }: Evaluating,
): Outcome {
  const quality = isGood
    ? chance.between(90, 112)
    : chance.chance(0.83)
      ? chance.between(84, 112)
      : chance.between(5, 76)
  const needed = session.project.corrections
  const filled = isFinished ? needed : lacksOne ? needed - 1 : chance.integer(0, needed - 1)
  const evaluations: Evaluation[] = []
  const find = (at: number) => correctors.find(members, at, at > now)
  let at = toQuarter(closedAt + chance.between(1, 5) * HOUR)
  const add = (corrector: Person | undefined, beginAt: number, results: Results) => {
    evaluations.push({ corrector, beginAt, createdAt: Math.min(closedAt + 10 * MINUTE, beginAt), ...results })
  }
  if (isFinished && chance.chance(0.03)) {
    const corrector = find(at)
    if (corrector) add(corrector, at, { ...NO_RESULTS, filledAt: at + QUARTER, isMissed: true })
    at += 2 * QUARTER
  }
  for (let nth = 0; nth < filled && at + LENGTH < now; nth += 1) {
    add(find(at), at, resultsOf(chance, at, quality))
    at = toQuarter(at + LENGTH + (chance.next() ** 2 * 1.2 * DAY) / needed)
  }
  if (!isFinished && (chance.chance(0.85) || lacksOne)) {
    const coming = correctors.book(members, toQuarter(now + chance.between(0.3, 60) * HOUR))
    add(correctors.find(members, coming, true), coming, NO_RESULTS)
  }
  return { evaluations, ...outcomeOf(evaluations, needed) }
}

function outcomeOf(evaluations: readonly Evaluation[], needed: number): Omit<Outcome, 'evaluations'> {
  const counting = evaluations.filter(({ filledAt, isMissed }) => filledAt !== null && !isMissed)
  if (counting.length < needed) return { mark: null, validated: null, markedAt: null }
  const marks = counting.map(({ mark, flagId }) => (BAD_FLAGS.includes(flagId) ? 0 : (mark ?? 0)))
  const mark = Math.round(marks.reduce((sum, one) => sum + one, 0) / marks.length)
  return { mark, validated: mark >= MINIMUM_MARK, markedAt: counting.at(-1)?.filledAt ?? null }
}

type Results = Omit<Evaluation, 'corrector' | 'beginAt' | 'createdAt'>

function resultsOf(chance: Random, at: number, quality: number): Results {
  const mark = Math.max(0, Math.min(125, Math.round(quality + chance.between(-6, 6))))
  const isGood = mark >= MINIMUM_MARK
  const flagId = isGood ? (mark > 112 ? OUTSTANDING : OK) : chance.chance(0.5) ? chance.pick(BAD_FLAGS) : OK
  const rating = chance.chance(0.4) ? chance.integer(3, 5) : null
  return {
    isMissed: false,
    filledAt: at + Math.round(chance.between(0.4, 1) * LENGTH),
    mark: BAD_FLAGS.includes(flagId) ? 0 : mark,
    flagId,
    comment: chance.pick(isGood ? PRAISE : BLAME),
    feedback: rating === null ? null : chance.pick(defined(THANKS.get(rating))),
    rating,
  }
}

const NO_RESULTS: Results = {
  filledAt: null,
  mark: null,
  flagId: OK,
  comment: null,
  feedback: null,
  rating: null,
  isMissed: false,
}

const toQuarter = (milliseconds: number): number => Math.ceil(milliseconds / QUARTER) * QUARTER
