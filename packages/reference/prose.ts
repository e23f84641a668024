import { type Html, html } from '@campus/intranet/pages/html'

/** A description of the document as text of the page: what stands between backticks is code. */
export const prose = (description: string): Html =>
  html`${description.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
