import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type Cell, table } from './components.ts'
import { formatNumber } from './format-number.ts'
import { type Html, html, say } from './html.ts'

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 240, 56, 12, 12, 26] as const

export type LineChart = {
  /** Without a full stop. */
  readonly summary: string
  /** What a column stands for, such as `day`. */
  readonly by: string
  readonly columns: readonly { readonly label: string; readonly title: Cell }[]
  readonly lines: readonly { readonly name: string; readonly color: string; readonly values: readonly number[] }[]
  /** Labels every nth column. */
  readonly labelEvery: number
}

export function lineChart({ summary, by, columns, lines, labelEvery }: LineChart): Html {
  const all = lines.flatMap(({ values }) => values)
  const x = scaleLinear([0, Math.max(1, columns.length - 1)], [LEFT, WIDTH - RIGHT])
  const y = scaleLinear([Math.min(0, ...all), Math.max(1, ...all)], [HEIGHT - BOTTOM, TOP]).nice(4)
  const drawn = line<number>()
    .x((_, index) => Math.round(x(index)))
    .y((value) => Math.round(y(value)))
  return html`
  <figure class="chart"><figcaption>${summary}.</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${summary}">
      ${y.ticks(4).map(
        (
          tick,
        ) => html`<line class="chart-line" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${Math.round(y(tick))}" y2="${Math.round(y(tick))}"/>
      <text class="chart-text" x="${LEFT - 8}" y="${Math.round(y(tick)) + 4}" text-anchor="end">${formatNumber(tick)}</text>`,
      )}
      ${columns.map(({ label }, index) => (index % labelEvery === 0 && index <= columns.length - labelEvery / 2 ? html`<text class="chart-text" x="${Math.round(x(index))}" y="${HEIGHT - 8}">${label}</text>` : ''))}
      ${lines.map(({ color, values }) => html`<path class="chart-path" stroke="${color}" d="${drawn([...values]) ?? ''}"/>`)}
    </svg></figure>
  <details><summary>${say('The same as a table')}</summary>${table(
    summary,
    [by, ...lines.map(({ name }) => name)],
    columns.map(({ title }, index) => [title, ...lines.map(({ values }) => formatNumber(values[index] ?? 0))]),
  )}</details>`
}
