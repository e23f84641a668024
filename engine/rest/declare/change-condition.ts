import { literal } from '../../database/literal.ts'

/** An event: a condition on a column before and after a change. */
export type ChangeCondition<Column extends string = string> = {
  readonly column: Column
  readonly label: string
  /** Returns the condition, or undefined if it cannot hold. `before` is undefined for a new record. */
  sql(before: string | undefined, after: string): string | undefined
}

/** The column becomes non-null, or is so in a new record. */
export const becomesSet = <C extends string>(column: C, label: string): ChangeCondition<C> => ({
  column,
  label,
  sql: (before, after) => `${before === undefined ? '' : `${before} is null and `}${after} is not null`,
})

export const becomesNull = <C extends string>(column: C, label: string): ChangeCondition<C> => ({
  column,
  label,
  sql: (before, after) => before && `${before} is not null and ${after} is null`,
})

/** The column takes this value, or has it in a new record. */
export const becomes = <C extends string>(column: C, value: string | true, label: string): ChangeCondition<C> => ({
  column,
  label,
  sql: (before, after) => {
    const wanted = value === true ? 'true' : literal(value)
    return `${before === undefined ? '' : `${before} is distinct from ${wanted} and `}${after} = ${wanted}`
  },
})

export const increases = <C extends string>(column: C, label: string): ChangeCondition<C> => ({
  column,
  label,
  sql: (before, after) => before && `${after} > ${before}`,
})
