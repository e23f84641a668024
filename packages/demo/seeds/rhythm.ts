import { offsetAt } from './time.ts'

// Weights of arrivals by hour of the day, and by day of the week from Sunday on.
const HOURS = [0.8, 0.5, 0.3, 0.2, 0.2, 0.3, 0.8, 3, 8, 12, 10, 7, 7, 10, 8, 6, 5, 5, 4.5, 4, 3.5, 3, 2, 1.3]
const WEEKDAYS = [0.3, 1, 1.05, 1, 1, 0.85, 0.4]

/** Returns the weight of arrivals at an instant in a time zone. */
export function livelinessAt(timeZone: string, instant: number): number {
  const local = new Date(instant + offsetAt(timeZone, instant))
  return (HOURS[local.getUTCHours()] ?? 0) * (WEEKDAYS[local.getUTCDay()] ?? 0)
}
