import { addDays, zonedTime } from '@campus/engine/base/zoned-times'
import type { PageContext } from '../page-context.ts'
import { dayOf } from '../times.ts'

export const VIEWS = ['week', 'month', 'list'] as const
export type View = (typeof VIEWS)[number]

/** The days that a view shows, each like 2026-03-02. */
export type Shown = {
  readonly view: View
  readonly days: readonly string[]
  /** The requested day. */
  readonly day: string
  readonly from: Date
  readonly until: Date
  /** Days in the views before and after this one. */
  readonly before: string
  readonly after: string
}

const DAY_MS = 86_400_000
const LIST_DAYS = 30

/** Returns the number of days since Monday. */
const weekDayOf = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** Reads the view and the day of the address. The default is this week. */
export function shownIn(context: PageContext): Shown {
  const view = VIEWS.find((one) => one === context.query.text('view')) ?? 'week'
  const asked = context.query.text('day')
  const today = dayOf(context, context.dependencies.clock.now())
  const day = /^(19|20|21)\d\d-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(asked)) ? addDays(asked, 0) : today
  const { first, count, before, after } = SPANS[view](day)
  const days = Array.from({ length: count }, (_, index) => addDays(first, index))
  const begin = (one: string) => zonedTime(context.timeZone, one, '00:00') ?? new Date(`${one}T00:00:00Z`)
  return { view, days, day, from: begin(first), until: begin(addDays(first, count)), before, after }
}

type Span = { readonly first: string; readonly count: number; readonly before: string; readonly after: string }

const SPANS: Readonly<Record<View, (day: string) => Span>> = {
  week: (day) => ({
    first: addDays(day, -weekDayOf(day)),
    count: 7,
    before: addDays(day, -7),
    after: addDays(day, 7),
  }),
  list: (day) => ({ first: day, count: LIST_DAYS, before: addDays(day, -LIST_DAYS), after: addDays(day, LIST_DAYS) }),
  month(day) {
    const begin = `${day.slice(0, 7)}-01`
    const next = `${addDays(begin, 31).slice(0, 7)}-01`
    const first = addDays(begin, -weekDayOf(begin))
    const last = addDays(next, -1)
    const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 7 - weekDayOf(last)
    return { first, count, before: `${addDays(begin, -1).slice(0, 7)}-01`, after: next }
  },
}
