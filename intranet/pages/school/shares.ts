import { type Html, html } from '../html.ts'

/** A number with its name, as a bar beside others; without a colour of its own it has that of charts. */
export type Share = {
  readonly name: Html | string
  readonly value: number
  readonly text: string
  readonly color?: string | null
}

const WIDTH = 100

/** Numbers as lines with a bar each; the largest fills its line. Their order means something where they are `ranked`. */
export function shares(all: readonly Share[], { ranked = false } = {}): Html {
  const max = Math.max(1, ...all.map(({ value }) => value))
  const lines = all.map(
    ({ name, value, text, color }) => html`
    <li><span class="row"><span>${name}</span><strong>${text}</strong></span>
      <svg viewBox="0 0 ${WIDTH} 3" preserveAspectRatio="none" aria-hidden="true"><rect class="heat-0" width="${WIDTH}" height="3"/>
        <rect${paint(color)} width="${Math.max(0, Math.round((value / max) * WIDTH))}" height="3"/></svg></li>`,
  )
  return ranked ? html`<ol class="shares">${lines}</ol>` : html`<ul class="shares plain">${lines}</ul>`
}

const paint = (color: string | null | undefined): Html => (color ? html` fill="${color}"` : html` class="chart-calls"`)

/** A colour, beside the name of what has it. */
export const dotOf = (color: string | null): Html =>
  html`<svg class="dot" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5"${paint(color)}/></svg>`
