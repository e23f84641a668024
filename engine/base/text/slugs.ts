import type { MessageKey } from '../languages/dictionary.ts'
import { normalForm } from './normal-form.ts'

/** Path segments that follow a resource's name in other routes, so that no record may have them as a slug. */
export const RESERVED_NAMES: readonly string[] = ['graph', 'me']

const SLUG = /^[a-z0-9]+(?:[-_]+[a-z0-9]+)*$/i

export function slugError(slug: string): MessageKey | undefined {
  if (/^\d+$/.test(slug)) return 'must not be a number, which would read as an id'
  if (!SLUG.test(slug)) return 'must be letters from a to z and digits, with "-" or "_" between'
  if (RESERVED_NAMES.includes(slug)) return 'is reserved'
  return undefined
}

export function slugOf(text: string): string {
  const words = normalForm(text, 'NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g) ?? ['unnamed']
  const slug = words.join('-')
  return slugError(slug) === undefined ? slug : `n-${slug}`
}
