import { LRUCache } from 'lru-cache'
import { defined } from './defined.ts'

const DAY_MS = 86_400_000
/** Offset at the end of a formatted time. Historical offsets have seconds. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

const formatters = new LRUCache<string, Intl.DateTimeFormat>({
  max: 50,
  memoMethod: (timeZone) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
})

/** Returns the instant of a local day and time, such as 2026-03-02 and 14:30, or undefined if either is invalid. */
export function zonedTime(timeZone: string, day: string, time: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !/^\d\d:\d\d(:\d\d)?$/.test(time)) return undefined
  const shown = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(shown)) return undefined
  const near = shown - aheadOfUtc(timeZone, shown)
  return new Date(shown - aheadOfUtc(timeZone, near))
}

/** Returns the local day and time for form fields: 2026-03-02 and 14:30. */
export function shownIn(timeZone: string, at: Date): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = new Date(at.getTime() + aheadOfUtc(timeZone, at.getTime())).toISOString().split('T')
  return { day, time: time.slice(0, 5) }
}

/** Returns the offset from UTC in milliseconds. */
export function aheadOfUtc(timeZone: string, time: number): number {
  const [, sign, ...parts] = OFFSET.exec(formatters.memo(timeZone).format(time)) ?? []
  const [hours, minutes, seconds] = parts.map((part) => Number(part ?? 0))
  return (sign === '-' ? -1000 : 1000) * (defined(hours) * 3600 + defined(minutes) * 60 + defined(seconds))
}

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
