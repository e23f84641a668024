import { defined } from '@campus/engine/base/defined'
import type { Correctors } from './correctors.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { EVALUATION_MINUTES, MINIMUM_MARK, type ProjectSession } from './sessions.ts'
import { DAY, HOUR, MINUTE } from './time.ts'

/** One evaluation of a team: past, with its results, or in the future. */
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
  /** The corrector did not come. */
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
/** By the stars that go with them. */
const THANKS = new Map([
  [5, ['Punctual, patient and precise. Thank you!', 'Good remarks, I learnt something about memory.']],
  [4, ['Fair, and open to discussion.', 'Asked the right questions and listened to the answers.']],
  [3, ['A bit quick, but kind.', 'Ten minutes late, then thorough.']],
])

type Evaluating = {
  readonly isFinished: boolean
  /** Whether the work is good for certain. */
  readonly isGood?: boolean
  /** Whether all but one of its evaluations are over, and that one is booked. */
  readonly lacksOne?: boolean
  readonly now: number
}

/** The evaluations of a closed team: enough to mark it where it is finished, too few where not. */
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
  if (isFinished && chance.chance(0.03)) {
    const missed = missedOne(find(at), closedAt, at)
    if (missed) evaluations.push(missed)
    at += 2 * QUARTER
  }
  for (let nth = 0; nth < filled && at + LENGTH < now; nth += 1) {
    evaluations.push(filledOne(chance, find(at), { closedAt, at, quality }))
    at = toQuarter(at + LENGTH + (chance.next() ** 2 * 1.2 * DAY) / needed)
  }
  if (!isFinished && (chance.chance(0.85) || lacksOne)) {
    const coming = correctors.book(members, toQuarter(now + chance.between(0.3, 60) * HOUR))
    evaluations.push(openOne(correctors.find(members, coming, true), closedAt, coming))
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

type Filled = { readonly closedAt: number; readonly at: number; readonly quality: number }

function filledOne(chance: Random, corrector: Person | undefined, { closedAt, at, quality }: Filled): Evaluation {
  const mark = Math.max(0, Math.min(125, Math.round(quality + chance.between(-6, 6))))
  const isGood = mark >= MINIMUM_MARK
  const flagId = isGood ? (mark > 112 ? OUTSTANDING : OK) : chance.chance(0.5) ? chance.pick(BAD_FLAGS) : OK
  const rating = chance.chance(0.4) ? chance.integer(3, 5) : null
  return {
    corrector,
    createdAt: bookedAt(closedAt, at),
    beginAt: at,
    isMissed: false,
    filledAt: at + Math.round(chance.between(0.4, 1) * LENGTH),
    mark: BAD_FLAGS.includes(flagId) ? 0 : mark,
    flagId,
    comment: chance.pick(isGood ? PRAISE : BLAME),
    feedback: rating === null ? null : chance.pick(defined(THANKS.get(rating))),
    rating,
  }
}

const nothingSaid = { mark: null, flagId: OK, comment: null, feedback: null, rating: null } as const

function missedOne(corrector: Person | undefined, closedAt: number, at: number): Evaluation | undefined {
  const times = { createdAt: bookedAt(closedAt, at), beginAt: at, filledAt: at + QUARTER }
  return corrector && { corrector, ...times, ...nothingSaid, isMissed: true }
}

function openOne(corrector: Person | undefined, closedAt: number, at: number): Evaluation {
  return { corrector, createdAt: bookedAt(closedAt, at), beginAt: at, filledAt: null, ...nothingSaid, isMissed: false }
}

const bookedAt = (closedAt: number, at: number): number => Math.min(closedAt + 10 * MINUTE, at)
const toQuarter = (milliseconds: number): number => Math.ceil(milliseconds / QUARTER) * QUARTER
