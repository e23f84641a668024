import { checkText, type ValidationErrors } from '@campus/engine/validation-errors'
import { nameError } from './names.ts'
import { checkRedirectUris } from './redirect-uris.ts'
import { checkSignIn, EMPTY_SIGN_IN, type SignInValues } from './sign-in-values.ts'
import { checkAddress, checkDescription, checkScopes } from './values.ts'

/** Values of an application, by column name. Absent values stay unchanged. */
export type ApplicationValues = {
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  readonly website?: string | null | undefined
  readonly image?: string | null | undefined
  readonly scopes?: readonly string[] | undefined
  readonly redirect_uris?: readonly string[] | undefined
  /** Listed publicly. */
  readonly public?: boolean | undefined
  /** Its authorization answers carry the issuer (RFC 9207). */
  readonly authorization_response_iss?: boolean | undefined
} & SignInValues

type Present = Required<{ [Name in keyof ApplicationValues]: Exclude<ApplicationValues[Name], undefined> }>

/** A new application without values. */
export const EMPTY: Present = {
  name: null,
  description: null,
  website: null,
  image: null,
  scopes: [],
  redirect_uris: [],
  public: false,
  authorization_response_iss: false,
  ...EMPTY_SIGN_IN,
}

const MAX_NAME = 100

/** Returns the new values of the columns. Adds faults to `errors`. */
export function checkColumns(
  errors: ValidationErrors,
  values: ApplicationValues,
  present: Present,
  { confidential, byOperator }: { readonly confidential: boolean; readonly byOperator: boolean },
) {
  const next = { ...present, ...withoutUndefined(values) }
  const name = checkText(errors, 'name', next.name, { required: true, maxLength: MAX_NAME }) ?? ''
  const fault = errors.has('name') || name === present.name ? undefined : nameError(name)
  if (fault) errors.add('name', fault)
  const columns = {
    name,
    description: checkDescription(errors, next.description),
    website: checkAddress(errors, 'website', next.website),
    image: checkAddress(errors, 'image', next.image),
    scopes: checkScopes(errors, next.scopes),
    redirect_uris: checkRedirectUris(errors, 'redirect_uris', next.redirect_uris, {
      known: present.redirect_uris,
      byOperator,
    }),
    public: next.public,
    authorization_response_iss: next.authorization_response_iss,
    ...checkSignIn(errors, next, { known: present.post_logout_redirect_uris, byOperator }),
  }
  if (!confidential && columns.redirect_uris.length === 0) {
    errors.add('redirect_uris', 'must be at least one, since the application has no secret to sign on with by itself')
  }
  return columns
}

function withoutUndefined(values: ApplicationValues): Partial<Present> {
  const said = Object.entries(values).filter(([name, value]) => value !== undefined && Object.hasOwn(EMPTY, name))
  return Object.fromEntries(said)
}
