import { type Html, html, say } from './html.ts'

type Copied = {
  readonly id: string
  readonly text: string
  /** The text to copy, if it differs from the shown one. */
  readonly copies?: string
  /** Such as `Copy the client id`. */
  readonly button: string
}

export const copied = (one: Copied): Html =>
  html`<span class="copied"><span class="code" id="${one.id}">${one.text}</span>${buttonOf(one)}</span>`

export const copiedLines = (one: Copied): Html => html`
  <div class="copied"><pre class="card" tabindex="0" id="${one.id}">${one.text}</pre>${buttonOf(one)}</div>`

export const printButton = (text: string): Html =>
  html`<button type="button" class="second for-scripts" data-prints>${text}</button>`

const buttonOf = ({ id, copies, button }: Copied): Html =>
  html`<button type="button" class="second for-scripts" data-copies="${id}"${copies === undefined ? '' : html` data-text="${copies}"`} data-done="${say('Copied')}" aria-live="polite">${button}</button>`
