import { callsByDay, type DayOfCalls } from '../../oauth/call-counts.ts'
import {
  type DayOfLogins,
  evaluationsToday,
  loginsByHour,
  newestCloses,
  onlineByCampus,
} from '../../school/domain/school/dashboard-stats.ts'
import { type EndpointOverview, endpointOverviews } from '../../webhooks/overview.ts'
import { barChart, callKeys, HOURS, heatMap, sum } from '../charts.ts'
import { badge, card, figures, list } from '../components.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import type { PersonPageContext } from '../page-context.ts'
import { closeText } from '../staff/kinds.ts'
import { formatNumber, shortDay, timeOf } from '../times.ts'

const DAYS = 7
const SHOWN = 5

/** Renders the dashboard of staff. It sums stored counts, so its cost does not grow with the school. */
export async function staffDashboard(context: PersonPageContext): Promise<Html> {
  const { database, clock } = context.dependencies
  const now = clock.now()
  const span = { now, days: DAYS, timeZone: context.timeZone }
  const online = await onlineByCampus(database)
  const { begun, toCome } = await evaluationsToday(database, now, context.timeZone)
  const endpoints = await endpointOverviews(database)
  const calls = await callsByDay(database, span)
  const logins = await loginsByHour(database, span)
  return html`
  ${decisions(endpoints)}
  <section class="card" aria-label="${say('At a glance')}">${figures([
    { value: sum(online.map((campus) => campus.online)), label: say('logged in now') },
    { value: sum(calls.slice(-1).map(({ made }) => made)), label: say('calls today') },
    {
      value: say('{begun, number} of {all, number}', { begun, all: begun + toCome }),
      label: say('evaluations of today begun'),
    },
    { value: sum(endpoints.map(({ pending }) => pending)), label: say('webhooks waiting'), path: '/staff/endpoints' },
  ])}</section>
  <div class="grid large">
    ${card(
      say('Logged in now'),
      list(online, say('Nobody is logged in.'), ({ id, name, online }) => ({
        title: html`<span class="row"><a href="/staff/campuses/${id}">${name}</a><strong>${formatNumber(online)}</strong></span>`,
      })),
    )}
    ${card(
      say('Newest closes'),
      list(await newestCloses(database, SHOWN), say('No account was closed.'), (close) => ({
        title: html`<a href="/staff/users/${close.user_id}">${close.login}</a> ${close.state === 'close' ? badge('bad', say('in force')) : badge('quiet', say('lifted'))}`,
        more: html`${say('{kind}: {reason}', { kind: closeText(close.kind), reason: close.reason ?? '' })} · ${timeOf(context, close.created_at)}`,
      })),
    )}
    ${card(say('Logins of the week'), loginsMap(logins))}
    ${card(say('Calls of the week'), callsOf(calls))}
  </div>`
}

const loginsMap = (logins: readonly DayOfLogins[]): Html =>
  heatMap({
    summary: say('{logins, plural, one {# login} other {# logins}} in the last {days, number} days, by the hour', {
      logins: sum(logins.flatMap(({ hours }) => hours)),
      days: DAYS,
    }),
    by: say('Day'),
    columns: HOURS,
    labelEvery: 3,
    rows: logins.map(({ day, hours }) => ({ label: shortDay(day), values: hours })),
  })

function callsOf(calls: readonly DayOfCalls[]): Html {
  const [made, refused] = [sum(calls.map((day) => day.made)), sum(calls.map((day) => day.refused))]
  if (made === 0) return html`<p class="quiet">${say('No calls in the last {days, number} days.', { days: DAYS })}</p>`
  const share = Math.round((refused / made) * 1000) / 10
  return barChart({
    summary: say(
      '{made, plural, one {# call} other {# calls}} in the last {days, number} days, {share, number} % of them refused',
      { made, days: DAYS, share },
    ),
    by: say('Day'),
    labelEvery: 1,
    keys: callKeys(),
    columns: calls.map((one) => ({
      label: shortDay(one.day),
      title: one.day,
      values: [one.refused, one.made - one.refused],
    })),
  })
}

/** Lists problems that last until a person acts. */
function decisions(endpoints: readonly EndpointOverview[]): Html {
  const nameOf = ({ campuses, id }: EndpointOverview) => campuses.join(', ') || say('Endpoint {id}', { id })
  const link = (one: EndpointOverview) => html`<a href="/staff/endpoints/${one.id}">${nameOf(one)}</a>`
  const open = endpoints.flatMap((one) => [
    ...(one.disabledAt && !one.isEnabled
      ? [
          sayWith(
            'The webservice of {campuses} was switched off after it had failed for days: its campuses get no webhooks until somebody switches it on.',
            { campuses: link(one) },
          ),
        ]
      : []),
    ...(one.isEnabled && one.failingSince
      ? [sayWith('The webservice of {campuses} answers with nothing but failures.', { campuses: link(one) })]
      : []),
    ...(one.isEnabled && one.dead > 0
      ? [
          sayWith(
            'Of the webservice of {campuses}, {count, plural, one {# delivery} other {# deliveries}} may be replayed.',
            { campuses: link(one), count: one.dead },
          ),
        ]
      : []),
  ])
  if (open.length === 0) return html`<p>${badge('good', say('All well'))} ${say('Nothing waits for a decision.')}</p>`
  return html`<section class="problem" aria-labelledby="decisions"><h2 id="decisions">${say('Needs a decision')}</h2>
    <ul>${open.map((line) => html`<li>${line}</li>`)}</ul></section>`
}
