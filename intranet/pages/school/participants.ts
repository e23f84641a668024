import type { Item } from '../ask.ts'
import { type Html, html, say } from '../html.ts'
import type { PersonPageContext } from '../page-context.ts'
import { timeOf } from '../times.ts'

type Evaluation = Item<'/v2/me/scale_teams/as_corrector'>

/** One side of an evaluation: the corrected, or the corrector, who is `{}` for nobody. */
export type Participants = Evaluation['correcteds'] | Evaluation['corrector']

/** The people on a side. Empty while the API hides them. */
export const peopleOn = (side: Participants) =>
  side === 'invisible'
    ? []
    : [side]
        .flat()
        .flatMap(({ id, login, displayname, image }) =>
          login === undefined ? [] : [{ id, login, displayname, image }],
        )

/** When an evaluation begins. */
export const beginOf = (context: PersonPageContext, { begin_at }: Pick<Evaluation, 'begin_at'>): Html =>
  begin_at === null ? html`${say('no time set')}` : timeOf(context, new Date(begin_at))
