import type { Access } from './access.ts'
import { associatedWith } from './association-sql.ts'
import { caller, joinSql, literal, type Sql, sql } from './sql.ts'

/**
 * Hides fields from callers without an access (spec: access 9), in representations and in every filter, range, sort and
 * nested list that uses their columns.
 */
export type Guard = {
  /** Condition that the record's fields are hidden. It must not be null. */
  readonly hides: Sql
  /** Callers who see the fields. It may contain `own`. Defaults to nobody. */
  readonly except?: Access
}

export const always: Sql = sql`true`

/** Returns the condition that the guard hides its fields from the caller. It is never null. */
export function hiddenSql(guard: Guard): Sql {
  const known = hidden.get(guard) ?? hiddenBy(guard)
  hidden.set(guard, known)
  return known
}

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
