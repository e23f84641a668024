import type { Caller } from '../../http/caller.ts'
import type { Query, SqlBuilder } from '../declare/sql-builder.ts'

/** For whom something is read, and when: what is hidden depends on both. */
export type View = { readonly caller: Caller; readonly now: Date }

/** What a statement says of its view, before it is known. */
export const NOW = '{{now}}'
/** The person whom the token stands for; null for an application of its own. */
export const PERSON = '{{person}}'
export const ROLES = '{{roles}}'
export const SCOPES = '{{scopes}}'

const VALUES: Readonly<Record<string, readonly [type: string, read: (view: View) => unknown]>> = {
  [NOW]: ['timestamptz', ({ now }) => now.toISOString()],
  [PERSON]: ['integer', ({ caller }) => caller.resourceOwnerId],
  [ROLES]: ['text[]', ({ caller }) => caller.application.roles],
  [SCOPES]: ['text[]', ({ caller }) => caller.scopes],
}

/** A statement for this view. Its text is the same for everybody, so that it is prepared once. */
export function queryFor(view: View, text: string, builder: SqlBuilder): Query {
  const places = new Map<string, string>()
  const bound = text.replace(/\{\{\w+\}\}/g, (word) => {
    const [type, read] = VALUES[word] as (typeof VALUES)[string]
    const place = places.get(word) ?? builder.value(read(view), type)
    places.set(word, place)
    return place
  })
  return { text: bound, values: builder.values }
}
