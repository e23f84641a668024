import { type Answer, type ApiAnswer, ask } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { badge, list } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import type { PersonPageContext } from '../page-context.ts'
import { dateOf } from '../times.ts'
import { type Participants, peopleOn } from './participants.ts'
import { pathOfPerson } from './parts.ts'

type Side = 'as_corrector' | 'as_corrected'
type PastEvaluations = ApiAnswer<Answer<`/v2/users/{user_id}/scale_teams/${Side}`>>

const SHOWN = 5

/** The evaluations that somebody gave or received last, and how many there are in all. */
export const pastEvaluations = (context: PersonPageContext, userId: number, side: Side): Promise<PastEvaluations> =>
  ask(context, `/v2/users/{user_id}/scale_teams/${side}`, {
    path: { user_id: userId },
    query: { 'filter[filled]': true, sort: '-filled_at', per_page: SHOWN },
  })

/** Each with the other side, the project and the mark. */
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
