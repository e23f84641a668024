import { knownTimeZone } from '@campus/engine/base/time-zones'
import { shownIn } from '@campus/engine/base/zoned-times'
import { csvRow } from '@campus/engine/rest/export/csv'
import {
  type AtRisk,
  completionOf,
  type DayOfResults,
  evaluationsOf,
  peopleAtRisk,
  poolsOf,
  presenceOf,
  RISK_DAYS,
} from '../../school/domain/school/campus-dashboard.ts'
import { type Answer, ask } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { barChart, HOURS, heatMap, sum } from '../charts.ts'
import { card, empty, table } from '../components.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { downloadCsv, type PersonPageContext, page, pageContent, recordId } from '../page.ts'
import { dateOf, monthOf, shortDay } from '../times.ts'

const PATH = '/staff/campuses/:id'
const RISK_SHOWN = 100
const MAX_EXPORTED = 20_000

type Campus = Answer<'/v2/campus/{id}'>

const askedOf = (context: PersonPageContext) => ({
  campusId: recordId(context),
  now: context.dependencies.clock.now(),
})

const timeZoneOf = ({ dependencies: { config } }: PersonPageContext, campus: Campus) =>
  knownTimeZone(campus.time_zone) ?? config.timeZone

const dashboard = page({
  path: PATH,
  access: 'staff',
  async show(context) {
    const { database } = context.dependencies
    const { campusId: id } = askedOf(context)
    const campus = await ask(context, '/v2/campus/{id}', { path: { id } })
    const asked = { ...askedOf(context), timeZone: timeZoneOf(context, campus.value) }
    return pageContent(
      say('Dashboard of {campus}', { campus: campus.value.name }),
      html`
      <div class="actions"><a class="button second" href="/campuses/${id}">${say('Who is here')}</a>
        <a class="button second" href="/staff/campuses/${id}/pools">${say('Pools')}</a>
        <a class="button second" href="/staff/campuses/${id}/not-seen">${say('Not seen for {days, number} days', { days: RISK_DAYS })}</a>
        <a class="button second" href="/staff/seats/${id}">${say('Plans and screens')}</a>
        <a class="button second" href="/staff/records/campus/${id}">${say('Settings')}</a></div>
      ${card(say('Present by the hour'), await presenceMap(context, asked))}
      <div class="grid large">
        ${card(say('Evaluations'), resultsChart(await evaluationsOf(database, asked), say('Evaluations of the last {days, number} days', { days: DAYS }), say('filled in'), say('not filled in')))}
        ${card(say('Projects marked'), resultsChart(await completionOf(database, asked), say('Projects marked in the last {days, number} days', { days: DAYS }), say('validated'), say('failed')))}
      </div>
      <p class="quiet">${sayWith('Days and hours are those of the campus: {zone}.', { zone: html`<span translate="no">${asked.timeZone}</span>` })}</p>`,
      { trail: [{ path: `/campuses/${id}`, label: campus.value.name }] },
    )
  },
})

const pools = page({
  path: `${PATH}/pools`,
  access: 'staff',
  async show(context) {
    const { campusId: id } = askedOf(context)
    const campus = await ask(context, '/v2/campus/{id}', { path: { id } })
    return pageContent(say('Pools'), html`<div class="card">${await poolTable(context, campus.value)}</div>`, {
      trail: [{ path: `/staff/campuses/${id}`, label: say('Dashboard of {campus}', { campus: campus.value.name }) }],
    })
  },
})

const risk = page({
  path: `${PATH}/not-seen`,
  access: 'staff',
  async show(context) {
    const asked = askedOf(context)
    const campus = await ask(context, '/v2/campus/{id}', { path: { id: asked.campusId } })
    const people = await peopleAtRisk(context.dependencies.database, { ...asked, limit: RISK_SHOWN })
    const path = `/staff/campuses/${asked.campusId}`
    return pageContent(
      say('Not seen for {days, number} days', { days: RISK_DAYS }),
      html`
      ${people.length === 0 ? '' : html`<div class="actions"><a class="button second" href="${path}/not-seen.csv" download>${say('All of them as CSV')}</a></div>`}
      <div class="card">${riskTable(context, people)}</div>`,
      { trail: [{ path, label: say('Dashboard of {campus}', { campus: campus.value.name }) }] },
    )
  },
})

const notSeen = page({
  path: `${PATH}/not-seen.csv`,
  access: 'staff',
  async show(context) {
    const { database } = context.dependencies
    const people = await peopleAtRisk(database, { ...askedOf(context), limit: MAX_EXPORTED })
    return downloadCsv('not-seen.csv', rowsOf(people))
  },
})

export const CAMPUS_DASHBOARD = [...dashboard, ...pools, ...risk, ...notSeen]

async function* rowsOf(people: readonly AtRisk[]) {
  yield csvRow(['login', 'name', 'last_seen_at'])
  for (const { login, displayname, seen_at } of people) yield csvRow([login, displayname, seen_at?.toISOString() ?? ''])
}

const DAYS = 28

async function presenceMap(context: PersonPageContext, asked: Parameters<typeof presenceOf>[1]): Promise<Html> {
  const { hours } = await presenceOf(context.dependencies.database, asked)
  const shown = hours.map(({ at, present }) => ({ ...shownIn(asked.timeZone, at), present }))
  const days = Map.groupBy(shown, ({ day }) => day)
  const most = Math.max(0, ...hours.map(({ present }) => present))
  return heatMap({
    summary: say('People at the computers at the end of each hour, {most, number} at most', { most }),
    by: say('Day'),
    columns: HOURS,
    labelEvery: 3,
    rows: [...days].map(([day, ofDay]) => {
      const byHour = new Map(ofDay.map(({ time, present }) => [time.slice(0, 2), present]))
      return { label: shortDay(day), values: HOURS.map((hour) => byHour.get(hour.slice(0, 2)) ?? 0) }
    }),
  })
}

function resultsChart(days: readonly DayOfResults[], summary: string, good: string, bad: string): Html {
  const [goods, bads] = [sum(days.map((one) => one.good)), sum(days.map((one) => one.bad))]
  if (goods + bads === 0) return empty(say('Nothing in the last weeks.'))
  return barChart({
    summary: say('{name}: {value}', { name: summary, value: `${goods} ${good}, ${bads} ${bad}` }),
    by: say('Day'),
    labelEvery: 7,
    keys: [
      { name: 'refused', heading: bad, text: bad },
      { name: 'calls', heading: good, text: good },
    ],
    columns: days.map((one) => ({ label: shortDay(one.day), title: shortDay(one.day), values: [one.bad, one.good] })),
  })
}

async function poolTable(context: PersonPageContext, campus: Campus): Promise<Html> {
  const asked = { ...askedOf(context), timeZone: timeZoneOf(context, campus) }
  const pools = await poolsOf(context.dependencies.database, asked)
  if (pools.length === 0) return empty(say('Nobody came to a pool of the last two years.'))
  return table(
    say('Pools'),
    [say('Pool'), say('People'), say('In a cursus now')],
    pools.map(({ year, month, people, stayed }) => [
      monthOf(month, year),
      say('{count, number}', { count: people }),
      say('{stayed, number} ({share, number} %)', { stayed, share: Math.round((stayed / people) * 100) }),
    ]),
  )
}

const riskTable = (context: PersonPageContext, people: readonly AtRisk[]): Html =>
  people.length === 0
    ? empty(say('Everybody who takes part in a cursus was here.'))
    : table(
        say('Not seen'),
        [say('Name'), say('Last seen')],
        people.map((one) => [
          html`<a class="face" href="/staff/users/${one.id}">${avatar(one)}${one.displayname}</a>`,
          one.seen_at ? dateOf(context, one.seen_at) : say('never'),
        ]),
      )
