import type { SignInValues } from '../../oauth/applications/sign-in-values.ts'
import { OPENID } from '../../oauth/openid/scopes.ts'
import { checkboxes, textField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import type { Form, FormState } from '../page.ts'

/** Settings for OpenID Connect. */
export type ShownSignIn = {
  readonly id_token_signed_response_alg: string
  readonly subject_type: string
  readonly post_logout_redirect_uris: readonly string[]
  readonly backchannel_logout_uri: string | null
}

export const signInLabels = (): Readonly<Record<string, string>> => ({
  post_logout_redirect_uris: say('Addresses after signing out'),
  backchannel_logout_uri: say('Logout address'),
  id_token_signed_response_alg: say('ID tokens'),
  subject_type: say('Subjects'),
})

/** Collapses the fields by default, since few applications need other values. */
export const signInFields = (state: FormState, shown: ShownSignIn): Html => html`
  <details${isChosen(state, shown) ? html` open` : ''}><summary>${say('Signing people in with OpenID Connect')}</summary>
  ${textField(state, {
    name: 'post_logout_redirect_uris',
    label: say('Addresses after signing out'),
    value: shown.post_logout_redirect_uris.join('\n'),
    rows: 2,
    hint: say('Optional: where people come back to when the application signs them out here, one a line.'),
  })}
  ${textField(state, {
    name: 'backchannel_logout_uri',
    label: say('Logout address'),
    type: 'url',
    value: shown.backchannel_logout_uri,
    hint: say(
      'Optional: an https address that is sent a logout token when somebody whom the application signed in signs out here (OpenID Connect Back-Channel Logout).',
    ),
  })}
  ${checkboxes(state, {
    name: 'es256',
    label: say('ID tokens'),
    chosen: shown.id_token_signed_response_alg === 'ES256' ? ['yes'] : [],
    choices: [
      {
        value: 'yes',
        label: say('Sign them with ES256'),
        hint: say('instead of RS256, which every library of OpenID Connect knows'),
      },
    ],
  })}
  ${checkboxes(state, {
    name: 'pairwise',
    label: say('Subjects'),
    chosen: shown.subject_type === 'pairwise' ? ['yes'] : [],
    choices: [
      {
        value: 'yes',
        label: say('Pairwise subjects'),
        hint: say(
          'people have another id at each host, so that applications cannot compare whom they know; the host that people come back to must stay the same then',
        ),
      },
    ],
  })}
  </details>`

/** Reports whether a value is not the default or a form was refused. */
const isChosen = ({ form }: FormState, shown: ShownSignIn): boolean =>
  form !== undefined ||
  shown.post_logout_redirect_uris.length > 0 ||
  shown.backchannel_logout_uri !== null ||
  shown.id_token_signed_response_alg !== 'RS256' ||
  shown.subject_type !== 'public'

export const signInValues = (form: Form): SignInValues => ({
  post_logout_redirect_uris: linesOf(form, 'post_logout_redirect_uris'),
  backchannel_logout_uri: form.text('backchannel_logout_uri'),
  id_token_signed_response_alg: form.list('es256').includes('yes') ? 'ES256' : 'RS256',
  subject_type: form.list('pairwise').includes('yes') ? 'pairwise' : 'public',
})

/** Exceeds the limit of an application, so that too many addresses are refused rather than cut. */
const MAX_LINES = 100

export const linesOf = (form: Form, name: string): string[] =>
  form
    .text(name)
    .trim()
    .split(/\s+/, MAX_LINES)
    .filter((line) => line !== '')

export const signInFacts = (shown: ShownSignIn & { readonly scopes: readonly string[] }): Html | '' =>
  shown.scopes.includes(OPENID)
    ? html`
        ${factOf(say('Addresses after signing out'), shown.post_logout_redirect_uris)}
        ${factOf(say('Logout address'), shown.backchannel_logout_uri === null ? [] : [shown.backchannel_logout_uri])}
        <dt>${say('ID tokens')}</dt><dd>${shown.id_token_signed_response_alg}, ${
          shown.subject_type === 'pairwise' ? say('with pairwise subjects') : say('with the ids of users as subjects')
        }</dd>`
    : ''

const factOf = (label: string, addresses: readonly string[]): Html => html`
        <dt>${label}</dt>
        <dd>${addresses.length === 0 ? say('none') : addresses.map((one) => html`<span class="code">${one}</span><br>`)}</dd>`
