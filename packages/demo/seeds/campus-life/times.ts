import type { Campus } from '../school.ts'
import { DAY, HOUR, instantOf } from '../time.ts'

/** An hour of a working day at the campus, so many days from now or a little later. */
export function workingHour({ timeZone }: Campus, now: number, days: number, hour: number): number {
  const midnight = Math.floor((now + days * DAY) / DAY) * DAY
  const weekday = new Date(midnight).getUTCDay()
  const untilMonday = weekday === 6 ? 2 : weekday === 0 ? 1 : 0
  return instantOf(timeZone, midnight + untilMonday * DAY + hour * HOUR)
}

/** With ids from 1 on, in the order in which they were created. */
export const numbered = <T extends { readonly created_at: number }>(rows: readonly T[]): (T & { id: number })[] =>
  [...rows].sort((one, other) => one.created_at - other.created_at).map((row, index) => ({ id: index + 1, ...row }))
