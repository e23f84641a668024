const DAY_MS = 86_400_000

/**
 * The time at which clocks of a zone show this day and time, such as 2026-03-02 and 14:30; undefined where they are
 * invalid.
 */
export function zonedTime(timeZone: string, day: string, time: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !/^\d\d:\d\d(:\d\d)?$/.test(time)) return undefined
  const shown = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(shown)) return undefined
  const near = shown - aheadOfUtc(timeZone, shown)
  return new Date(shown - aheadOfUtc(timeZone, near))
}

/** The day and time that clocks of a zone show, as fields of forms hold them: 2026-03-02 and 14:30. */
export function shownIn(timeZone: string, at: Date): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = at.toLocaleString('sv-SE', { timeZone }).split(' ')
  return { day, time: time.slice(0, 5) }
}

/** The offset of a zone's clocks at a time, in milliseconds. */
export function aheadOfUtc(timeZone: string, time: number): number {
  const whole = Math.floor(time / 1000) * 1000
  return Date.parse(`${new Date(whole).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`) - whole
}

/** Returns the day so many days after a day such as 2026-03-02. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
