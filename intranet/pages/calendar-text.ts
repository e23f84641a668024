import { mapped, type Slices } from '@campus/engine/base/slices'
import ical, {
  escape as escapeText,
  foldLines,
  ICalCalendarMethod,
  ICalEvent,
  ICalEventBusyStatus,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'
import type { AgendaEntry } from '../school/domain/school/agenda-between.ts'
import { say } from './html.ts'

export const REFRESH_SECONDS = 900

type Feed = {
  readonly name: string
  readonly entries: readonly AgendaEntry[]
  readonly baseUrl: string
  readonly now: Date
}

/** Writes an agenda as a calendar (RFC 5545). Yields after each entry. */
export function* calendarText({ name, entries, baseUrl, now }: Feed): Slices<string> {
  const calendar = ical({
    // The library does not escape the name.
    name: escapeText(plain(name), false),
    prodId: { company: 'Campus Intranet', product: 'agenda' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  const { host } = new URL(baseUrl)
  const events = yield* mapped(entries, (entry) => {
    const isFree = entry.state === 'free' || entry.state === 'open'
    const event = new ICalEvent(
      {
        id: `${entry.kind}-${entry.id}@${host}`,
        stamp: now,
        start: entry.begin_at,
        // Calendar programs reject an end that is not after the start, and some events start and end at the same time.
        end: entry.end_at > entry.begin_at ? entry.end_at : null,
        summary: plain(titleOf(entry)),
        location: entry.location === null ? null : plain(entry.location),
        url: baseUrl + pathOfEntry(entry),
        status: entry.state === 'waiting' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
        busystatus: isFree ? ICalEventBusyStatus.FREE : ICalEventBusyStatus.BUSY,
        transparency: isFree ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
      },
      calendar,
    )
    return foldLines(event.toString())
  })
  const around = calendar.toString()
  const end = around.lastIndexOf('END:VCALENDAR')
  return around.slice(0, end) + (events.join('') || COMPONENT_OF_NONE) + around.slice(end)
}

/** RFC 5545 requires a component, and some programs reject a calendar without one. */
const COMPONENT_OF_NONE = [
  ...['BEGIN:VTIMEZONE', 'TZID:UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
  ...['TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000', 'END:STANDARD', 'END:VTIMEZONE', ''],
].join('\r\n')

/** Replaces control characters, which iCalendar forbids, and separators that some programs take for line breaks. */
const plain = (text: string) => text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, ' ')

export function titleOf({ kind, state, title }: AgendaEntry): string {
  if (kind === 'slot') return say('Slot, free')
  if (kind === 'exam') return say('Exam: {name}', { name: title })
  if (kind === 'event') return title
  return state === 'corrector'
    ? say('You evaluate: {name}', { name: title })
    : say('You are evaluated: {name}', { name: title })
}

export function pathOfEntry({ kind, id }: AgendaEntry): string {
  if (kind === 'event') return `/events/${id}`
  return kind === 'evaluation' ? `/evaluations/${id}` : kind === 'slot' ? '/evaluations' : '/agenda'
}
