import { notFound, unprocessable } from '@campus/engine/errors'
import { type OpenTimes, openTimes } from '../../school/domain/evaluations/bookings.ts'
import { apiPreview } from '../api-preview.ts'
import { ask, type Item, send } from '../ask.ts'
import { empty } from '../components.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { csrfField, errorSummary } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type Form, formPage, type Outcome, pageContent, recordId, redirectTo } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { dayOf, hourOf, shortDay, timeOf, weekDay } from '../times.ts'

type Team = Item<'/v2/me/teams'>

const PATH = '/evaluations/teams/:id'
const DAYS_AHEAD = 15
const DAY_MS = 86_400_000
/** Days of the spans that are searched one after the other. */
const SPANS = [1, 2, 4, 8] as const

const labels = () => ({
  begin_at: say('This time'),
  team_id: say('The team'),
  user_id: say('The corrector'),
  scale_id: say('The scale'),
})

export const booking = formPage({
  path: PATH,
  access: 'signed-in',
  async show(context, state) {
    const team = await ownTeam(context)
    const { begins, durationSeconds, span } = await timesFor(context, team)
    const slots = await ask(context, '/v2/projects/{project_id}/slots', {
      path: { project_id: team.project_id },
      query: { 'range[begin_at]': [span.from.toISOString(), span.until.toISOString()], per_page: 1 },
    })
    const isLast = span.until >= daysAfter(context.dependencies.clock.now(), DAYS_AHEAD)
    return pageContent(
      say('Book an evaluation of {team}', { team: team.name }),
      html`
      ${errorSummary(state.errors, labels())}
      <p>${say('Choose when it begins. It takes {minutes, plural, one {# minute} other {# minutes}}. Your corrector is drawn among those who offer that time and take part in a cursus of the project, and who neither are nor were in the team, nor evaluate it already; you see who it is a quarter of an hour before.', { minutes: Math.round(durationSeconds / 60) })}</p>
      ${
        begins.length === 0
          ? empty(say('Nobody offers time for this project now. Look again later.'), {
              path: '/evaluations',
              label: say('Back to evaluations'),
            })
          : html`<form method="post" action="/evaluations/teams/${team.id}">${csrfField(context)}${daysOf(context, begins)}</form>`
      }
      ${
        isLast
          ? ''
          : html`<p><a href="/evaluations/teams/${team.id}?from=${encodeURIComponent(span.until.toISOString())}">${say('Later times')}</a></p>`
      }
      ${apiPreview(slots)}`,
    )
  },
  async submit(context, form) {
    if (!isConfirmed(form)) return confirmBooking(context, form)
    const body = { scale_team: { team_id: recordId(context), begin_at: form.text('begin_at') } }
    await send(context, 'POST', '/v2/scale_teams', { body })
    return redirectTo('/evaluations', { notice: say('The evaluation is booked.') })
  },
})

async function confirmBooking(context: PersonPageContext, form: Form): Promise<Outcome> {
  const team = await ownTeam(context)
  const begin = new Date(form.text('begin_at'))
  if (Number.isNaN(begin.getTime())) throw unprocessable({ begin_at: ['must be chosen'] })
  return confirmation(context, {
    title: say('Book this evaluation?'),
    text: sayWith(
      '{team} is evaluated on {time}. Each member pays an evaluation point; it can be cancelled until it begins, and the points are not given back.',
      {
        team: html`<strong>${team.name}</strong>`,
        time: html`<strong>${timeOf(context, begin)}</strong>`,
      },
    ),
    fields: { begin_at: begin.toISOString() },
    button: say('Book it'),
  })
}

/** Throws 404 for teams of others. */
async function ownTeam(context: PersonPageContext): Promise<Team> {
  const { value } = await ask(context, '/v2/me/teams', { query: { 'filter[id]': [recordId(context)] } })
  if (!value[0]) throw notFound('You are in no such team.')
  return value[0]
}

type Span = { readonly from: Date; readonly until: Date }

/** Returns the first free times from the requested time on. Widens the span until there are some. */
async function timesFor(context: PersonPageContext, { id }: Team): Promise<OpenTimes & { readonly span: Span }> {
  const { database, clock } = context.dependencies
  const now = clock.now()
  const asked = new Date(context.query.text('from'))
  const isAhead = asked > now && asked < daysAfter(now, DAYS_AHEAD)
  let span: Span = { from: isAhead ? asked : now, until: isAhead ? asked : now }
  let found: OpenTimes = { begins: [], durationSeconds: 0 }
  for (const days of SPANS) {
    span = { from: span.until, until: daysAfter(span.until, days) }
    found = await openTimes(database, id, span, now)
    if (found.begins.length > 0) break
  }
  return { ...found, span }
}

const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * DAY_MS)

const daysOf = (context: PersonPageContext, begins: readonly Date[]): Html =>
  html`${[...Map.groupBy(begins, (begin) => dayOf(context, begin))].map(
    ([day, ofDay]) => html`
  <section class="card"><h2>${weekDay(day)} ${shortDay(day)}</h2>
    <ul class="chips">${ofDay.map(
      (begin) =>
        html`<li><button class="second" name="begin_at" value="${begin.toISOString()}" aria-label="${weekDay(day)} ${shortDay(day)} ${hourOf(context, begin)}">${hourOf(context, begin)}</button></li>`,
    )}</ul></section>`,
  )}`
