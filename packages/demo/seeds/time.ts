export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Whole seconds, as timestamps of a school's machines. */
export const toSecond = (milliseconds: number): number => Math.floor(milliseconds / 1000) * 1000

export const toDate = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset', year: 'numeric' })
    formats.set(timeZone, format)
  }
  return format
}

/** Milliseconds that the clocks of a time zone are ahead of UTC at an instant. */
export function offsetAt(timeZone: string, instant: number): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(formatOf(timeZone).format(instant)) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) + Number(minutes ?? 0) / 60) * HOUR
}

/** The instant at which local clocks show what `wallClock` shows when read as UTC. */
export function instantOf(timeZone: string, wallClock: number): number {
  return wallClock - offsetAt(timeZone, wallClock - offsetAt(timeZone, wallClock))
}

/** When a record was made and changed last. */
export type Times = { readonly created_at: number; readonly updated_at: number }
