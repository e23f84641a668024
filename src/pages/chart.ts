import type { HourOfCalls } from '../oauth/call-counts.ts'
import { bars, count, sum } from './bars.ts'
import { type Html, html } from './html.ts'
import { hourOf, timeOf } from './times.ts'
import type { Visit } from './visit.ts'

/** Calls by the hour as bars, the refused ones at their foot; the same numbers follow as a table. */
export function callsChart(visit: Visit, hours: readonly HourOfCalls[]): Html {
  const made = sum(hours.map((hour) => hour.made))
  const refused = sum(hours.map((hour) => hour.refused))
  const summary = `${count(made, 'call')} in the last ${hours.length} hours, ${refused} of them refused`
  if (made === 0) return html`<p>No calls in the last ${hours.length} hours.</p>`
  return html`
  ${bars({
    summary,
    by: 'hour',
    labelEvery: 6,
    keys: [
      { name: 'calls', text: 'made' },
      { name: 'refused', text: 'refused: over the rate, or without the right' },
    ],
    columns: hours.map((hour) => ({ label: hourOf(visit, hour.hour), values: [hour.made, hour.refused] })),
  })}
  <details><summary>The same as a table</summary>
    <div class="scroll"><table>
      <thead><tr><th scope="col">Hour from</th><th scope="col">Made</th><th scope="col">Refused</th></tr></thead>
      <tbody>${hours
        .filter((hour) => hour.made > 0)
        .map(
          (hour) => html`<tr><td>${timeOf(visit, hour.hour)}</td><td>${hour.made}</td><td>${hour.refused}</td></tr>`,
        )}
      </tbody>
    </table></div>
  </details>`
}
