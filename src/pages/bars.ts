import { type Html, html } from './html.ts'

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [480, 170, 44, 14, 26] as const
const PLOT = HEIGHT - TOP - BOTTOM

/** What bars show: each column's values are drawn over each other from the foot, so that later ones are part of the earlier. */
export type Bars = {
  /** The whole in a sentence, without the full stop. */
  readonly summary: string
  /** What a column stands for, such as `hour`. */
  readonly by: string
  /** One for each value; `name` is a class of the stylesheet. */
  readonly keys: readonly { readonly name: string; readonly text: string }[]
  readonly columns: readonly { readonly label: string; readonly values: readonly number[] }[]
  readonly labelEvery: number
}

/** Bars with their caption. The page tells the same numbers as a table, for those who do not see them. */
export function bars({ summary, by, keys, columns, labelEvery }: Bars): Html {
  const top = roundUp(Math.max(1, ...columns.map(({ values }) => values[0] ?? 0)))
  const step = (WIDTH - LEFT) / columns.length
  const heightOf = (value: number) => Math.round((value / top) * PLOT * 10) / 10
  const bar = (index: number, value: number, name: string) => {
    const height = heightOf(value)
    if (height === 0) return ''
    const x = Math.round((LEFT + index * step + step * 0.1) * 10) / 10
    return html`<rect class="chart-${name}" x="${x}" y="${TOP + PLOT - height}" width="${Math.round(step * 8) / 10}" height="${height}"/>`
  }
  return html`
  <figure class="chart">
    <figcaption>${summary}.
      <span class="keys">${keys.map(
        ({ name, text }) => html`<span class="key"><span class="swatch ${name}"></span> ${text}</span>\n`,
      )}</span>
    </figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Bars by ${by}: ${summary}">
      ${[top, top / 2, 0].map((value) => {
        const y = TOP + PLOT - heightOf(value)
        return html`<line class="chart-line" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/>
      <text class="chart-text" x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${value}</text>`
      })}
      ${columns.map(({ values }, index) => keys.map(({ name }, place) => bar(index, values[place] ?? 0, name)))}
      ${columns.map(({ label }, index) =>
        index % labelEvery === 0
          ? html`<text class="chart-text" x="${Math.round(LEFT + index * step)}" y="${HEIGHT - 6}">${label}</text>`
          : '',
      )}
    </svg>
  </figure>`
}

/** All of them together. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** A number with its noun, which takes an s. */
export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : plural}`

/** The next of 2, 4, 10, 20, 40, 100 …, so that half of it is a whole number. */
function roundUp(value: number): number {
  for (let unit = 1; ; unit *= 10) for (const factor of [2, 4, 10]) if (factor * unit >= value) return factor * unit
}
