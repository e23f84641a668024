import { type Html, html, say } from './html.ts'
import { formatNumber } from './times.ts'

export type Tone = 'good' | 'waiting' | 'bad' | 'note' | 'quiet'

/** Renders a state in a word or two. The colour repeats what the words say. */
export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`

/** Renders the reason why a list is empty, with a link to the page where that can change. */
export const empty = (text: string | Html, action?: { readonly path: string; readonly label: string }): Html => html`
  <div class="empty"><p>${text}</p>
    ${action ? html`<p><a class="button second" href="${action.path}">${action.label}</a></p>` : ''}</div>`

export const card = (title: string, main: Html): Html => html`<section class="card"><h2>${title}</h2>${main}</section>`

export type Line = { readonly title: Html; readonly more?: Html }

/** Renders the lines of a list, or the text `none` if there are no records. */
export const list = <T>(records: readonly T[], none: string, lineOf: (record: T) => Line): Html =>
  records.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`<ul class="list">${records.map((record) => {
        const { title, more } = lineOf(record)
        return html`<li>${title}${more ? html` <span class="quiet">${more}</span>` : ''}</li>`
      })}</ul>`

type Figure = { readonly value: number | string; readonly label: string; readonly path?: string }

export const figures = (all: readonly Figure[]): Html => html`
  <dl class="figures">${all.map(
    ({ value, label, path }) =>
      html`<div><dt>${path ? html`<a href="${path}">${label}</a>` : label}</dt><dd>${typeof value === 'number' ? formatNumber(value) : value}</dd></div>`,
  )}</dl>`

export type Heading =
  | string
  | { readonly text: string; readonly shown: Html; readonly sort?: 'ascending' | 'descending' | undefined }

export type Cell = Html | string | number

/** Renders a table, which phones show as a card for each row. The first cell of a row names the row. */
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

export const chartTable = (...shown: Parameters<typeof table>): Html =>
  html`<details><summary>${say('The same as a table')}</summary>${table(...shown)}</details>`

const textOf = (heading: Heading) => (typeof heading === 'string' ? heading : heading.text)

const headingCell = (heading: Heading): Html =>
  typeof heading === 'string'
    ? html`<th scope="col">${heading}</th>`
    : html`<th scope="col"${heading.sort ? html` aria-sort="${heading.sort}"` : ''}>${heading.shown}</th>`
