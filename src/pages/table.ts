import { type Html, html } from './html.ts'

/** What a cell holds. */
export type Cell = Html | string | number

/**
 * A table that a phone shows as a card for each row. `label` says what it is; the first cell of a row names the row.
 * Rows have a cell for each heading.
 */
export const table = (label: string, headings: readonly string[], rows: readonly (readonly Cell[])[]): Html => html`
  <div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="cards">
    <thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
    <tbody>${rows.map(
      ([first, ...others]) => html`
      <tr><th scope="row">${first}</th>${others.map(
        (cell, index) => html`<td data-label="${headings[index + 1]}">${cell}</td>`,
      )}</tr>`,
    )}</tbody>
  </table></div>`
