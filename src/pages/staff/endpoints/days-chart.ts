import type { DayOfDeliveries } from '../../../webhooks/overview.ts'
import { bars, count, sum } from '../../bars.ts'
import { type Html, html } from '../../html.ts'

/** Deliveries by the day, with those that wait and those that failed at their foot; the same numbers follow as a table. */
export function daysChart(days: readonly DayOfDeliveries[]): Html {
  const [recorded, waiting, failed] = (['recorded', 'waiting', 'failed'] as const).map((name) =>
    sum(days.map((day) => day[name])),
  ) as [number, number, number]
  if (recorded === 0) return html`<p>No deliveries in the last ${days.length} days.</p>`
  return html`
  ${bars({
    summary: `${count(recorded, 'delivery', 'deliveries')} in the last ${days.length} days: ${failed} failed for good, ${waiting} waiting`,
    by: 'day',
    labelEvery: 3,
    keys: [
      { name: 'calls', text: 'delivered' },
      { name: 'waiting', text: 'waiting' },
      { name: 'refused', text: 'rejected or given up' },
    ],
    columns: days.map((day) => ({
      label: shortDay(day.day),
      values: [day.recorded, day.waiting + day.failed, day.failed],
    })),
  })}
  <details><summary>The same as a table</summary>
    <div class="scroll"><table>
      <thead><tr><th scope="col">Day</th><th scope="col">Deliveries</th><th scope="col">Waiting</th><th scope="col">Failed</th></tr></thead>
      <tbody>${days
        .filter((day) => day.recorded > 0)
        .map(
          (day) =>
            html`<tr><td>${day.day}</td><td>${day.recorded}</td><td>${day.waiting}</td><td>${day.failed}</td></tr>`,
        )}
      </tbody>
    </table></div>
  </details>`
}

const shortDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
