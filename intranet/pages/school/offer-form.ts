import { shownIn, zonedTime } from '@campus/engine/base/zoned-times'
import { unprocessable } from '@campus/engine/errors'
import { send } from '../ask.ts'
import { csrfField, textField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import type { Form, FormState, PersonPageContext } from '../page.ts'

const HOUR_MS = 3_600_000

export const offerLabels = () => ({ day: say('Day'), begin_at: say('From'), end_at: say('Until'), user_id: say('You') })

export function offerForm(context: PersonPageContext, state: FormState, path: string): Html {
  const { clock } = context.dependencies
  const labels = offerLabels()
  const inHours = (hours: number) =>
    shownIn(context.timeZone, new Date((Math.floor(clock.now().getTime() / HOUR_MS) + hours) * HOUR_MS))
  return html`
  <p class="quiet">${say('Teams of your projects book you in quarters of an hour.')}</p>
  <form method="post" action="${path}">
    ${csrfField(context)}
    ${textField(state, { name: 'day', label: labels.day, type: 'date', value: inHours(2).day, required: true })}
    <div class="columns">
      ${textField(state, { name: 'begin_at', label: labels.begin_at, type: 'time', value: inHours(2).time, required: true })}
      ${textField(state, { name: 'end_at', label: labels.end_at, type: 'time', value: inHours(3).time, required: true })}
    </div>
    <button name="wish" value="offer">${say('Offer this time')}</button>
  </form>`
}

/** Throws 422 for invalid times. */
export async function offer(context: PersonPageContext, form: Form): Promise<void> {
  const { timeZone } = context
  const begin = zonedTime(timeZone, form.text('day'), form.text('begin_at'))
  const end = zonedTime(timeZone, form.text('day'), form.text('end_at'))
  if (!begin || !end)
    throw unprocessable({ day: ['must be a day with two times, such as 2026-03-02, 14:00 and 15:30'] })
  const slot = { user_id: context.person.id, begin_at: begin.toISOString(), end_at: end.toISOString() }
  await send(context, 'POST', '/v2/slots', { body: { slot } })
}
