import type { DayOfDeliveries } from '../../../webhooks/overview.ts'
import { barChart, sum } from '../../bar-chart.ts'
import { type Html, html, say } from '../../html.ts'
import { shortDay } from '../../times.ts'

/** Deliveries by the day, those that failed and those that wait at the foot; and as a table. */
export function daysChart(days: readonly DayOfDeliveries[]): Html {
  const totalOf = (name: 'recorded' | 'waiting' | 'failed') => sum(days.map((day) => day[name]))
  const [recorded, waiting, failed] = [totalOf('recorded'), totalOf('waiting'), totalOf('failed')]
  if (recorded === 0)
    return html`<p class="quiet">${say('No deliveries in the last {days} days.', { days: days.length })}</p>`
  return barChart({
    summary: say(
      '{recorded, plural, one {# delivery} other {# deliveries}} in the last {days} days: {failed, number} failed for good, {waiting, number} waiting',
      { recorded, days: days.length, failed, waiting },
    ),
    by: say('Day'),
    labelEvery: 3,
    keys: [
      { name: 'refused', heading: say('Failed'), text: say('rejected or given up') },
      { name: 'waiting', heading: say('Waiting'), text: say('waiting') },
      { name: 'calls', heading: say('Delivered'), text: say('delivered') },
    ],
    columns: days.map(({ day, recorded, waiting, failed }) => ({
      label: shortDay(day),
      title: day,
      values: [failed, waiting, recorded - waiting - failed],
    })),
  })
}
