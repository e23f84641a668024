import type { HourOfCalls } from '../oauth/call-counts.ts'
import { type Html, html } from './html.ts'
import { hourOf, timeOf } from './times.ts'
import type { Visit } from './visit.ts'

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [480, 170, 44, 14, 26] as const
const PLOT = HEIGHT - TOP - BOTTOM

/** Calls by the hour as bars, the refused ones at their foot; the same numbers follow as a table. */
export function callsChart(visit: Visit, hours: readonly HourOfCalls[]): Html {
  const made = sum(hours.map((hour) => hour.made))
  const refused = sum(hours.map((hour) => hour.refused))
  const summary = `${count(made, 'call')} in the last ${hours.length} hours, ${refused} of them refused`
  if (made === 0) return html`<p>No calls in the last ${hours.length} hours.</p>`
  const top = roundUp(Math.max(...hours.map((hour) => hour.made)))
  const step = (WIDTH - LEFT) / hours.length
  const heightOf = (value: number) => Math.round((value / top) * PLOT * 10) / 10
  const bar = (index: number, value: number, name: string) => {
    const height = heightOf(value)
    if (height === 0) return ''
    const x = Math.round((LEFT + index * step + step * 0.1) * 10) / 10
    return html`<rect class="${name}" x="${x}" y="${TOP + PLOT - height}" width="${Math.round(step * 8) / 10}" height="${height}"/>`
  }
  return html`
  <figure class="chart">
    <figcaption>${summary}.
      <span class="keys"><span class="key"><span class="swatch calls"></span> made</span>
      <span class="key"><span class="swatch refused"></span> refused: over the rate, or without the right</span></span>
    </figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Bars by hour: ${summary}">
      ${[top, top / 2, 0].map((value) => {
        const y = TOP + PLOT - heightOf(value)
        return html`<line class="chart-line" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/>
      <text class="chart-text" x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${value}</text>`
      })}
      ${hours.map((hour, index) => html`${bar(index, hour.made, 'chart-calls')}${bar(index, hour.refused, 'chart-refused')}`)}
      ${hours.map((hour, index) =>
        index % 6 === 0
          ? html`<text class="chart-text" x="${LEFT + index * step}" y="${HEIGHT - 6}">${hourOf(visit, hour.hour)}</text>`
          : '',
      )}
    </svg>
  </figure>
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

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** The next of 2, 4, 10, 20, 40, 100 …, so that half of it is a whole number. */
function roundUp(value: number): number {
  for (let unit = 1; ; unit *= 10) for (const factor of [2, 4, 10]) if (factor * unit >= value) return factor * unit
}
