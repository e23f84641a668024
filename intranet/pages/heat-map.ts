import { scaleBand, scaleQuantize } from 'd3-scale'
import { table } from './components.ts'
import { type Html, html, say } from './html.ts'

const [WIDTH, LEFT, TOP, ROW] = [640, 76, 24, 22] as const

export type HeatMap = {
  /** Without a full stop. */
  readonly summary: string
  /** What a row stands for, such as `day`. */
  readonly by: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[]
  readonly labelEvery: number
}

export function heatMap({ summary, by, columns, rows, labelEvery }: HeatMap): Html {
  const x = scaleBand<number>([...columns.keys()], [LEFT, WIDTH]).paddingInner(0.12)
  const y = scaleBand<number>([...rows.keys()], [TOP, TOP + rows.length * ROW]).paddingInner(0.12)
  const max = Math.max(1, ...rows.flatMap(({ values }) => values))
  const strength = scaleQuantize([0, max], [1, 2, 3, 4])
  const height = TOP + rows.length * ROW
  return html`
  <figure class="chart">
    <figcaption>${summary}.</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${summary}">
      ${columns.map((column, index) =>
        index % labelEvery === 0
          ? html`<text class="chart-text" x="${Math.round(x(index) ?? 0)}" y="16">${column}</text>`
          : '',
      )}
      ${rows.map(
        (
          { label, values },
          row,
        ) => html`<text class="chart-text" x="0" y="${Math.round((y(row) ?? 0) + 14)}">${label}</text>
      ${values.map(
        (value, column) =>
          html`<rect class="heat-${value === 0 ? 0 : strength(value)}" x="${Math.round(x(column) ?? 0)}" y="${Math.round(y(row) ?? 0)}" width="${Math.round(x.bandwidth())}" height="${Math.round(y.bandwidth())}" rx="3"><title>${say('{name}: {value}', { name: `${label} ${columns[column]}`, value })}</title></rect>`,
      )}`,
      )}
    </svg>
  </figure>
  <details><summary>${say('The same as a table')}</summary>
    ${table(
      summary,
      [by, ...columns],
      rows.map(({ label, values }) => [label, ...values]),
    )}
  </details>`
}
