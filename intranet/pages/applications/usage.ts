import { callsByHour } from '../../oauth/call-counts.ts'
import { OTHER_ROUTES } from '../../oauth/call-tally.ts'
import { NO_ROUTE } from '../../oauth/count-calls.ts'
import {
  type DayOfUsage,
  latestRefusals,
  OUTCOMES,
  type Outcome,
  type RouteUsage,
  USAGE_DAYS,
  type UsageOf,
  usageByDay,
  usageByRoute,
} from '../../oauth/usage.ts'
import { barChart, callsChart, HOURS, heatMap, sum } from '../charts.ts'
import { badge, empty, figures, table } from '../components.ts'
import { chosenOf, filterForm } from '../filter-form.ts'
import { type Html, html, say } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { shortDay, timeOf } from '../times.ts'

const ROUTES_SHOWN = 15
const ROUTES_CHOSEN = 100
const REFUSALS_SHOWN = 20

const OUTCOME_TEXTS: Readonly<Record<Outcome, () => string>> = {
  answered: () => say('answered'),
  refused: () => say('refused (4xx)'),
  failed: () => say('failed (5xx)'),
}

type Rated = { readonly id: number; readonly ratePerSecond: number; readonly ratePerHour: number }

/** Matches the interval at which calls are counted. */
export const USAGE_IS_LIVE = { tables: [], seconds: 10 } as const

export async function usageOf(context: PageContext, application: Rated): Promise<Html> {
  const { database, clock } = context.dependencies
  const now = clock.now()
  const all: UsageOf = { applicationId: application.id, now, timeZone: context.timeZone }
  const routes = await usageByRoute(database, all, ROUTES_CHOSEN)
  const route = chosenOf(
    context,
    'route',
    routes.map((one) => one.route),
  )
  const outcome = chosenOf(context, 'outcome', OUTCOMES)
  const filter = { ...all, route, outcome }
  const isFiltered = route !== undefined || outcome !== undefined
  const hours = await callsByHour(database, application.id, { now, hours: 24 })
  return html`
  <div data-refresh="calls" data-watch="page">${await atAGlance(context, application, await usageByDay(database, all))}
  <h2>${say('Calls')}</h2>
  ${callsChart(context, hours)}</div>
  <h2 id="usage">${say('The last {days} days', { days: USAGE_DAYS })}</h2>
  ${
    routes.length === 0
      ? empty(say('No calls yet. They are counted every ten seconds.'))
      : html`
  ${filterForm(context, say('Calls to show'), [
    {
      name: 'route',
      label: say('Path'),
      choices: routes.map((one) => ({ value: one.route, label: routeText(one.route) })),
    },
    {
      name: 'outcome',
      label: say('Status'),
      choices: OUTCOMES.map((value) => ({ value, label: OUTCOME_TEXTS[value]() })),
    },
  ])}
  <div data-refresh="usage">${byDayAndHour(await usageByDay(database, filter))}
  <h3>${say('By path and status')}</h3>
  ${routeTable((isFiltered ? await usageByRoute(database, filter, ROUTES_SHOWN) : routes).slice(0, ROUTES_SHOWN))}</div>`
  }
  <h2 id="refusals">${say('Recent refusals')}</h2>
  <div data-refresh="refusals">${await refusalTable(context, application.id)}</div>`
}

async function atAGlance(
  { dependencies: { limits } }: PageContext,
  application: Rated,
  days: readonly DayOfUsage[],
): Promise<Html> {
  const rate = await limits.look(application)
  const all = (outcome: Outcome) => sum(days.map(({ byOutcome }) => byOutcome[outcome]))
  const number = (value: number) => say('{value, number}', { value })
  return html`<section class="card" aria-label="${say('At a glance')}">${figures([
    {
      value: number(rate.hourlyRemaining),
      label: say('calls remain this hour, of {limit, number}', { limit: rate.hourlyLimit }),
    },
    {
      value: number(rate.secondlyRemaining),
      label: say('of {limit, plural, one {# call} other {# calls}} left in this second', { limit: rate.secondlyLimit }),
    },
    { value: number(sum(OUTCOMES.map(all))), label: say('calls in {days} days', { days: days.length }) },
    { value: number(all('refused')), label: say('refused (4xx)') },
    { value: number(all('failed')), label: say('failed (5xx)') },
  ])}</section>`
}

function byDayAndHour(days: readonly DayOfUsage[]): Html {
  const calls = sum(days.flatMap(({ byHour }) => byHour))
  if (calls === 0) return html`<p class="quiet">${say('There are no such calls.')}</p>`
  const summary = say('{calls, plural, one {# call} other {# calls}} in the last {days} days', {
    calls,
    days: days.length,
  })
  return html`
  <div class="grid large">
    <section class="card"><h3>${say('By status')}</h3>${barChart({
      summary,
      by: say('Day'),
      labelEvery: 3,
      keys: [
        { name: 'refused', heading: say('Refused'), text: OUTCOME_TEXTS.refused() },
        { name: 'waiting', heading: say('Failed'), text: OUTCOME_TEXTS.failed() },
        { name: 'calls', heading: say('Answered'), text: OUTCOME_TEXTS.answered() },
      ],
      columns: days.map(({ day, byOutcome }) => ({
        label: shortDay(day),
        title: day,
        values: [byOutcome.refused, byOutcome.failed, byOutcome.answered],
      })),
    })}</section>
    <section class="card"><h3>${say('By hour')}</h3>${heatMap({
      summary,
      by: say('Day'),
      columns: HOURS,
      labelEvery: 3,
      rows: days.map(({ day, byHour }) => ({ label: shortDay(day), values: byHour })),
    })}</section>
  </div>`
}

const routeTable = (routes: readonly RouteUsage[]): Html =>
  table(
    say('Calls by path'),
    [say('Path'), say('Calls'), say('Status')],
    routes.map(({ route, made, byStatus }) => [
      html`<span class="code">${routeText(route)}</span>`,
      say('{made, number}', { made }),
      html`<span>${byStatus.map(({ status, made }) => html`${statusBadge(status, say('{status} · {made, number}', { status: String(status), made }))} `)}</span>`,
    ]),
  )

const statusBadge = (status: number, text = String(status)): Html =>
  badge(status < 400 ? 'good' : status < 500 ? 'bad' : 'waiting', text)

async function refusalTable(context: PageContext, applicationId: number): Promise<Html> {
  const refusals = await latestRefusals(context.dependencies.database, applicationId, REFUSALS_SHOWN)
  if (refusals.length === 0) return empty(say('Nothing was refused lately.'))
  return table(
    say('Recent refusals'),
    [say('When'), say('Status'), say('Why'), say('Path')],
    refusals.map(({ created_at, status, reason, route }) => [
      timeOf(context, created_at),
      statusBadge(status),
      reasonText(reason),
      html`<span class="code">${routeText(route)}</span>`,
    ]),
  )
}

/** Names the counters that are not for a route pattern. */
function routeText(route: string): string {
  if (route === NO_ROUTE) return say('addresses that there are not')
  return route === OTHER_ROUTES ? say('other paths') : route
}

const REASONS: Readonly<Record<string, () => string>> = {
  second: () => say('over the rate of a second'),
  hour: () => say('over the rate of an hour'),
  scope: () => say('the token lacks a scope'),
  role: () => say('the application lacks a role'),
  rule: () => say('a rule forbids it'),
  record: () => say('there is no such record'),
  route: () => say('there is no such address'),
  method: () => say('the address takes other methods'),
  malformed: () => say('the request cannot be read'),
  invalid: () => say('a value breaks a rule'),
  conflict: () => say('the same request is under way'),
  representation: () => say('no such representation'),
  content_type: () => say('no such content type'),
  size: () => say('the body is too large'),
  time: () => say('the body took too long'),
}

const reasonText = (reason: string): string => REASONS[reason]?.() ?? reason.replaceAll('_', ' ')
