import { locale } from '../base/languages/language.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'

/** A time as people of the school read it, in its zone. */
export const timeOf = (context: PageContext, time: Date): Html =>
  html`<time datetime="${time.toISOString()}">${textOf(time, context.dependencies.config.timeZone)}</time>`

const formats = new Map<string, Intl.DateTimeFormat>()

function textOf(time: Date, timeZone: string): string {
  const key = `${locale()} ${timeZone}`
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(locale(), { timeZone, dateStyle: 'medium', timeStyle: 'short' })
  formats.set(key, format)
  return format.format(time)
}

/** The hour of the day at this time in the school's zone, such as 09:00. */
export const hourOf = (context: PageContext, time: Date): string =>
  time.toLocaleTimeString(locale(), {
    timeZone: context.dependencies.config.timeZone,
    hour: '2-digit',
    minute: '2-digit',
  })

/** A day such as 2026-03-02 in short, such as 2 Mar. */
export const shortDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** The day at this time in the school's zone, such as 2026-03-02. */
export const dayOf = (context: PageContext, time: Date): string =>
  time.toLocaleDateString('en-CA', { timeZone: context.dependencies.config.timeZone })

/** The weekday of a day such as 2026-03-02 in short. */
export const weekDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), { timeZone: 'UTC', weekday: 'short' })

/** The day of this time with its year, in the school's zone, such as 2 Mar 2026. */
export const dateOf = (context: PageContext, time: Date): Html =>
  html`<time datetime="${time.toISOString()}">${time.toLocaleDateString(locale(), { timeZone: context.dependencies.config.timeZone, dateStyle: 'medium' })}</time>`

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/** A month of a year, as the API names them in English, or the year alone. */
export function monthOf(month: string | null, year: string): string {
  const index = MONTHS.indexOf(month?.toLowerCase() ?? '')
  if (index === -1 || !/^\d{4}$/.test(year)) return year
  return new Date(`${year}-${String(index + 1).padStart(2, '0')}-01T00:00:00Z`).toLocaleDateString(locale(), {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  })
}
