import { SCOPES } from '../../access/scopes.ts'
import type { ApplicationValues } from '../../oauth/applications/columns.ts'
import { EMPTY_SIGN_IN } from '../../oauth/applications/sign-in-values.ts'
import { checkboxes, textField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import type { Form, FormState } from '../page.ts'
import { scopeText } from './consent-question.ts'
import { linesOf, type ShownSignIn, signInFields, signInLabels, signInValues } from './sign-in-fields.ts'

export const labels = (): Readonly<Record<string, string>> => ({
  name: say('Name'),
  description: say('Description'),
  website: say('Website'),
  image: say('Picture'),
  redirect_uris: say('Redirect addresses'),
  scopes: say('Scopes'),
  ...signInLabels(),
})

type Shown = ShownSignIn &
  Pick<ApplicationValues, 'name' | 'description' | 'website' | 'image' | 'public' | 'authorization_response_iss'> & {
    readonly scopes: readonly string[]
    readonly redirect_uris: readonly string[]
  }

const NEW: Shown = {
  name: '',
  description: '',
  website: '',
  public: false,
  scopes: ['public'],
  redirect_uris: [],
  ...EMPTY_SIGN_IN,
}

export const applicationFields = (state: FormState, shown: Shown = NEW): Html => html`
  ${textField(state, {
    name: 'name',
    label: say('Name'),
    value: shown.name,
    required: true,
    autocomplete: 'off',
    hint: say('What it does, as people read it when it asks to act for them: “Cluster map”, not “My app”.'),
  })}
  ${textField(state, { name: 'description', label: say('Description'), value: shown.description, rows: 3, hint: say('Optional.') })}
  ${textField(state, {
    name: 'website',
    label: say('Website'),
    type: 'url',
    value: shown.website,
    hint: say('Optional, such as https://map.example.org.'),
  })}
  ${textField(state, {
    name: 'image',
    label: say('Picture'),
    type: 'url',
    value: shown.image,
    hint: say(
      'Optional: its address, which the API shows. Our own pages show the picture itself where it is stored on this service.',
    ),
  })}
  ${textField(state, {
    name: 'redirect_uris',
    label: say('Redirect addresses'),
    value: shown.redirect_uris.join('\n'),
    rows: 3,
    hint: say(
      'Where people come back to after signing in, one a line: https, or http on this very machine. Only needed when people sign in.',
    ),
  })}
  ${checkboxes(state, {
    name: 'scopes',
    label: say('Scopes'),
    chosen: shown.scopes,
    choices: Object.keys(SCOPES).map((value) => ({ value, label: value, hint: scopeText(value) })),
  })}
  ${checkboxes(state, {
    name: 'public',
    label: say('Listing'),
    chosen: shown.public ? ['yes'] : [],
    choices: [{ value: 'yes', label: say('Show it to everybody'), hint: say('among the public applications') }],
  })}
  ${checkboxes(state, {
    name: 'iss',
    label: say('Issuer'),
    chosen: shown.authorization_response_iss ? ['yes'] : [],
    choices: [
      {
        value: 'yes',
        label: say('Name the issuer when people come back'),
        hint: say(
          'as iss (RFC 9207), where the application signs people in at several services and checks which one answers',
        ),
      },
    ],
  })}
  ${signInFields(state, shown)}`

export const applicationValues = (form: Form): ApplicationValues => ({
  name: form.text('name'),
  description: form.text('description'),
  website: form.text('website'),
  image: form.text('image'),
  redirect_uris: linesOf(form, 'redirect_uris'),
  scopes: form.list('scopes'),
  public: form.list('public').includes('yes'),
  authorization_response_iss: form.list('iss').includes('yes'),
  ...signInValues(form),
})
