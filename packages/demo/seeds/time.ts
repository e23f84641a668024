export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Rounds milliseconds down to whole seconds. */
export const toSecond = (milliseconds: number): number => Math.floor(milliseconds / 1000) * 1000

const OPEN_SINCE_DAYS = 4.4 * 365

/** Returns when the school opened. */
export const openedAt = (now: number): number => toSecond(now - OPEN_SINCE_DAYS * DAY)

export const toDate = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

const formats = new Map<string, Intl.DateTimeFormat>()

/** Milliseconds that the clocks of a time zone are ahead of UTC at an instant. */
export function offsetAt(timeZone: string, instant: number): number {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset', year: 'numeric' })
  formats.set(timeZone, format)
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(instant)) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) + Number(minutes ?? 0) / 60) * HOUR
}

/** The instant at which local clocks show `wallClock`, which is written as a time in UTC. */
export function instantOf(timeZone: string, wallClock: number): number {
  return wallClock - offsetAt(timeZone, wallClock - offsetAt(timeZone, wallClock))
}
