import type { Item } from '../ask.ts'
import { type Html, html, say } from '../html.ts'
import { dotOf, shares } from './shares.ts'

/** Houses that stand against each other, the first with the most points. */
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
