import type { ApplicationValues } from '../../oauth/applications/columns.ts'
import { SCOPES } from '../../scopes.ts'
import { checkboxes, textField } from '../fields.ts'
import type { Form } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { FormState } from '../page.ts'

/** What the fields are called, where a fault names one. */
export const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  website: 'Website',
  redirect_uris: 'Redirect addresses',
  scopes: 'Scopes',
}

type Shown = Pick<ApplicationValues, 'name' | 'description' | 'website' | 'public' | 'authorization_response_iss'> & {
  readonly scopes: readonly string[]
  readonly redirect_uris: readonly string[]
}

const NEW: Shown = { name: '', description: '', website: '', public: false, scopes: ['public'], redirect_uris: [] }

/** The fields of a new application, or of one as it is. */
export const applicationFields = (state: FormState, shown: Shown = NEW): Html => html`
  ${textField(state, {
    name: 'name',
    label: 'Name',
    value: shown.name,
    required: true,
    autocomplete: 'off',
    hint: 'What it does, as people read it when it asks to act for them: “Cluster map”, not “My app”.',
  })}
  ${textField(state, { name: 'description', label: 'Description', value: shown.description, rows: 3, hint: 'Optional.' })}
  ${textField(state, {
    name: 'website',
    label: 'Website',
    type: 'url',
    value: shown.website,
    hint: 'Optional, such as https://map.example.org.',
  })}
  ${textField(state, {
    name: 'redirect_uris',
    label: 'Redirect addresses',
    value: shown.redirect_uris.join('\n'),
    rows: 3,
    hint: 'Where people come back to after signing in, one a line: https, or http on this very machine. Only needed when people sign in.',
  })}
  ${checkboxes(state, {
    name: 'scopes',
    label: 'Scopes',
    chosen: shown.scopes,
    choices: Object.entries(SCOPES).map(([value, hint]) => ({ value, label: value, hint })),
  })}
  ${checkboxes(state, {
    name: 'public',
    label: 'Listing',
    chosen: shown.public ? ['yes'] : [],
    choices: [{ value: 'yes', label: 'Show it to everybody', hint: 'among the public applications' }],
  })}
  ${checkboxes(state, {
    name: 'iss',
    label: 'Issuer',
    chosen: shown.authorization_response_iss ? ['yes'] : [],
    choices: [
      {
        value: 'yes',
        label: 'Name the issuer when people come back',
        hint: 'as iss (RFC 9207), where the application signs people in at several services and checks which one answers',
      },
    ],
  })}`

/** What was filled in. */
export const applicationValues = (form: Form): ApplicationValues => ({
  name: form.text('name'),
  description: form.text('description'),
  website: form.text('website'),
  redirect_uris: form
    .text('redirect_uris')
    .split(/\s+/)
    .filter((uri) => uri !== ''),
  scopes: form.list('scopes'),
  public: form.list('public').includes('yes'),
  authorization_response_iss: form.list('iss').includes('yes'),
})
