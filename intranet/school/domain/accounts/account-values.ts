import { message } from '@campus/engine/base/languages/say'
import { MAIL_ADDRESS, MAIL_ADDRESS_RULE, normalizeAddress } from '@campus/engine/base/text/mail-address'
import { checkText, ValidationErrors } from '@campus/engine/validation-errors'
import { isOfInitials } from '../../../services/attachments/initials.ts'
import type { Actor } from '../../../services/audit/audit.ts'
import { POINTS_AT_FIRST } from '../points/correction-points.ts'
import { KINDS } from './account-kinds.ts'

export type AccountValues = {
  readonly id?: number | null | undefined
  readonly email?: string | null | undefined
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
  /** Generated from the names by default. */
  readonly login?: string | null | undefined
  readonly kind?: string | null | undefined
  readonly usual_first_name?: string | null | undefined
  readonly pool_year?: string | null | undefined
  readonly pool_month?: string | null | undefined
  readonly status?: string | null | undefined
  readonly image?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly email_stop?: boolean | null | undefined
  /** Initial evaluation points, 4 by default. */
  readonly correction_point?: number | null | undefined
  /** Initial wallet for the shop, 0 by default. */
  readonly wallet?: number | null | undefined
  /** Plain text. The service stores only its argon2id digest and delivers it once to the campuses. */
  readonly password?: string | null | undefined
  /** Delivered once to the campuses and not stored. */
  readonly meta?: object | null | undefined
  /** Id of the primary campus. */
  readonly campusId?: number | null | undefined
  readonly cursusId?: number | null | undefined
  readonly anonymize_date?: string | null | undefined
  readonly data_erasure_date?: string | null | undefined
  readonly alumnized_at?: string | null | undefined
}

export type NewAccount = { readonly values: AccountValues; readonly actor: Actor; readonly now: Date }

export type Account = { readonly id: number; readonly login: string }

export const pointsOf = ({ correction_point }: AccountValues): number => correction_point ?? POINTS_AT_FIRST

export const walletOf = ({ wallet }: AccountValues): number => wallet ?? 0

const DEFAULT_KIND = 'student'
const MAX_USUAL_FIRST_NAME = 42

/** Returns the columns of a new user, and adds the errors of the values to `errors`. */
export function checkPerson(errors: ValidationErrors, values: AccountValues) {
  const required = { required: true }
  const email = checkText(errors, 'email', normalizedOrNull(values.email), required) ?? ''
  if (email && !MAIL_ADDRESS.test(email)) errors.add('email', MAIL_ADDRESS_RULE)
  const kind = values.kind || DEFAULT_KIND
  if (!KINDS.some((known) => known === kind))
    errors.add('kind', message('must be one of {choices}', { choices: KINDS.join(', ') }))
  return {
    email,
    first_name: checkText(errors, 'first_name', values.first_name, required) ?? '',
    last_name: checkText(errors, 'last_name', values.last_name, { required: values.last_name == null }) ?? '',
    usual_first_name: checkText(errors, 'usual_first_name', values.usual_first_name, {
      maxLength: MAX_USUAL_FIRST_NAME,
    }),
    kind,
    pool_year: checkText(errors, 'pool_year', values.pool_year),
    pool_month: checkText(errors, 'pool_month', values.pool_month),
    status: checkText(errors, 'status', values.status),
    image: ownPicture(checkText(errors, 'image', values.image)),
    phone: checkText(errors, 'phone', values.phone),
    email_stop: values.email_stop ?? false,
    anonymize_date: values.anonymize_date ?? null,
    data_erasure_date: values.data_erasure_date ?? null,
    alumnized_at: values.alumnized_at ?? null,
  }
}

const TEXTS = ['pool_year', 'pool_month', 'status', 'image', 'phone', 'email', 'first_name', 'last_name'] as const

/** Returns null for a picture of initials, which follows from the name. */
const ownPicture = (address: string | null | undefined) => (address && isOfInitials(address) ? null : address)

const normalizedOrNull = (email: string | null | undefined) => (email == null ? null : normalizeAddress(email))

const textOrNull = (value: unknown) => (value == null ? null : String(value))

/** Checks changes of an account by the rules for new accounts. Throws a 422 that names every error. */
export function checkChanges<V extends Readonly<Record<string, unknown>>>(values: V): V {
  const errors = new ValidationErrors()
  const checked: Record<string, unknown> = {}
  for (const name of [...TEXTS, 'usual_first_name'] as const) {
    if (!(name in values)) continue
    const rules = name === 'usual_first_name' ? { maxLength: MAX_USUAL_FIRST_NAME } : {}
    const given = textOrNull(values[name])
    const text = checkText(errors, name, name === 'email' ? normalizedOrNull(given) : given, rules)
    checked[name] = name === 'image' ? ownPicture(text) : name === 'last_name' && given !== null ? (text ?? '') : text
  }
  errors.throwIfAny()
  return { ...values, ...checked }
}
