import { defined } from '../../base/defined.ts'
import type { Caller } from '../../http/caller.ts'
import { NOW, PERSON, ROLES, SCOPES } from './placeholders.ts'
import type { Query, SqlBuilder } from './sql-builder.ts'

/** Caller and time of a read. Both decide what is hidden. */
export type Viewer = { readonly caller: Caller; readonly now: Date }

/** SQL type of a placeholder, and how its value is added. */
type Placeholder = { readonly type: string; add(builder: SqlBuilder, viewer: Viewer): string }

const ofCaller = (type: string, read: (caller: Caller) => unknown): Placeholder => ({
  type,
  add: (builder, { caller }) => builder.value(read(caller), type),
})

const PLACEHOLDERS: Readonly<Record<string, Placeholder>> = {
  [NOW]: { type: 'timestamptz', add: (builder, { now }) => builder.now(now) },
  [PERSON]: ofCaller('integer', ({ resourceOwnerId }) => resourceOwnerId),
  [ROLES]: ofCaller('text[]', ({ application }) => application.roles),
  [SCOPES]: ofCaller('text[]', ({ scopes }) => scopes),
}

/** Returns a statement for a viewer. Its text is the same for every viewer, so that it is prepared once. */
export const queryFor = (viewer: Viewer, text: string, builder: SqlBuilder): Query =>
  fill(viewer, bind(text, builder), builder)

/** A statement with parameters for the placeholders `words`, in sub-selects so that one plan serves every value. */
type Bound = { readonly text: string; readonly words: readonly string[] }

function bind(text: string, { values, isPlannedAnew }: SqlBuilder): Bound {
  const words = [...new Set(text.match(/\{\{\w+\}\}/g))]
  const placeOf = (word: string, index: number) => {
    const value = `$${values.length + index + 1}::${PLACEHOLDERS[word]?.type}`
    return isPlannedAnew ? value : `(select ${value})`
  }
  const places = new Map(words.map((word, index) => [word, placeOf(word, index)]))
  return { text: text.replace(/\{\{\w+\}\}/g, (word) => defined(places.get(word))), words }
}

function fill(viewer: Viewer, { text, words }: Bound, builder: SqlBuilder): Query {
  for (const word of words) PLACEHOLDERS[word]?.add(builder, viewer)
  return { text, values: builder.values, nowAt: builder.nowAt }
}

/** A limit, since clients choose filters and sorts. */
const MAX_TEXTS = 30

/** Caches bound statements by key. */
export class StatementTexts {
  readonly #bound = new Map<string, Bound>()

  /** `key` must determine the text of `write` and the number of values in `builder`. */
  query(viewer: Viewer, key: string, write: () => string, builder: SqlBuilder): Query {
    const known = this.#bound.get(key)
    if (known) return fill(viewer, known, builder)
    if (this.#bound.size >= MAX_TEXTS) this.#bound.clear()
    const bound = bind(write(), builder)
    this.#bound.set(key, bound)
    return fill(viewer, bound, builder)
  }
}
