import type { DayOfDeliveries } from '../../../webhooks/overview.ts'
import { bars, count, sum } from '../../bars.ts'
import { type Html, html } from '../../html.ts'
import { shortDay } from '../../times.ts'

/** Deliveries by the day, those that failed and those that wait at the foot; and as a table. */
export function daysChart(days: readonly DayOfDeliveries[]): Html {
  const [recorded, waiting, failed] = (['recorded', 'waiting', 'failed'] as const).map((name) =>
    sum(days.map((day) => day[name])),
  ) as [number, number, number]
  if (recorded === 0) return html`<p class="quiet">No deliveries in the last ${days.length} days.</p>`
  return bars({
    summary: `${count(recorded, 'delivery', 'deliveries')} in the last ${days.length} days: ${failed} failed for good, ${waiting} waiting`,
    by: 'Day',
    labelEvery: 3,
    keys: [
      { name: 'refused', heading: 'Failed', text: 'rejected or given up' },
      { name: 'waiting', heading: 'Waiting', text: 'waiting' },
      { name: 'calls', heading: 'Delivered', text: 'delivered' },
    ],
    columns: days.map(({ day, recorded, waiting, failed }) => ({
      label: shortDay(day),
      title: day,
      values: [failed, waiting, recorded - waiting - failed],
    })),
  })
}
