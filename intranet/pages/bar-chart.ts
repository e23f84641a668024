import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { type Cell, table } from './components.ts'
import { formatNumber } from './format-number.ts'
import { type Html, html, say } from './html.ts'

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [640, 180, 56, 12, 26] as const

/** A chart of stacked bars. The first value of a column is at the bottom. */
export type BarChart = {
  /** Without a full stop. */
  readonly summary: string
  /** What a column stands for, such as `hour`. */
  readonly by: string
  /** `name` is a class of the stylesheet, `text` explains the colour. */
  readonly keys: readonly { readonly name: string; readonly heading: string; readonly text: string }[]
  /** `label` stands below a column, `title` names it in the table. */
  readonly columns: readonly { readonly label: string; readonly title: Cell; readonly values: readonly number[] }[]
  readonly labelEvery: number
}

export const barChart = (shown: BarChart): Html => html`
  <figure class="chart">
    <figcaption>${shown.summary}.
      <span class="keys">${shown.keys.map(
        ({ name, text }) => html`<span class="key"><span class="swatch ${name}"></span> ${text}</span>\n`,
      )}</span>
    </figcaption>
    ${drawing(shown)}
  </figure>
  <details><summary>${say('The same as a table')}</summary>
    ${table(
      shown.summary,
      [shown.by, ...shown.keys.map(({ heading }) => heading)],
      shown.columns.filter(({ values }) => sum(values) > 0).map(({ title, values }) => [title, ...values]),
    )}
  </details>`

function drawing({ summary, keys, columns, labelEvery }: BarChart): Html {
  const x = scaleBand<number>([...columns.keys()], [LEFT, WIDTH]).padding(0.2)
  const highest = Math.max(1, ...columns.map(({ values }) => sum(values)))
  const y = scaleLinear([0, highest], [HEIGHT - BOTTOM, TOP]).nice(3)
  const pile = stack<(typeof columns)[number], number>()
    .keys(keys.keys())
    .value(({ values }, index) => values[index] ?? 0)
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${summary}">
      ${y
        .ticks(3)
        .filter(Number.isInteger)
        .map(
          (value) => html`<line class="chart-line" x1="${LEFT}" x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}"/>
      <text class="chart-text" x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${formatNumber(value)}</text>`,
        )}
      ${pile(columns).map((layer) =>
        layer.map(([from, to], index) =>
          from === to
            ? ''
            : html`<rect class="chart-${keys[layer.key]?.name}" x="${rounded(x(index) ?? 0)}" y="${rounded(y(to))}" width="${rounded(x.bandwidth())}" height="${rounded(y(from) - y(to))}"/>`,
        ),
      )}
      ${columns.map(({ label }, index) =>
        index % labelEvery === 0
          ? html`<text class="chart-text" x="${rounded(x(index) ?? 0)}" y="${HEIGHT - 6}">${label}</text>`
          : '',
      )}
    </svg>`
}

const rounded = (pixels: number) => Math.round(pixels * 10) / 10

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
