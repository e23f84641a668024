import { type Html, html } from '../html.ts'
import { say } from '../say.ts'

/** A house with its points. */
export type Coalition = {
  readonly id: number
  readonly name: string
  readonly color: string | null
  readonly score: number
}

const WIDTH = 100

/** Houses that stand against each other, the first with the most points, each with a bar of its own colour. */
export function ranksOf(coalitions: readonly Coalition[]): Html {
  const sorted = coalitions.toSorted((one, other) => other.score - one.score)
  const most = Math.max(1, ...sorted.map(({ score }) => score))
  return html`<ol class="ranks">${sorted.map(
    ({ name, color, score }) => html`
    <li><span class="row"><span>${dotOf(color)} ${name}</span><strong>${say('{count, number} points', { count: score })}</strong></span>
      <svg viewBox="0 0 ${WIDTH} 3" preserveAspectRatio="none" aria-hidden="true"><rect class="heat-0" width="${WIDTH}" height="3"/>
        <rect${color ? html` fill="${color}"` : html` class="chart-calls"`} width="${Math.max(0, Math.round((score / most) * WIDTH))}" height="3"/></svg></li>`,
  )}</ol>`
}

/** The colour of a house, beside its name. */
export const dotOf = (color: string | null): Html =>
  html`<svg class="dot" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5"${
    color ? html` fill="${color}"` : html` class="chart-calls"`
  }/></svg>`
