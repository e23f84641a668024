import { type Html, html } from '../html.ts'
import { say } from '../say.ts'
import { dotOf, shares } from './shares.ts'

/** A coalition with its points. */
export type Coalition = {
  readonly id: number
  readonly name: string
  readonly color: string | null
  readonly score: number
}

/** Houses that stand against each other, the first with the most points. */
export const ranksOf = (coalitions: readonly Coalition[]): Html =>
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
