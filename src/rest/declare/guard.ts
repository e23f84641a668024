import { literal } from '../../database/literal.ts'
import { rolesThatGive } from '../../roles.ts'
import { NOW, PERSON, ROLES, SCOPES, type View } from '../read/view.ts'
import { type Access, accessTables, grantOf } from './access.ts'
import { associationSql } from './association-sql.ts'
import type { Resource } from './declaration.ts'
import { columnOf, quote } from './fields/field.ts'
import type { Moment } from './moment.ts'

/**
 * Hides fields of some records from all but those who have an access (spec: access 9). What is declared with it is hidden as a whole:
 * in every representation, and in every filter, range, sort, nested list and list of a record that looks at one of its columns.
 */
export type Guard = {
  readonly hides: Hides
  /** From whom it hides nothing; `own` may be part of it. Nobody unless said. */
  readonly except?: Access
}

/** The records of which a guard hides something. */
type Hides = {
  /** Never null. */
  where(alias: string): string
  /** When the passing of time alone changes which they are. */
  readonly moments: readonly Moment[]
  /** Tables, beside the record's own, that decide it. */
  readonly tables: readonly string[]
}

/** That the guard hides its fields of the row called `alias` from the view's caller. Never null. */
export const hiddenSql = ({ hides, except }: Guard, alias: string) =>
  except ? `(${hides.where(alias)} and not ${accessSql(except, alias)})` : `(${hides.where(alias)})`

/** The condition under which the caller may be told by a column of the row; undefined where it is never hidden from them. */
export function toldSql(resource: Resource, column: string, alias: string, view: View): string | undefined {
  const hidden = hiddenFrom(resource, column, alias, view)
  return hidden && `not ${hidden}`
}

/** The condition under which a column of the row is hidden from the caller; undefined where it never is. Never null. */
export function hiddenFrom(resource: Resource, column: string, alias: string, view: View): string | undefined {
  const guard = guardOf(resource, column)
  if (!guard) return undefined
  const grant = guard.except && grantOf(guard.except, view.caller)
  // To whom nothing at all is told, it is asked in fewer words, of which the server makes a better plan.
  if (!grant) return `(${guard.hides.where(alias)})`
  return grant.ownAssociation ? hiddenSql(guard, alias) : undefined
}

/** The guard of a column, whichever field shows it. */
export function guardOf(resource: Resource, column: string): Guard | undefined {
  const known = guardsByColumn.get(resource) ?? guardsOf(resource)
  guardsByColumn.set(resource, known)
  return known.get(column)
}

/** Asked of each column that a request looks at, so that it is worked out once. */
const guardsByColumn = new WeakMap<Resource, ReadonlyMap<string, Guard | undefined>>()

function guardsOf({ fields }: Resource): ReadonlyMap<string, Guard | undefined> {
  const guards = new Map<string, Guard | undefined>()
  for (const [name, { stored, guard }] of Object.entries(fields)) {
    const column = stored?.column ?? name
    // A field of the column's own name has the say.
    if (stored && (column === name || !guards.has(column))) guards.set(column, guard)
  }
  return guards
}

function accessSql(access: Access, alias: string): string {
  switch (access.kind) {
    case 'open':
      return 'true'
    case 'role':
      return `(${ROLES} && ${textArray(rolesThatGive(access.role))})`
    case 'scope':
      return `(${SCOPES} @> ${textArray([access.scope])})`
    case 'person':
      return `(${PERSON} is not null)`
    case 'own':
      return `coalesce(${associationSql(access.association, alias, PERSON)}, false)`
    case 'all':
      return `(${access.of.map((part) => accessSql(part, alias)).join(' and ')})`
    case 'either':
      return `(${access.of.map((part) => accessSql(part, alias)).join(' or ')})`
  }
}

const textArray = (words: readonly string[]) => `array[${words.map(literal).join(', ')}]`

/** The tables, beside the record's own, that decide whether a guard hides something from anybody. */
export const guardTables = ({ hides, except }: Guard): readonly string[] => [
  ...hides.tables,
  ...(except ? accessTables(except) : []),
]

/** Hides something of the records whose `column` is a time later than so many minutes from now, and `unlessSet` is not set. */
export const whileAhead = (column: string, minutes: number, unlessSet: string): Hides => ({
  // An index finds the rows, as it does not by `coalesce`.
  where: (alias) =>
    `(${columnOf(alias, column)} is not null and ${columnOf(alias, column)} > ${NOW} + interval '${minutes} minutes' and ${columnOf(alias, unlessSet)} is null)`,
  moments: [{ column, minutesBefore: minutes }],
  tables: [],
})

/** Hides something of the records whose `key` points at a row of `table` of which `hides` hides something. */
export const whileOther = (table: string, key: string, hides: Hides): Hides => ({
  where: (alias) => {
    const other = `${alias}_other`
    return `exists (select 1 from ${quote(table)} ${other} where ${other}.id = ${columnOf(alias, key)} and ${hides.where(other)})`
  },
  moments: hides.moments.map((moment) => ({ table, ...moment })),
  tables: [table, ...hides.tables],
})

/** Hides something of every record. */
export const always: Hides = { where: () => 'true', moments: [], tables: [] }
