import { type ApiAnswer, ask } from '../ask.ts'
import { avatar, type Face } from '../avatar.ts'
import { badge } from '../badge.ts'
import { list } from '../card.ts'
import { type Html, html } from '../html.ts'
import type { PersonPageContext } from '../page-context.ts'
import { say } from '../say.ts'
import { dateOf } from '../times.ts'
import { pathOfPerson } from './parts.ts'

type Evaluation = {
  readonly id: number
  readonly final_mark: number | null
  readonly filled_at: string
  readonly corrector: Face | string
  readonly correcteds: readonly Face[] | string
  readonly flag: { readonly name: string; readonly positive: boolean }
  readonly team: { readonly project_id: number }
  readonly scale: { readonly name: string }
}
export type PastEvaluations = ApiAnswer<readonly Evaluation[]>
type Side = 'as_corrector' | 'as_corrected'

const SHOWN = 5

/** The evaluations that somebody gave or received last, and how many there are in all. */
export const pastEvaluations = (context: PersonPageContext, userId: number, side: Side): Promise<PastEvaluations> =>
  ask(context, `/v2/users/:user_id/scale_teams/${side}`, {
    params: { user_id: userId },
    query: { 'filter[filled]': 'true', sort: '-filled_at', per_page: SHOWN },
  })

/** Each with the other side, the project and the mark. */
export const evaluationList = (context: PersonPageContext, { value }: PastEvaluations, side: Side): Html =>
  list(value, '', ({ team, scale, corrector, correcteds, final_mark, flag, filled_at }) => ({
    title: html`<span class="row"><span><a href="/projects/${team.project_id}">${scale.name}</a></span>
      <span>${flag.positive ? '' : badge('bad', flag.name)} <strong>${final_mark ?? ''}</strong></span></span>`,
    more: html`${dateOf(context, new Date(filled_at))} ${facesOf([side === 'as_corrector' ? correcteds : corrector].flat())}`,
  }))

/** A side that is not to be known yet is a word. */
const facesOf = (people: readonly (Face | string)[]): Html =>
  html`${people
    .filter((one) => typeof one !== 'string')
    .map((one) => html`<a class="face" href="${pathOfPerson(one.login)}">${avatar(one)}${one.login}</a> `)}`

export const evaluationCount = ({ total }: PastEvaluations): string =>
  say('{count, plural, one {# evaluation} other {# evaluations}}', { count: total })
