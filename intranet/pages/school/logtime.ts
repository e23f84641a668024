import type { Answer } from '../ask.ts'
import { heatMap } from '../charts.ts'
import { empty } from '../components.ts'
import { type Html, say } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { dayOf, shortDay, weekDay } from '../times.ts'

/** Maps days to times like `HH:MM:SS.f`. Days without time are missing. */
type Logtime = Answer<'/v2/users/{id}/locations_stats'>

const WEEKS = 18
const DAY_MS = 86_400_000
const DAYS_OF_WEEK = [0, 1, 2, 3, 4, 5, 6] as const

/** A column for each week, a row for each weekday. */
export function logtimeMap(context: PageContext, logtime: Logtime): Html {
  const today = Date.parse(dayOf(context, context.dependencies.clock.now()))
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS
  const weeks = Array.from({ length: WEEKS }, (_, index) => monday - (WEEKS - 1 - index) * 7 * DAY_MS)
  const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10)
  const hoursOn = (time: number) => Math.round(hoursIn(logtime[dayAt(time)] ?? '0') * 10) / 10
  const rows = DAYS_OF_WEEK.map((day) => ({
    label: weekDay(dayAt(monday + day * DAY_MS)),
    values: weeks.map((week) => hoursOn(week + day * DAY_MS)),
  }))
  const hours = Math.round(Object.values(logtime).reduce((total, text) => total + hoursIn(text), 0))
  if (hours === 0 && Object.keys(logtime).length === 0)
    return empty(say('Not logged in at a computer in the last four months.'))
  return heatMap({
    summary: say('{hours, plural, one {# hour} other {# hours}} in the last four months, by day', { hours }),
    by: say('Day'),
    columns: weeks.map((week) => shortDay(dayAt(week))),
    labelEvery: 3,
    rows,
  })
}

function hoursIn(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  return hours + minutes / 60 + seconds / 3600
}
