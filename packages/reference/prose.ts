import { type Html, html } from '@campus/intranet/pages/html'

/** Renders a description of the document, with code between backticks. */
export const prose = (description: string): Html =>
  html`${description.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
