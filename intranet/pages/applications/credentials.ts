import { curlOf } from '@campus/engine/http/certificate-to-trust'
import { copied, copiedLines } from '../copy.ts'
import { type Html, html, say } from '../html.ts'
import type { PageContext } from '../page-context.ts'

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
