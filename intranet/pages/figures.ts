import { formatNumber } from './format-number.ts'
import { type Html, html } from './html.ts'

/** A number in large, what it counts, and where there is more of it. */
type Figure = { readonly value: number | string; readonly label: string; readonly path?: string }

/** A few figures side by side. */
export const figures = (all: readonly Figure[]): Html => html`
  <dl class="figures">${all.map(
    ({ value, label, path }) =>
      html`<div><dt>${path ? html`<a href="${path}">${label}</a>` : label}</dt><dd>${typeof value === 'number' ? formatNumber(value) : value}</dd></div>`,
  )}</dl>`
