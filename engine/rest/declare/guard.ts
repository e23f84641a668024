import type { Access } from './access.ts'
import { associatedWith } from './association-sql.ts'
import { caller, joinSql, literal, type Sql, sql } from './sql.ts'

/**
 * Hides fields of some records from all but those who have an access (spec: access 9). What is declared with it is hidden as a whole:
 * in every representation, and in every filter, range, sort, nested list and list of a record that looks at one of its columns.
 */
export type Guard = {
  /** Condition: the guard hides its fields of the record. It must never be null. */
  readonly hides: Sql
  /** From whom it hides nothing; `own` may be part of it. Nobody unless said. */
  readonly except?: Access
}

/** Hides the fields of every record. */
export const always: Sql = sql`true`

/** Returns the condition that the guard hides its fields of the row from the caller. It is never null. */
export function hiddenSql(guard: Guard): Sql {
  const known = hidden.get(guard) ?? hiddenBy(guard)
  hidden.set(guard, known)
  return known
}

/** Caches conditions by guard, since a request needs them several times. */
const hidden = new WeakMap<Guard, Sql>()

const hiddenBy = ({ hides, except }: Guard): Sql =>
  except ? sql`(${hides} and not ${accessSql(except)})` : sql`(${hides})`

function accessSql(access: Access): Sql {
  switch (access.kind) {
    case 'open':
      return sql`true`
    case 'role':
      return sql`(${caller.roles} && ${literal(access.sufficient)})`
    case 'scope':
      return sql`(${caller.scopes} @> ${literal([access.scope])})`
    case 'person':
      return sql`(${caller.person} is not null)`
    case 'own':
      return sql`coalesce(${associatedWith(access.association, caller.person)}, false)`
    case 'all':
      return sql`(${joinSql(access.of.map(accessSql), ' and ')})`
    case 'either':
      return sql`(${joinSql(access.of.map(accessSql), ' or ')})`
  }
}
