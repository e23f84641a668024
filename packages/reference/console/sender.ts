import { applicationsOf } from '@campus/intranet/oauth/applications/own'
import { csrfField } from '@campus/intranet/pages/fields'
import { type Html, html, say } from '@campus/intranet/pages/html'
import { type PageContext, type Part, part } from '@campus/intranet/pages/page'
import { pageHeader } from '@campus/intranet/pages/page-header'
import { localPath } from '@campus/intranet/pages/return-to'

/** /apidoc/console: the bar and the form for the sender. The script puts both into the page `at`, which is the same for all users. */
export async function showSender(context: PageContext): Promise<Part> {
  const at = localPath(context.query.text('at'))
  return part(
    'text/html; charset=utf-8',
    String(await html`${pageHeader({ ...context, path: at })}${await choice(context, at)}`),
  )
}

async function choice(context: PageContext, at: string): Promise<Html> {
  const { person } = context
  if (!person) return signedOut(at)
  const applications = await applicationsOf(context.dependencies.database, person.id)
  return html`
  <div class="choice-of-sender" data-login="${person.login}">
    ${
      applications.length === 0
        ? html`<p>${say('A request is sent by an application, and you have none yet.')}</p>
    <p><a class="button" href="/applications/new">${say('Register an application')}</a></p>`
        : html`
    <form class="own" method="post" action="/apidoc/console/token">
      ${csrfField(context)}
      <div class="field"><label for="own-application">${say('Application')}</label>
        <select id="own-application" name="application">${applications.map(
          ({ id, name }) => html`<option value="${id}">${name}</option>`,
        )}</select></div>
      <fieldset class="field"><legend>${say('It acts')}</legend>
        <div class="choice"><input type="radio" id="own-as-person" name="as" value="person" checked><label for="own-as-person">${say('for you, {login}', { login: person.login })}</label></div>
        <div class="choice"><input type="radio" id="own-as-itself" name="as" value="application"><label for="own-as-itself">${say('for itself')}</label></div>
      </fieldset>
      <p class="quiet small">${say('With all scopes that it has. The token stays in this tab until you close it, and what you allow is listed among your authorised applications.')}</p>
    </form>`
    }
    ${otherApplication()}
  </div>`
}

const signedOut = (at: string): Html => html`
  <div class="choice-of-sender" data-login="">
    <p>${say('Sign in, and send requests with an application of yours.')}</p>
    <p><a class="button" href="/sign-in?return_to=${encodeURIComponent(at)}">${say('Sign in')}</a></p>
    ${otherApplication()}
  </div>`

const otherApplication = (): Html => html`
    <details class="more sign-in"><summary>${say('Another application')}</summary>
      <form class="with-credentials" autocomplete="off">
        <p class="quiet small">${say('Id and secret are forgotten with the page; only the token stays, in this tab.')}</p>
        <div class="field"><label for="client-id">${say('Client id')}</label>
          <input id="client-id" type="text" name="client_id" spellcheck="false" required></div>
        <div class="field"><label for="client-secret">${say('Client secret')}</label>
          <input id="client-secret" type="password" name="client_secret" autocomplete="off"></div>
        <div class="field"><label for="scope">${say('Scopes')}</label>
          <input id="scope" type="text" name="scope" value="public" spellcheck="false"></div>
        <div class="actions">
          <button name="grant" value="client_credentials">${say('Sign in as the application')}</button>
          <button name="grant" value="authorization_code" class="second">${say('Sign in as yourself')}</button>
        </div>
        <p class="quiet small">${say('To sign in as yourself, the application needs the redirect address')} <code class="callback"></code></p>
      </form>
    </details>
    <p class="signed-in" role="status"></p>
    <button type="button" class="second forget" hidden>${say('Forget the token')}</button>`
