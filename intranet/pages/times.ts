import { locale } from '@campus/engine/base/languages/dictionary'
import { shownIn } from '@campus/engine/base/zoned-times'
import { LRUCache } from 'lru-cache'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'

type Zoned = Pick<PageContext, 'timeZone'>

/** Renders a time in the reader's zone, with UTC in the title. */
export const timeOf = (context: Zoned, time: Date): Html => timeElement(time, plainTime(context, time))

export const plainTime = (context: Zoned, time: Date): string =>
  formatOf(context.timeZone, { dateStyle: 'medium', timeStyle: 'short' }).format(time)

const timeElement = (time: Date, text: string): Html => {
  const inUtc = time.toISOString()
  return html`<time datetime="${inUtc}" title="${inUtc.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}">${text}</time>`
}

/** Caches formatters, which are slow to create. Limited, since a cookie names the zone and may spell it in any case. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 })

function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale()} ${timeZone} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale(), { timeZone, ...options })
  formats.set(key, format)
  return format
}

/** Such as 09:00. */
export const hourOf = (context: Zoned, time: Date): string =>
  formatOf(context.timeZone, { hour: '2-digit', minute: '2-digit' }).format(time)

/** Such as 2 Mar. */
export const shortDay = (day: string): string =>
  formatOf('UTC', { day: 'numeric', month: 'short' }).format(new Date(`${day}T00:00:00Z`))

/** Such as 2026-03-02. */
export const dayOf = (context: Zoned, time: Date): string => shownIn(context.timeZone, time).day

/** Such as Mon. */
export const weekDay = (day: string): string =>
  formatOf('UTC', { weekday: 'short' }).format(new Date(`${day}T00:00:00Z`))

/** Such as 2 Mar 2026. */
export const dateOf = (context: Zoned, time: Date): Html =>
  timeElement(time, formatOf(context.timeZone, { dateStyle: 'medium' }).format(time))

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/** `month` is an English name, as in the API. An unknown month returns the year alone. */
export function monthOf(month: string | null, year: string): string {
  const index = MONTHS.indexOf(month?.toLowerCase() ?? '')
  if (index === -1 || !/^\d{4}$/.test(year)) return year
  return monthName(`${year}-${String(index + 1).padStart(2, '0')}`)
}

/** Returns the month of a day such as 2026-03-02. */
export const monthName = (day: string): string =>
  formatOf('UTC', { month: 'long', year: 'numeric' }).format(new Date(`${day.slice(0, 7)}-01T00:00:00Z`))

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Uses the largest unit that fits once, such as in 3 days. */
export function timeFromNow({ dependencies: { clock } }: PageContext, time: Date): string {
  const milliseconds = time.getTime() - clock.now().getTime()
  const [unit, length] = UNITS.find(([, one]) => Math.abs(milliseconds) >= one) ?? UNITS[2]
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'always' }).format(Math.trunc(milliseconds / length), unit)
}

export const formatNumber = (value: number): string => value.toLocaleString(locale())
