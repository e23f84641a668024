import { evaluationSeconds } from '../../domain/bookings.ts'
import { notFound } from '../../errors.ts'
import { empty } from '../empty.ts'
import { csrfField, errorSummary } from '../fields.ts'
import { type Html, html } from '../html.ts'
import { formPage, redirectTo, view } from '../page.ts'
import { recordId } from '../record-id.ts'
import { say } from '../say.ts'
import { dayOf, hourOf, shortDay, weekDay } from '../times.ts'
import type { PersonsVisit } from '../visit.ts'
import { asTheApiSays } from './as-the-api-says.ts'
import { ask, send } from './ask.ts'
import { beginsOf } from './begins.ts'

type Team = { readonly id: number; readonly name: string; readonly project_id: number }
type Slot = { readonly begin_at: string }

const PATH = '/evaluations/teams/:id'
const DAYS_AHEAD = 15
const DAY_MS = 86_400_000
/** A page of the API's largest size. */
const SLOTS_A_PAGE = 100

const labels = () => ({
  begin_at: say('This time'),
  team_id: say('The team'),
  user_id: say('The corrector'),
  scale_id: say('The scale'),
})

/** /evaluations/teams/:id: times at which others offer to evaluate a team of one's own, to book one. */
export const booking = formPage({
  path: PATH,
  access: 'signed-in',
  async show(visit, state) {
    const { database } = visit.dependencies
    const team = await ownTeam(visit)
    const slots = await slotsFor(visit, team)
    const seconds = (await evaluationSeconds(database, team.id)) ?? 0
    const begins = beginsOf(slots.value, seconds)
    const last = slots.value.at(-1)
    return view(
      say('Book an evaluation of {team}', { team: team.name }),
      html`
      ${errorSummary(state.errors, labels())}
      <p>${say('Choose when it begins. It takes {minutes, plural, one {# minute} other {# minutes}}; who evaluates you is drawn among those who offer that time, and told a quarter of an hour before.', { minutes: Math.round(seconds / 60) })}</p>
      ${
        begins.length === 0
          ? empty(say('Nobody offers time for this project now. Look again later.'), {
              path: '/evaluations',
              label: say('Back to evaluations'),
            })
          : html`<form method="post" action="/evaluations/teams/${team.id}">${csrfField(visit)}${daysOf(visit, begins)}</form>`
      }
      ${
        last && slots.total > slots.value.length
          ? html`<p><a href="/evaluations/teams/${team.id}?from=${encodeURIComponent(last.begin_at)}">${say('Later times')}</a></p>`
          : ''
      }
      ${asTheApiSays(slots)}`,
    )
  },
  async submit(visit, form) {
    const body = { scale_team: { team_id: recordId(visit), begin_at: form.text('begin_at') } }
    await send(visit, { method: 'POST', path: '/v2/scale_teams', body })
    return redirectTo('/evaluations', { notice: say('The evaluation is booked.') })
  },
})

/** Teams that somebody is in, and no others. Throws 404. */
async function ownTeam(visit: PersonsVisit): Promise<Team> {
  const { value } = await ask<readonly Team[]>(visit, '/v2/me/teams', { query: { 'filter[id]': recordId(visit) } })
  if (!value[0]) throw notFound(say('You are in no such team.'))
  return value[0]
}

/** Those that the API says are free, from the time that the address asks for. */
function slotsFor(visit: PersonsVisit, { project_id }: Team) {
  const now = visit.dependencies.clock.now()
  const asked = new Date(visit.query.text('from'))
  const from = Number.isNaN(asked.getTime()) || asked < now ? now : asked
  const until = new Date(now.getTime() + DAYS_AHEAD * DAY_MS)
  return ask<readonly Slot[]>(visit, '/v2/projects/:project_id/slots', {
    params: { project_id },
    query: {
      'range[begin_at]': `${from.toISOString()},${until.toISOString()}`,
      sort: 'begin_at',
      per_page: SLOTS_A_PAGE,
    },
  })
}

/** A line of buttons for each day. */
const daysOf = (visit: PersonsVisit, begins: readonly Date[]): Html =>
  html`${[...Map.groupBy(begins, (begin) => dayOf(visit, begin))].map(
    ([day, ofDay]) => html`
  <section class="card"><h2>${weekDay(day)} ${shortDay(day)}</h2>
    <ul class="chips">${ofDay.map(
      (begin) =>
        html`<li><button class="second" name="begin_at" value="${begin.toISOString()}" aria-label="${weekDay(day)} ${shortDay(day)} ${hourOf(visit, begin)}">${hourOf(visit, begin)}</button></li>`,
    )}</ul></section>`,
  )}`
