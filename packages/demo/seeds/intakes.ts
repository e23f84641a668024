import type { Campus } from './school.ts'
import { DAY, HOUR, instantOf, openedAt } from './time.ts'

/** One entry pool of a campus. */
export type Intake = {
  readonly campus: Campus
  readonly beginAt: number
  readonly endAt: number
  /** When students who passed begin the core curriculum. */
  readonly coreBeginAt: number
  readonly year: string
  readonly month: string
}

const MONTHS = [
  ['february', 1],
  ['july', 6],
  ['september', 8],
] as const
const MONDAY = 1
const LENGTH = 25 * DAY + 10 * HOUR
const BREAK_BEFORE_CORE = 38 * DAY

/** Returns the past entry pools of a campus, oldest first. */
export function intakesOf(campus: Campus, now: number): Intake[] {
  const opened = openedAt(now)
  const firstYear = new Date(opened).getUTCFullYear()
  const years = Array.from({ length: new Date(now).getUTCFullYear() - firstYear + 1 }, (_, index) => firstYear + index)
  return years
    .flatMap((year) => MONTHS.map(([month, index]) => intakeOf(campus, year, month, index)))
    .filter(({ beginAt, endAt }) => beginAt > opened + 90 * DAY && endAt < now)
}

function intakeOf(campus: Campus, year: number, month: string, monthIndex: number): Intake {
  // Starts from the third, which is in the same month in every time zone.
  const third = new Date(Date.UTC(year, monthIndex, 3, 8, 42))
  const daysToMonday = (MONDAY - third.getUTCDay() + 7) % 7
  const beginAt = instantOf(campus.timeZone, third.getTime() + daysToMonday * DAY)
  const endAt = beginAt + LENGTH
  return { campus, beginAt, endAt, coreBeginAt: endAt + BREAK_BEFORE_CORE, year: String(year), month }
}
