import { namesOf } from '../../base/narrow.ts'
/** How a record is associated with another: by a column of its own, through join tables, or by any of several ways. */
export type Association = string | Through | { readonly anyOf: readonly Association[] }

/** Which rows of a join table count. */
type Narrowing = {
  /** A flag of the table: rows where it is true do not count. */
  readonly unless?: string
  /** A flag of the table: only rows where it is true count. */
  readonly only?: string
  /** Two columns of the table between which now must lie; an end that is not set is open. */
  readonly current?: readonly [begin: string, end: string]
}

/** A table that joins two resources: the column that holds the ids of each, by the resource's name. */
export type JoinTable<R extends string = string> = Narrowing & {
  readonly table: string
  readonly keys: Readonly<Record<R, string>>
}

/**
 * The way through a table: its `foreignKey` holds this record's `key` (the id unless said), its `otherKey` the other's id
 * or, where further tables are joined, the way on from its own row.
 */
export type Through = Narrowing & {
  readonly table: string
  readonly foreignKey: string
  readonly key?: string
  readonly otherKey: string | Through
  /** What it associates the record with follows from what the record shows anyway: no guard of the key is asked. */
  readonly bypassesGuard?: boolean
}

/** The way through one table. */
export type ThroughOne = Through & { readonly otherKey: string }

/** Declares a join table, once for both sides: `joinTable('authors_books', { authors: 'author_id', books: 'book_id' })`. */
export const joinTable = <R extends string>(table: string, keys: Readonly<Record<R, string>>): JoinTable<R> =>
  Object.freeze({ table, keys })

type ThroughOptions = Narrowing & {
  /** The column of this record that the join table holds; its id unless said. */
  readonly by?: string
  readonly bypassesGuard?: boolean
}

/** The way through a join table to one of the resources that it joins. Throws where it does not join it to one other. */
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

/** The way through a join table from the one resource to the other that it joins. */
export const throughFrom = <R extends string>(joined: JoinTable<R>, from: NoInfer<R>) => {
  const { foreignKey, otherKey, ...rest } = through(joined, from)
  return { ...rest, foreignKey: otherKey, otherKey: foreignKey }
}

/** The way through the record that the column `by` points at. */
export const throughRecord = <K extends string | Through>(table: string, by: string, otherKey: K) => ({
  table,
  foreignKey: 'id',
  key: by,
  otherKey,
})

/** The one way, and from where it leads the other. Throws where the other begins elsewhere. */
export function onward(first: ThroughOne, second: Through): Through {
  if (second.key !== first.otherKey)
    throw new Error(`${first.table} leads to ${first.otherKey}, and ${second.table} goes on from ${second.key ?? 'id'}`)
  return { ...first, otherKey: second }
}
