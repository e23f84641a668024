import type { AgendaEntry } from '../../school/domain/school/agenda-between.ts'
import { pathOfEntry, titleOf } from '../calendar-text.ts'
import { badge } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { dayOf, hourOf } from '../times.ts'

const STATES: Readonly<Partial<Record<AgendaEntry['state'], () => Html>>> = {
  registered: () => badge('good', say('registered')),
  waiting: () => badge('waiting', say('waiting for a place')),
}

/** An entry in a cell of a calendar. */
export const chipOf = (context: PageContext, entry: AgendaEntry): Html => html`
  <a class="entry ${entry.kind}${entry.state === 'open' || entry.state === 'free' ? ' open' : ''}" href="${pathOfEntry(entry)}" title="${spanText(context, entry)} ${titleOf(entry)}"><span class="entry-time">${hourOf(context, entry.begin_at)}</span> ${titleOf(entry)}</a>`

/** An entry in a list. */
export const lineOf = (context: PageContext, entry: AgendaEntry): Html => html`
  <li><span class="row"><span><a href="${pathOfEntry(entry)}">${titleOf(entry)}</a> ${STATES[entry.state]?.() ?? ''}</span>
    <span class="quiet">${spanText(context, entry)}${entry.location ? ` · ${entry.location}` : ''}</span></span></li>`

const spanText = (context: PageContext, { begin_at, end_at }: AgendaEntry) =>
  `${hourOf(context, begin_at)} – ${hourOf(context, end_at)}`

/** Entries by the day on which they begin; what began before the first day is on it. */
export function byDay(
  context: PageContext,
  entries: readonly AgendaEntry[],
  [first = '']: readonly string[],
): Map<string, AgendaEntry[]> {
  return Map.groupBy(entries, ({ begin_at }) => {
    const day = dayOf(context, begin_at)
    return day < first ? first : day
  })
}
