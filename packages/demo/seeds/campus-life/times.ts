import { withIds } from '../bulk-insert.ts'
import type { Campus } from '../school.ts'
import { DAY, HOUR, instantOf } from '../time.ts'

/** Returns the hour of a day at the campus, `days` from now or on the following Monday. */
export function workingHour({ timeZone }: Campus, now: number, days: number, hour: number): number {
  const midnight = Math.floor((now + days * DAY) / DAY) * DAY
  const weekday = new Date(midnight).getUTCDay()
  const untilMonday = weekday === 6 ? 2 : weekday === 0 ? 1 : 0
  return instantOf(timeZone, midnight + untilMonday * DAY + hour * HOUR)
}

/** Adds ids from 1 on, in the order of `created_at`. */
export const numbered = <T extends { readonly created_at: number }>(rows: readonly T[]): (T & { id: number })[] =>
  withIds(rows.toSorted((one, other) => one.created_at - other.created_at))
