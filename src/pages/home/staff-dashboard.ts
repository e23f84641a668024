import {
  type DayOfLogins,
  evaluationsToday,
  loginsByHour,
  newestCloses,
  onlineByCampus,
} from '../../domain/school-now.ts'
import { callsByDay, type DayOfCalls } from '../../oauth/call-counts.ts'
import { type EndpointOverview, endpointOverviews } from '../../webhooks/overview.ts'
import { badge } from '../badge.ts'
import { bars, count, sum } from '../bars.ts'
import { CALL_KEYS } from '../chart.ts'
import { figures } from '../figures.ts'
import { heatMap } from '../heat-map.ts'
import { type Html, html } from '../html.ts'
import { shortDay, timeOf } from '../times.ts'
import type { PersonsVisit } from '../visit.ts'
import { card, list } from './own-dashboard.ts'

const DAYS = 7
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
const SHOWN = 5

/** How it goes at the school, and what needs somebody. It costs a few sums, whatever the size of the school. */
export async function staffDashboard(visit: PersonsVisit): Promise<Html> {
  const { database, clock, config } = visit.dependencies
  const now = clock.now()
  const span = { now, days: DAYS, timeZone: config.timeZone }
  const online = await onlineByCampus(database)
  const evaluations = await evaluationsToday(database, now, config.timeZone)
  const endpoints = await endpointOverviews(database)
  const calls = await callsByDay(database, span)
  const logins = await loginsByHour(database, span)
  return html`
  ${decisions(endpoints)}
  <section class="card" aria-label="At a glance">${figures([
    { value: sum(online.map((campus) => campus.online)), label: 'logged in now' },
    { value: sum(calls.slice(-1).map(({ made }) => made)), label: 'calls today' },
    { value: `${evaluations.begun} of ${evaluations.begun + evaluations.toCome}`, label: 'evaluations of today begun' },
    { value: sum(endpoints.map(({ pending }) => pending)), label: 'webhooks waiting', path: '/staff/endpoints' },
  ])}</section>
  <div class="grid large">
    ${card(
      'Logged in now',
      list(online, 'Nobody is.', ({ name, online }) => ({
        title: html`<span class="row"><span>${name}</span><strong>${online}</strong></span>`,
      })),
    )}
    ${card(
      'Newest closes',
      list(await newestCloses(database, SHOWN), 'No account was closed.', (close) => ({
        title: html`<a href="/staff/users/${close.user_id}">${close.login}</a> ${close.state === 'close' ? badge('bad', 'stands') : badge('quiet', 'lifted')}`,
        more: html`${close.kind}: ${close.reason} · ${timeOf(visit, close.created_at)}`,
      })),
    )}
    ${card('Logins of the week', loginsMap(logins))}
    ${card('Calls of the week', callsOf(calls))}
  </div>`
}

const loginsMap = (logins: readonly DayOfLogins[]): Html =>
  heatMap({
    summary: `${count(sum(logins.flatMap(({ hours }) => hours)), 'login')} in the last ${DAYS} days, by the hour`,
    by: 'Day',
    columns: HOURS,
    labelEvery: 3,
    rows: logins.map(({ day, hours }) => ({ label: shortDay(day), values: hours })),
  })

function callsOf(calls: readonly DayOfCalls[]): Html {
  const [made, refused] = [sum(calls.map((day) => day.made)), sum(calls.map((day) => day.refused))]
  if (made === 0) return html`<p class="quiet">No calls in the last ${DAYS} days.</p>`
  const share = Math.round((refused / made) * 1000) / 10
  return bars({
    summary: `${count(made, 'call')} in the last ${DAYS} days, ${share} % of them refused`,
    by: 'Day',
    labelEvery: 1,
    keys: CALL_KEYS,
    columns: calls.map((one) => ({
      label: shortDay(one.day),
      title: one.day,
      values: [one.refused, one.made - one.refused],
    })),
  })
}

/** What goes on until somebody decides. */
function decisions(endpoints: readonly EndpointOverview[]): Html {
  const nameOf = ({ campuses, id }: EndpointOverview) => campuses.join(', ') || `Endpoint ${id}`
  const link = (one: EndpointOverview) => html`<a href="/staff/endpoints/${one.id}">${nameOf(one)}</a>`
  const open = endpoints.flatMap((one) => [
    ...(one.switchedOffAt && !one.active
      ? [html`The webservice of ${link(one)} was given up: its campuses get no webhooks until somebody switches it on.`]
      : []),
    ...(one.active && one.failingSince
      ? [html`The webservice of ${link(one)} answers with nothing but failures.`]
      : []),
    ...(one.active && one.dead > 0
      ? [html`Of the webservice of ${link(one)}, ${count(one.dead, 'delivery', 'deliveries')} may be replayed.`]
      : []),
  ])
  if (open.length === 0) return html`<p>${badge('good', 'All well')} Nothing waits for a decision.</p>`
  return html`<section class="problem" aria-labelledby="decisions"><h2 id="decisions">Needs a decision</h2>
    <ul>${open.map((line) => html`<li>${line}</li>`)}</ul></section>`
}
