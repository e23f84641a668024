import { scaleBand, scaleLinear, scaleQuantize } from 'd3-scale'
import { line, stack } from 'd3-shape'
import type { HourOfCalls } from '../oauth/call-counts.ts'
import { type Cell, chartTable } from './components.ts'
import { type Html, html, say } from './html.ts'
import type { PageContext } from './page-context.ts'
import { formatNumber, hourOf, timeOf } from './times.ts'

/** Sizes in the units of the drawings. */
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [640, 180, 56, 12, 26] as const

/** A chart of stacked bars. The first value of a column is at the bottom. */
export type BarChart = {
  /** Without a full stop. */
  readonly summary: string
  /** Heading of the column labels in the table, such as `Hour`. */
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
  ${chartTable(
    shown.summary,
    [shown.by, ...shown.keys.map(({ heading }) => heading)],
    shown.columns.filter(({ values }) => sum(values) > 0).map(({ title, values }) => [title, ...values]),
  )}`

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

export const callKeys = () => [
  { name: 'refused', heading: say('Refused'), text: say('refused: over the rate, or without the right') },
  { name: 'calls', heading: say('Answered'), text: say('answered') },
]

export function callsChart(context: PageContext, hours: readonly HourOfCalls[]): Html {
  const made = sum(hours.map((hour) => hour.made))
  const refused = sum(hours.map((hour) => hour.refused))
  if (made === 0)
    return html`<p class="quiet">${say('No calls in the last {hours, plural, one {hour} other {# hours}}.', { hours: hours.length })}</p>`
  return barChart({
    summary: say(
      '{made, plural, one {# call} other {# calls}} in the last {hours, plural, one {hour} other {# hours}}, {refused, number} of them refused',
      { made, hours: hours.length, refused },
    ),
    by: say('Hour'),
    labelEvery: 6,
    keys: callKeys(),
    columns: hours.map((hour) => ({
      label: hourOf(context, hour.hour),
      title: timeOf(context, hour.hour),
      values: [hour.refused, hour.made - hour.refused],
    })),
  })
}

const [MAP_LEFT, MAP_TOP, ROW] = [76, 24, 22] as const

export const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

type HeatMap = {
  /** Without a full stop. */
  readonly summary: string
  /** Heading of the row labels in the table, such as `Day`. */
  readonly by: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[]
  readonly labelEvery: number
}

export function heatMap({ summary, by, columns, rows, labelEvery }: HeatMap): Html {
  const x = scaleBand<number>([...columns.keys()], [MAP_LEFT, WIDTH]).paddingInner(0.12)
  const y = scaleBand<number>([...rows.keys()], [MAP_TOP, MAP_TOP + rows.length * ROW]).paddingInner(0.12)
  const max = Math.max(1, ...rows.flatMap(({ values }) => values))
  const strength = scaleQuantize([0, max], [1, 2, 3, 4])
  const height = MAP_TOP + rows.length * ROW
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
  ${chartTable(
    summary,
    [by, ...columns],
    rows.map(({ label, values }) => [label, ...values]),
  )}`
}

const [LINE_HEIGHT, RIGHT] = [240, 12] as const

type LineChart = {
  /** Without a full stop. */
  readonly summary: string
  /** Heading of the column labels in the table, such as `Day`. */
  readonly by: string
  readonly columns: readonly { readonly label: string; readonly title: Cell }[]
  readonly lines: readonly { readonly name: string; readonly color: string; readonly values: readonly number[] }[]
  /** Labels every nth column. */
  readonly labelEvery: number
}

export function lineChart({ summary, by, columns, lines, labelEvery }: LineChart): Html {
  const all = lines.flatMap(({ values }) => values)
  const x = scaleLinear([0, Math.max(1, columns.length - 1)], [LEFT, WIDTH - RIGHT])
  const y = scaleLinear([Math.min(0, ...all), Math.max(1, ...all)], [LINE_HEIGHT - BOTTOM, TOP]).nice(4)
  const drawn = line<number>()
    .x((_, index) => Math.round(x(index)))
    .y((value) => Math.round(y(value)))
  return html`
  <figure class="chart"><figcaption>${summary}.</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${LINE_HEIGHT}" width="${WIDTH}" height="${LINE_HEIGHT}" role="img" aria-label="${summary}">
      ${y.ticks(4).map(
        (
          tick,
        ) => html`<line class="chart-line" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${Math.round(y(tick))}" y2="${Math.round(y(tick))}"/>
      <text class="chart-text" x="${LEFT - 8}" y="${Math.round(y(tick)) + 4}" text-anchor="end">${formatNumber(tick)}</text>`,
      )}
      ${columns.map(({ label }, index) => (index % labelEvery === 0 && index <= columns.length - labelEvery / 2 ? html`<text class="chart-text" x="${Math.round(x(index))}" y="${LINE_HEIGHT - 8}">${label}</text>` : ''))}
      ${lines.map(({ color, values }) => html`<path class="chart-path" stroke="${color}" d="${drawn([...values]) ?? ''}"/>`)}
    </svg></figure>
  ${chartTable(
    summary,
    [by, ...lines.map(({ name }) => name)],
    columns.map(({ title }, index) => [title, ...lines.map(({ values }) => formatNumber(values[index] ?? 0))]),
  )}`
}
