import { type Html, html } from './html.ts'

/** A part of a dashboard. */
export const card = (title: string, main: Html): Html => html`<section class="card"><h2>${title}</h2>${main}</section>`

/** A line of a list: what it is, and what else there is to say. */
export type Line = { readonly title: Html; readonly more?: Html }

/** Lines of a dashboard, or why there are none. */
export const list = <T>(records: readonly T[], none: string, lineOf: (record: T) => Line): Html =>
  records.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`<ul class="list">${records.map((record) => {
        const { title, more } = lineOf(record)
        return html`<li>${title}${more ? html` <span class="quiet">${more}</span>` : ''}</li>`
      })}</ul>`
