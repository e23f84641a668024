import { unprocessable } from '@campus/engine/errors'
import { ownApplication } from '../../oauth/applications/own.ts'
import { GRACE_CHOICES, rotateSecret } from '../../oauth/applications/secrets.ts'
import { actorOf } from '../actor.ts'
import { csrfField, errorSummary, radios } from '../fields.ts'
import { html, say, sayWith } from '../html.ts'
import { formPage, pageContent, recordId } from '../page.ts'
import { timeOf } from '../times.ts'
import { credentials } from './credentials.ts'

const labels = () => ({ grace: say('The present secret') })
const GRACE_TEXTS = [
  () => say('works for seven more days'),
  () => say('works for one more day'),
  () => say('ends at once, since somebody else may have it'),
]

/** Issues another secret. The present one works for the grace period or ends at once. */
export const secretRenewal = formPage({
  path: '/applications/:id/secret',
  access: 'signed-in',
  async show(context, state) {
    const { id, name, confidential } = await ownApplication(
      context.dependencies.database,
      context.person.id,
      recordId(context),
    )
    const choices = GRACE_CHOICES.map((days, index) => ({ value: String(days), label: GRACE_TEXTS[index]?.() ?? '' }))
    return pageContent(
      say('New secret for {name}', { name }),
      confidential
        ? html`
      ${errorSummary(state.errors, labels())}
      <p>${say('The application gets another secret, which is shown once.')}</p>
      <form method="post" action="/applications/${id}/secret">
        ${csrfField(context)}
        ${radios(state, { name: 'grace', label: labels().grace, choices, chosen: [String(GRACE_CHOICES[0])] })}
        <div class="actions"><button>${say('Make a new secret')}</button><a href="/applications/${id}">${say('Cancel')}</a></div>
      </form>`
        : html`<p>${say('This application has no secret: it runs on people’s own machines.')}</p>
      <p><a href="/applications/${id}">${say('Back to the application')}</a></p>`,
      { trail: [{ path: `/applications/${id}`, label: name }] },
    )
  },
  async submit(context, form) {
    const { database, clock } = context.dependencies
    const id = recordId(context)
    const graceDays = GRACE_CHOICES.find((days) => String(days) === form.text('grace'))
    if (graceDays === undefined) throw unprocessable({ grace: ['must be one of the choices'] })
    const rotated = await database.transaction(async (tx) => {
      await ownApplication(tx, context.person.id, id)
      return rotateSecret(tx, { id, graceDays, actor: actorOf(context), now: clock.now() })
    })
    const until = rotated.previous_secret_valid_until
    return pageContent(
      say('New secret for {name}', { name: rotated.name }),
      html`
      ${credentials(context, rotated)}
      <p>${
        until
          ? sayWith('The former secret works until {time}.', { time: timeOf(context, until) })
          : say('The former secret has ended.')
      }</p>
      <div class="actions"><a class="button" href="/applications/${id}">${say('Back to the application')}</a></div>`,
      { scripts: ['copy'] },
    )
  },
})
