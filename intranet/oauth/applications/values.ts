import { message } from '@campus/engine/base/languages/say'
import { fold } from '@campus/engine/base/text/fold'
import { hidesText } from '@campus/engine/base/text/hidden-text'
import type { Handle } from '@campus/engine/database/database'
import { INVISIBLE, type ValidationErrors } from '@campus/engine/validation-errors'
import { DEFAULT_SCOPE, isScope, SCOPES } from '../../access/scopes.ts'

/** Returns the scopes without repetitions, with the default scope. Adds unknown ones to `errors`. */
export function checkScopes(errors: ValidationErrors, scopes: readonly string[]): string[] {
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0) {
    errors.add(
      'scopes',
      message('has the unknown {names}; the scopes are {scopes}', {
        names: firstOf(unknown),
        scopes: Object.keys(SCOPES).join(', '),
      }),
    )
  }
  return [...new Set(scopes.includes(DEFAULT_SCOPE) ? scopes : [DEFAULT_SCOPE, ...scopes])]
}

const MAX_SHOWN = 5
const MAX_SHOWN_LENGTH = 80

/** Joins some of the sent words for a message. */
function firstOf(words: readonly string[]): string {
  const shown = words.slice(0, MAX_SHOWN).map((word) => word.slice(0, MAX_SHOWN_LENGTH))
  return `${shown.join(', ')}${words.length > MAX_SHOWN ? ' …' : ''}`
}

const LARGEST_RATE = 2_147_483_647

/** Returns a rate, or null. Adds faults to `errors`. */
export function checkRate(errors: ValidationErrors, field: string, rate: number | null | undefined): number | null {
  if (rate === undefined || rate === null) return null
  if (!Number.isInteger(rate) || rate < 1 || rate > LARGEST_RATE) errors.add(field, 'must be a positive whole number')
  return rate
}

/** Returns the ids of roles by their names, in any case. Adds unknown ones to `errors`. */
export async function findRoles(handle: Handle, errors: ValidationErrors, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const known = await handle.kysely.selectFrom('roles').select(['id', 'name']).orderBy('id').execute()
  const ids = new Map(known.map(({ id, name }) => [fold(name), id]))
  const unknown = names.filter((name) => !ids.has(fold(name)))
  if (unknown.length > 0) {
    errors.add(
      'roles',
      message('has the unknown {names}; the roles are {roles}', {
        names: firstOf(unknown),
        roles: known.map(({ name }) => name).join(', '),
      }),
    )
  }
  return [...new Set(names.flatMap((name) => ids.get(fold(name)) ?? []))]
}

const MAX_DESCRIPTION = 2000

/** Returns a text of several lines, or null if it is blank. Adds faults to `errors`. */
export function checkDescription(errors: ValidationErrors, text: string | null | undefined): string | null {
  const description = text?.replace(/\r\n?/g, '\n').trim() || null
  if (description === null) return null
  if ([...description].length > MAX_DESCRIPTION) {
    errors.add('description', message('is too long (maximum is {most} characters)', { most: MAX_DESCRIPTION }))
  }
  if (/[^\P{Cc}\n\t]/u.test(description)) errors.add('description', 'must not contain control characters')
  return description
}

/** Returns an http or https address, or null if it is blank. Adds faults to `errors`. */
export function checkAddress(errors: ValidationErrors, field: string, text: string | null | undefined): string | null {
  const address = text?.trim() || null
  if (address === null) return null
  const url = URL.parse(address)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!isWeb || url.username || url.password || /[\s\p{Cc}]/u.test(address) || address.length > 2048) {
    errors.add(field, 'must be a web address such as https://example.org')
  } else if (hidesText(address)) errors.add(field, INVISIBLE)
  return address
}
