import { HttpError } from '@campus/engine/errors'
import type { Offer } from '../../school/domain/evaluations/offers.ts'
import { offersToCome } from '../../school/domain/school/agenda.ts'
import { apiPreview } from '../api-preview.ts'
import { ask, type Item, send } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { badge, card, empty, list } from '../components.ts'
import { buttonForm, errorSummary } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import { formPage, type PersonPageContext, pageContent, redirectTo } from '../page.ts'
import { hourOf, timeOf } from '../times.ts'
import { offer, offerForm, offerLabels } from './offer-form.ts'
import { beginOf, type Participants, peopleOn } from './participants.ts'
import { pathOfPerson } from './parts.ts'

const PATH = '/evaluations'
const SHOWN = 100
/** Quarters of an hour in two weeks, the period for offers. */
const MAX_WITHDRAWN = 1_344

type Evaluation = Item<'/v2/me/scale_teams/as_corrector'>

export const evaluations = formPage({
  path: PATH,
  access: 'signed-in',
  async show(context, state) {
    const soon = { 'filter[future]': true, sort: 'begin_at', per_page: SHOWN } as const
    const slots = await ask(context, '/v2/me/slots', { query: soon })
    const { database, clock } = context.dependencies
    const offered = await offersToCome(database, { userId: context.person.id, now: clock.now(), limit: SHOWN })
    const given = await ask(context, '/v2/me/scale_teams/as_corrector', { query: soon })
    const received = await ask(context, '/v2/me/scale_teams/as_corrected', { query: soon })
    const due = await ask(context, '/v2/me/scale_teams/as_corrector', {
      query: { 'filter[filled]': false, 'filter[future]': false, sort: 'begin_at', per_page: SHOWN },
    })
    const teams = await ask(context, '/v2/me/teams', {
      query: { 'filter[status]': ['waiting_for_correction'], sort: '-closed_at', per_page: SHOWN },
    })
    return pageContent(
      say('Evaluations'),
      html`
      ${errorSummary(state.errors, offerLabels())}
      ${
        due.value.length === 0
          ? ''
          : card(
              say('To fill in'),
              list(due.value, '', (one) => ({
                title: html`<span class="row"><span>${one.scale.name}</span><a class="button" href="${PATH}/${one.id}" aria-label="${say('Fill in {evaluation}', { evaluation: one.scale.name })}">${say('Fill in')}</a></span>`,
                more: html`${beginOf(context, one)} · ${withWhom(one.correcteds)}`,
              })),
            )
      }
      <div class="grid large">
        ${card(say('To come'), evaluationsToCome(context, given.value, received.value))}
        ${card(
          say('Teams of yours that wait for an evaluation'),
          list(
            teams.value,
            say('No team of yours waits for an evaluation. Close the team of a project to have it evaluated.'),
            (team) => ({
              title: html`<span class="row"><a href="${PATH}/teams/${team.id}">${team.name}</a>
              <a class="button second" href="${PATH}/teams/${team.id}" aria-label="${say('Book an evaluation of {team}', { team: team.name })}">${say('Book an evaluation')}</a></span>`,
              more: html`${say('{count, plural, =0 {none booked yet} one {# booked or done} other {# booked or done}}', { count: team.scale_teams.length })}`,
            }),
          ),
        )}
        ${card(say('Time you offer'), offers(context, offered))}
        ${card(say('Offer time'), offerForm(context, state, PATH))}
      </div>
      ${apiPreview(slots, given, received, due, teams)}`,
    )
  },
  async submit(context, form) {
    switch (form.text('wish')) {
      case 'withdraw':
        await withdraw(context, form.text('slots').split(',').slice(0, MAX_WITHDRAWN))
        return redirectTo(PATH, { notice: say('You do not offer that time any more.') })
      default:
        await offer(context, form)
        return redirectTo(PATH, { notice: say('You offer that time now.') })
    }
  },
})

/** Skips slots that are deleted already, as by a second click. */
async function withdraw(context: PersonPageContext, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    try {
      await send(context, 'DELETE', '/v2/slots/{id}', { path: { id } })
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 404)) throw error
    }
  }
}

const spanOf = (context: PersonPageContext, { begin_at, end_at }: Offer) =>
  html`${timeOf(context, begin_at)} – ${hourOf(context, end_at)}`

const offers = (context: PersonPageContext, found: readonly Offer[]): Html =>
  list(
    found,
    say('You offer none. Each evaluation earns you a point, with which your own teams are evaluated.'),
    (offer) => ({
      title: html`<span class="row"><span>${spanOf(context, offer)} ${offer.isBooked ? badge('waiting', say('booked')) : badge('good', say('free'))}</span>
      ${
        offer.isBooked
          ? ''
          : buttonForm(context, PATH, say('Take back'), {
              kind: 'second',
              fields: { wish: 'withdraw', slots: offer.ids.join(',') },
            })
      }</span>`,
    }),
  )

function evaluationsToCome(
  context: PersonPageContext,
  given: readonly Evaluation[],
  received: readonly Evaluation[],
): Html {
  const all = [
    ...given.map((one) => ({ ...one, isCorrector: true })),
    ...received.map((one) => ({ ...one, isCorrector: false })),
  ].toSorted((one, other) => (one.begin_at ?? '').localeCompare(other.begin_at ?? ''))
  if (all.length === 0) return empty(say('No evaluation is booked.'))
  return list(all, '', ({ id, begin_at, isCorrector, scale, corrector, correcteds }) => ({
    title: html`<span class="row"><span><a href="${PATH}/${id}">${scale.name}</a>
      ${isCorrector ? badge('note', say('you evaluate')) : badge('waiting', say('you are evaluated'))}</span>
      ${buttonForm(context, `${PATH}/${id}`, say('Cancel'), { kind: 'danger', fields: { wish: 'cancel' } })}</span>`,
    more: html`${beginOf(context, { begin_at })} · ${withWhom(isCorrector ? correcteds : corrector)}`,
  }))
}

function withWhom(side: Participants): Html | string {
  if (side === 'invisible') return say('with whom: shown a quarter of an hour before')
  if (peopleOn(side).length === 0) return say('nobody')
  return html`${peopleOn(side).map(({ login }, index) => html`${index > 0 ? ', ' : ''}<a class="face" href="${pathOfPerson(login)}">${avatar({ login })}${login}</a>`)}`
}
