import { unprocessable } from '@campus/engine/errors'
import { curlOf } from '@campus/engine/http/certificate-to-trust'
import { ownApplication } from '../../oauth/applications/own.ts'
import { GRACE_CHOICES, rotateSecret } from '../../oauth/applications/secrets.ts'
import { inTransaction } from '../actor.ts'
import { copied, copiedLines } from '../copy.ts'
import { csrfField, errorSummary, radios } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { formPage, pageContent, recordId } from '../page.ts'
import type { PageContext } from '../page-context.ts'
import { timeOf } from '../times.ts'

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
    const id = recordId(context)
    const graceDays = GRACE_CHOICES.find((days) => String(days) === form.text('grace'))
    if (graceDays === undefined) throw unprocessable({ grace: ['must be one of the choices'] })
    const rotated = await inTransaction(context, async (tx, by) => {
      await ownApplication(tx, context.person.id, id)
      return rotateSecret(tx, { id, graceDays, ...by })
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

type Credentials = { readonly uid: string; readonly secret: string | null }

/** Shows the secret, which is not stored, with settings and a first request. */
export const credentials = (context: PageContext, made: Credentials): Html => html`
  ${
    made.secret === null
      ? html`<p>${say('It has no secret: it signs on with its id and PKCE.')}</p>`
      : html`<p class="notice"><strong>${say('Copy the secret now.')}</strong> ${say(
          'It is shown this once and kept nowhere. It belongs on a server of yours, never in a page or an app.',
        )}</p>`
  }
  <dl class="card">
    <dt>${say('Client id')}</dt><dd>${copied({ id: 'uid', text: made.uid, button: say('Copy the client id') })}</dd>
    ${
      made.secret === null
        ? ''
        : html`<dt>${say('Client secret')}</dt><dd>${copied({ id: 'secret', text: made.secret, button: say('Copy the secret') })}</dd>`
    }
  </dl>
  <h2>${say('For your program')}</h2>
  <p>${say('As the settings of a program, in a file such as .env that is never committed:')}</p>
  ${copiedLines({ id: 'env', text: settingsOf(context, made), button: say('Copy the settings') })}
  ${made.secret === null ? '' : firstRequest(context, made.uid, made.secret)}`

const firstRequest = (context: PageContext, uid: string, secret: string): Html => html`
  <h2>${say('A first request')}</h2>
  <p>${say('Paste it into a shell: it gets a token, which is good for two hours, and asks for the campuses with it.')}</p>
  ${copiedLines({ id: 'first-request', text: firstRequestOf(context, uid, secret), button: say('Copy the request') })}`

const settingsOf = ({ dependencies: { config } }: PageContext, { uid, secret }: Credentials): string =>
  [`CAMPUS_URL=${config.baseUrl}`, `CAMPUS_ID=${uid}`, ...(secret === null ? [] : [`CAMPUS_SECRET=${secret}`])].join(
    '\n',
  )

/** Needs only curl and sed. */
function firstRequestOf({ dependencies: { config } }: PageContext, uid: string, secret: string): string {
  const curl = `${curlOf(config)} -sS`
  return `TOKEN=$(${curl} ${config.baseUrl}/oauth/token \\
  -d grant_type=client_credentials \\
  -d client_id=${uid} \\
  -d client_secret=${secret} \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
${curl} -H "Authorization: Bearer $TOKEN" ${config.baseUrl}/v2/campus`
}
