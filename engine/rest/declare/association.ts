import { namesOf } from '../../base/narrow.ts'
/** Association of a record with another: a column of its own, a path through join tables, or any of several paths. */
export type Association = string | Through | { readonly anyOf: readonly Association[] }

type Narrowing = {
  /** Boolean column that must be false. */
  readonly unless?: string
  /** Boolean column that must be true. */
  readonly only?: string
  /** Columns of a period that must contain now. A null end is open. */
  readonly current?: readonly [begin: string, end: string]
}

/** A join table and its foreign keys, by the name of the resource they refer to. */
export type JoinTable<R extends string = string> = Narrowing & {
  readonly table: string
  readonly keys: Readonly<Record<R, string>>
}

/** A path through a table: `foreignKey` refers to `key` of this record, `otherKey` to the other or a further path. */
export type Through = Narrowing & {
  readonly table: string
  readonly foreignKey: string
  readonly key?: string
  readonly otherKey: string | Through
  /** Skips guards of `key`, since the record shows its associations anyway. */
  readonly bypassesGuard?: boolean
}

export type ThroughOne = Through & { readonly otherKey: string }

/** Declares a join table: `joinTable('authors_books', { authors: 'author_id', books: 'book_id' })`. */
export const joinTable = <R extends string>(table: string, keys: Readonly<Record<R, string>>): JoinTable<R> =>
  Object.freeze({ table, keys })

type ThroughOptions = Narrowing & {
  /** Column of this record that the join table refers to. Defaults to `id`. */
  readonly by?: string
  readonly bypassesGuard?: boolean
}

/** Returns the path to the resource `to`. Throws unless the table joins `to` and one other resource. */
export function through<R extends string>(
  { keys, ...joined }: JoinTable<R>,
  to: NoInfer<R>,
  { by, ...options }: ThroughOptions = {},
): ThroughOne {
  const others = namesOf(keys).filter((name) => name !== to)
  const [other] = others
  if (!Object.hasOwn(keys, to) || other === undefined || others.length > 1)
    throw new Error(`${joined.table} joins ${Object.keys(keys).join(' and ')}, not ${to} and one other`)
  return { ...joined, ...options, ...(by ? { key: by } : {}), foreignKey: keys[other], otherKey: keys[to] }
}

export const throughFrom = <R extends string>(joined: JoinTable<R>, from: NoInfer<R>) => {
  const { foreignKey, otherKey, ...rest } = through(joined, from)
  return { ...rest, foreignKey: otherKey, otherKey: foreignKey }
}

/** Returns the path through the record that the column `by` refers to. */
export const throughRecord = <K extends string | Through>(table: string, by: string, otherKey: K) => ({
  table,
  foreignKey: 'id',
  key: by,
  otherKey,
})

/** Joins two paths. Throws unless the second begins where the first ends. */
export function onward(first: ThroughOne, second: Through): Through {
  if (second.key !== first.otherKey)
    throw new Error(`${first.table} leads to ${first.otherKey}, and ${second.table} goes on from ${second.key ?? 'id'}`)
  return { ...first, otherKey: second }
}
