import { type Html, html } from './html.ts'

/** What stands above a column: its text and, where it is more than that, how it is shown and how the column is sorted. */
export type Heading =
  | string
  | { readonly text: string; readonly shown: Html; readonly sort?: 'ascending' | 'descending' | undefined }

/** What a cell holds. */
export type Cell = Html | string | number

/**
 * A table that a phone shows as a card for each row. `label` says what it is; the first cell of a row names the row.
 * Rows have a cell for each heading.
 */
export const table = (label: string, headings: readonly Heading[], rows: readonly (readonly Cell[])[]): Html => html`
  <div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="cards">
    <thead><tr>${headings.map(headingCell)}</tr></thead>
    <tbody>${rows.map(
      ([first, ...others]) => html`
      <tr><th scope="row">${first}</th>${others.map(
        (cell, index) => html`<td data-label="${textOf(headings[index + 1] ?? '')}">${cell}</td>`,
      )}</tr>`,
    )}</tbody>
  </table></div>`

const textOf = (heading: Heading) => (typeof heading === 'string' ? heading : heading.text)

const headingCell = (heading: Heading): Html =>
  typeof heading === 'string'
    ? html`<th scope="col">${heading}</th>`
    : html`<th scope="col"${heading.sort ? html` aria-sort="${heading.sort}"` : ''}>${heading.shown}</th>`
