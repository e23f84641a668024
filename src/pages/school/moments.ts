/** The moment at which clocks of a zone show this day and time, such as 2026-03-02 and 14:30; undefined for what is none. */
export function momentIn(timeZone: string, day: string, time: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !/^\d\d:\d\d(:\d\d)?$/.test(time)) return undefined
  const shown = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(shown)) return undefined
  const near = shown - aheadOfUtc(timeZone, shown)
  return new Date(shown - aheadOfUtc(timeZone, near))
}

/** By how many milliseconds clocks of a zone are ahead at a moment. */
function aheadOfUtc(timeZone: string, moment: number): number {
  const whole = Math.floor(moment / 1000) * 1000
  const shown = new Date(whole).toLocaleString('sv-SE', { timeZone })
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - whole
}
