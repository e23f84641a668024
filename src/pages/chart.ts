import type { HourOfCalls } from '../oauth/call-counts.ts'
import { bars, count, sum } from './bars.ts'
import { type Html, html } from './html.ts'
import { hourOf, timeOf } from './times.ts'
import type { Visit } from './visit.ts'

/** How calls are coloured, the refused ones at the foot. */
export const CALL_KEYS = [
  { name: 'refused', heading: 'Refused', text: 'refused: over the rate, or without the right' },
  { name: 'calls', heading: 'Answered', text: 'answered' },
] as const

/** Calls by the hour as bars, and as a table. */
export function callsChart(visit: Visit, hours: readonly HourOfCalls[]): Html {
  const made = sum(hours.map((hour) => hour.made))
  const refused = sum(hours.map((hour) => hour.refused))
  if (made === 0) return html`<p class="quiet">No calls in the last ${hours.length} hours.</p>`
  return bars({
    summary: `${count(made, 'call')} in the last ${hours.length} hours, ${refused} of them refused`,
    by: 'Hour',
    labelEvery: 6,
    keys: CALL_KEYS,
    columns: hours.map((hour) => ({
      label: hourOf(visit, hour.hour),
      title: timeOf(visit, hour.hour),
      values: [hour.refused, hour.made - hour.refused],
    })),
  })
}
