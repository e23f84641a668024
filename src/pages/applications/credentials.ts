import { type Html, html } from '../html.ts'

/** The id and, this once, the secret of an application. */
export const credentials = ({ uid, secret }: { readonly uid: string; readonly secret: string | null }): Html => html`
  ${
    secret === null
      ? html`<p>It has no secret: it signs on with its id and PKCE.</p>`
      : html`<p class="notice"><strong>Copy the secret now.</strong> It is shown this once and kept nowhere. It belongs on a
    server of yours, never in a page or an app.</p>`
  }
  <dl class="card">
    <dt>Client id</dt><dd class="code">${uid}</dd>
    ${secret === null ? '' : html`<dt>Client secret</dt><dd class="code" id="secret">${secret}</dd>`}
  </dl>`
