import { type Answer, type ApiAnswer, ask, type Item } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { badge, list } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import type { PersonPageContext } from '../page-context.ts'
import { dateOf, timeOf } from '../times.ts'
import { pathOfPerson } from './parts.ts'

type Evaluation = Item<'/v2/me/scale_teams/as_corrector'>

/** One side of an evaluation. A missing corrector is `{}`. */
export type Participants = Evaluation['correcteds'] | Evaluation['corrector']

/** Returns nobody while the API hides the people. */
export const peopleOn = (side: Participants) =>
  side === 'invisible'
    ? []
    : [side]
        .flat()
        .flatMap(({ id, login, displayname, image }) =>
          login === undefined ? [] : [{ id, login, displayname, image }],
        )

export const beginOf = (context: PersonPageContext, { begin_at }: Pick<Evaluation, 'begin_at'>): Html =>
  begin_at === null ? html`${say('no time set')}` : timeOf(context, new Date(begin_at))

type Side = 'as_corrector' | 'as_corrected'
type PastEvaluations = ApiAnswer<Answer<`/v2/users/{user_id}/scale_teams/${Side}`>>

const SHOWN = 5

export const pastEvaluations = (context: PersonPageContext, userId: number, side: Side): Promise<PastEvaluations> =>
  ask(context, `/v2/users/{user_id}/scale_teams/${side}`, {
    path: { user_id: userId },
    query: { 'filter[filled]': true, sort: '-filled_at', per_page: SHOWN },
  })

export const evaluationList = (context: PersonPageContext, { value }: PastEvaluations, side: Side): Html =>
  list(value, '', ({ team, scale, corrector, correcteds, final_mark, flag, filled_at }) => ({
    title: html`<span class="row"><span>${team ? html`<a href="/projects/${team.project_id}">${scale.name}</a>` : scale.name}</span>
      <span>${flag.positive ? '' : badge('bad', flag.name)} <strong>${final_mark ?? ''}</strong></span></span>`,
    more: html`${filled_at ? dateOf(context, new Date(filled_at)) : ''} ${facesOf(side === 'as_corrector' ? correcteds : corrector)}`,
  }))

const facesOf = (side: Participants): Html =>
  html`${peopleOn(side).map((one) => html`<a class="face" href="${pathOfPerson(one.login)}">${avatar(one)}${one.login}</a> `)}`

export const evaluationCount = ({ total }: PastEvaluations): string =>
  say('{count, plural, one {# evaluation} other {# evaluations}}', { count: total })
