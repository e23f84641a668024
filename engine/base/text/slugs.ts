import type { MessageKey } from '../languages/dictionary.ts'
import { normalForm } from './normal-form.ts'

/** Words that follow a resource's name in paths of other routes, so that no record can be named by them. */
export const RESERVED_NAMES: readonly string[] = ['graph', 'me']

const SLUG = /^[a-z0-9]+(?:[-_]+[a-z0-9]+)*$/i

/** What is wrong with a slug that a client chose, if anything: it stands for an id in paths. */
export function slugError(slug: string): MessageKey | undefined {
  if (/^\d+$/.test(slug)) return 'must not be a number, which would read as an id'
  if (!SLUG.test(slug)) return 'must be letters from a to z and digits, with "-" or "_" between'
  if (RESERVED_NAMES.includes(slug)) return 'is reserved'
  return undefined
}

/** Words in plain letters with dashes between; never digits alone or a reserved word. */
export function slugOf(text: string): string {
  const words = normalForm(text, 'NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g) ?? ['unnamed']
  const slug = words.join('-')
  return slugError(slug) === undefined ? slug : `n-${slug}`
}
