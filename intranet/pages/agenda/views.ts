import { shownIn } from '@campus/engine/base/zoned-times'
import type { AgendaEntry } from '../../school/domain/school/agenda-between.ts'
import { pathOfEntry, titleOf } from '../calendar-text.ts'
import { badge, empty } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { dayOf, hourOf, monthName, plainTime, shortDay, weekDay } from '../times.ts'
import type { Shown, View } from './span.ts'

type Drawing = (context: PageContext, shown: Shown, entries: readonly AgendaEntry[]) => Html

const HALF_HOURS = 48
/** Half hours that a week always shows. */
const [MORNING, EVENING] = [16, 44]
const MAX_A_DAY = 4

const week: Drawing = (context, { days }, entries) => {
  const rowOf = ({ begin_at }: AgendaEntry) => {
    const { day, time } = shownIn(context.timeZone, begin_at)
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    return day < (days[0] ?? '') ? 0 : hours * 2 + Math.floor(minutes / 30)
  }
  const rows = entries.map(rowOf)
  const first = Math.max(0, Math.min(MORNING, ...rows))
  const last = Math.min(HALF_HOURS - 1, Math.max(EVENING, ...rows))
  const cells = new Map([...byDay(context, entries, days)].map(([day, of]) => [day, Map.groupBy(of, rowOf)]))
  return html`
  <div class="scroll" tabindex="0" role="group" aria-label="${say('Week')}">
  <table class="calendar week" aria-label="${say('Week')}" data-offers>
    <thead><tr><td></td>${days.map((day) => headOf(context, day))}</tr></thead>
    <tbody>${Array.from({ length: last - first + 1 }, (_, index) => first + index).map(
      (row) => html`
      <tr>${row % 2 === 0 ? html`<th scope="row" rowspan="${row === last ? 1 : 2}">${timeOfRow(row)}</th>` : ''}${days.map(
        (day) =>
          html`<td data-day="${day}" data-time="${timeOfRow(row)}">${(cells.get(day)?.get(row) ?? []).map((entry) => chipOf(context, entry))}</td>`,
      )}</tr>`,
    )}</tbody>
  </table></div>`
}

const timeOfRow = (row: number) => `${String(Math.floor(row / 2)).padStart(2, '0')}:${row % 2 === 0 ? '00' : '30'}`

const headOf = (context: PageContext, day: string): Html =>
  html`<th scope="col"${isToday(context, day) ? html` aria-current="date"` : ''}>${weekDay(day)} ${shortDay(day)}</th>`

const isToday = (context: PageContext, day: string) => day === dayOf(context, context.dependencies.clock.now())

const month: Drawing = (context, { days, day: asked }, entries) => {
  const found = byDay(context, entries, days)
  const weeks = Array.from({ length: days.length / 7 }, (_, index) => days.slice(index * 7, index * 7 + 7))
  return html`
  <div class="scroll" tabindex="0" role="group" aria-label="${say('Month')}">
  <table class="calendar month" aria-label="${monthName(asked)}">
    <thead><tr>${(weeks[0] ?? []).map((day) => html`<th scope="col">${weekDay(day)}</th>`)}</tr></thead>
    <tbody>${weeks.map(
      (one) => html`
      <tr>${one.map((day) => {
        const of = found.get(day) ?? []
        return html`<td class="${day.slice(0, 7) === asked.slice(0, 7) ? '' : 'other'}"${isToday(context, day) ? html` aria-current="date"` : ''}>
        <a class="day" href="/agenda?view=week&amp;day=${day}" aria-label="${shortDay(day)}">${Number(day.slice(8))}</a>
        ${of.slice(0, MAX_A_DAY).map((entry) => chipOf(context, entry))}
        ${of.length > MAX_A_DAY ? html`<a class="quiet small" href="/agenda?view=list&amp;day=${day}">${say('{count, number} more', { count: of.length - MAX_A_DAY })}</a>` : ''}</td>`
      })}</tr>`,
    )}</tbody>
  </table></div>`
}

/** Lists day after day, for phones and screen readers. */
const list: Drawing = (context, { days }, entries) =>
  entries.length === 0
    ? empty(say('Nothing takes place in these days.'), { path: '/events', label: say('See the events') })
    : html`${[...byDay(context, entries, days)].map(
        ([day, of]) =>
          html`<section class="card"><h2>${weekDay(day)} ${shortDay(day)}</h2><ul class="list">${of.map((entry) => lineOf(context, entry))}</ul></section>`,
      )}`

export const DRAWINGS: Readonly<Record<View, Drawing>> = { week, month, list }

const STATES: Readonly<Partial<Record<AgendaEntry['state'], () => Html>>> = {
  registered: () => badge('good', say('registered')),
  waiting: () => badge('waiting', say('waiting for a place')),
}

const chipOf = (context: PageContext, entry: AgendaEntry): Html => html`
  <a class="entry ${entry.kind}${entry.state === 'open' || entry.state === 'free' ? ' open' : ''}" href="${pathOfEntry(entry)}" title="${spanText(context, entry)} ${titleOf(entry)}"><span class="entry-time">${hourOf(context, entry.begin_at)}</span> ${titleOf(entry)}</a>`

const lineOf = (context: PageContext, entry: AgendaEntry): Html => html`
  <li><span class="row"><span><a href="${pathOfEntry(entry)}">${titleOf(entry)}</a> ${STATES[entry.state]?.() ?? ''}</span>
    <span class="quiet">${spanText(context, entry)}${entry.location ? ` · ${entry.location}` : ''}</span></span></li>`

/** Returns the hours of an entry, with both days if it ends on another day. */
function spanText(context: PageContext, { begin_at, end_at }: AgendaEntry): string {
  const isSameDay = dayOf(context, begin_at) === dayOf(context, end_at)
  const textOf = isSameDay ? hourOf : plainTime
  return `${textOf(context, begin_at)} – ${textOf(context, end_at)}`
}

/** Groups entries by the day on which they begin. Entries that began earlier are on the first day. */
function byDay(
  context: PageContext,
  entries: readonly AgendaEntry[],
  [first = '']: readonly string[],
): Map<string, AgendaEntry[]> {
  return Map.groupBy(entries, ({ begin_at }) => {
    const day = dayOf(context, begin_at)
    return day < first ? first : day
  })
}
