import { literal } from '../../database/literal.ts'

/** When a change of a record has a name of its own, in SQL on the row before (`o`) and the row after (`n`). */
export type ChangeCondition<Column extends string = string> = {
  readonly column: Column
  /** One sentence on what has happened then. */
  readonly label: string
  sql(before: string | undefined, after: string): string | undefined
}

/** The column was null and is set, also in a new record. */
export const becomesSet = <C extends string>(column: C, label: string): ChangeCondition<C> => ({
  column,
  label,
  sql: (before, after) => `${before === undefined ? '' : `${before} is null and `}${after} is not null`,
})

/** The column was set and is null. */
export const becomesNull = <C extends string>(column: C, label: string): ChangeCondition<C> => ({
  column,
  label,
  sql: (before, after) => before && `${before} is not null and ${after} is null`,
})

/** The column had another value and has this one, also in a new record. */
export const becomes = <C extends string>(column: C, value: string | true, label: string): ChangeCondition<C> => ({
  column,
  label,
  sql: (before, after) => {
    const wanted = value === true ? 'true' : literal(value)
    return `${before === undefined ? '' : `${before} is distinct from ${wanted} and `}${after} = ${wanted}`
  },
})

/** The number is more than it was. */
export const increases = <C extends string>(column: C, label: string): ChangeCondition<C> => ({
  column,
  label,
  sql: (before, after) => before && `${after} > ${before}`,
})
