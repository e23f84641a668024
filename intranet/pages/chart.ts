import type { HourOfCalls } from '../oauth/call-counts.ts'
import { barChart, sum } from './bar-chart.ts'
import { type Html, html, say } from './html.ts'
import type { PageContext } from './page-context.ts'
import { hourOf, timeOf } from './times.ts'

export const callKeys = () => [
  { name: 'refused', heading: say('Refused'), text: say('refused: over the rate, or without the right') },
  { name: 'calls', heading: say('Answered'), text: say('answered') },
]

export function callsChart(context: PageContext, hours: readonly HourOfCalls[]): Html {
  const made = sum(hours.map((hour) => hour.made))
  const refused = sum(hours.map((hour) => hour.refused))
  if (made === 0)
    return html`<p class="quiet">${say('No calls in the last {hours, plural, one {hour} other {# hours}}.', { hours: hours.length })}</p>`
  return barChart({
    summary: say(
      '{made, plural, one {# call} other {# calls}} in the last {hours, plural, one {hour} other {# hours}}, {refused, number} of them refused',
      { made, hours: hours.length, refused },
    ),
    by: say('Hour'),
    labelEvery: 6,
    keys: callKeys(),
    columns: hours.map((hour) => ({
      label: hourOf(context, hour.hour),
      title: timeOf(context, hour.hour),
      values: [hour.refused, hour.made - hour.refused],
    })),
  })
}
