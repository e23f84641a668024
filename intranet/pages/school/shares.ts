import type { Item } from '../ask.ts'
import { type Html, html, say } from '../html.ts'

export type Share = {
  readonly name: Html | string
  readonly value: number
  readonly text: string
  readonly color?: string | null
}

const WIDTH = 100

/** The largest value fills its line. `ranked` numbers the lines. */
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

export const dotOf = (color: string | null): Html =>
  html`<svg class="dot" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5"${paint(color)}/></svg>`

export const ranksOf = (coalitions: Item<'/v2/blocs'>['coalitions']): Html =>
  shares(
    coalitions
      .toSorted((one, other) => other.score - one.score)
      .map(({ name, color, score }) => ({
        name: html`${dotOf(color)} ${name}`,
        value: score,
        text: say('{count, number} points', { count: score }),
        color,
      })),
    { ranked: true },
  )
