import { literal } from '../../database/literal.ts'
import { rolesThatGive } from '../../roles.ts'
import { type Access, accessTables } from './access.ts'
import { associationSql } from './association-sql.ts'
import { columnOf, quote } from './identifiers.ts'
import { NOW, PERSON, ROLES, SCOPES } from './placeholders.ts'
import type { TimeDependency } from './time-dependency.ts'

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
  /** The times at which others become hidden or visible. */
  readonly timeDependencies: readonly TimeDependency[]
  /** Tables, beside the record's own, that decide it. */
  readonly tables: readonly string[]
}

/** That the guard hides its fields of the row called `alias` from the viewer. Never null. */
export const hiddenSql = ({ hides, except }: Guard, alias: string) =>
  except ? `(${hides.where(alias)} and not ${accessSql(except, alias)})` : `(${hides.where(alias)})`

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
  timeDependencies: [{ column, minutesBefore: minutes }],
  tables: [],
})

/** Hides something of the records whose `key` points at a row of `table` of which `hides` hides something. */
export const whileOther = (table: string, key: string, hides: Hides): Hides => ({
  where: (alias) => {
    const other = `${alias}_other`
    return `exists (select 1 from ${quote(table)} ${other} where ${other}.id = ${columnOf(alias, key)} and ${hides.where(other)})`
  },
  timeDependencies: hides.timeDependencies.map((dependency) => ({ table, ...dependency })),
  tables: [table, ...hides.tables],
})

/** Hides something of every record. */
export const always: Hides = { where: () => 'true', timeDependencies: [], tables: [] }
