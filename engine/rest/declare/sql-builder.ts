import { defined } from '../../base/defined.ts'
import { comparedAs, type Kind, type SqlValue } from './fields/kinds.ts'

export type Query = {
  readonly text: string
  readonly values: readonly unknown[]
  /** Indexes of values that hold the time of the request. */
  readonly nowAt?: readonly number[] | undefined
}

/** Collects the values of a statement, so that its text never contains one. */
export class SqlBuilder {
  readonly values: unknown[] = []
  readonly nowAt: number[] = []
  /** PostgreSQL plans the statement for its values instead of once for all values. */
  readonly isPlannedAnew: boolean

  constructor({ isPlannedAnew = false } = {}) {
    this.isPlannedAnew = isPlannedAnew
  }

  value(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }

  now(now: Date): string {
    this.nowAt.push(this.values.length)
    return this.value(now.toISOString(), 'timestamptz')
  }

  /** Adds the bound of a range. In a sub-select it is unknown to the planner, so that one plan serves every value. */
  bound(value: unknown, type: string): string {
    const text = this.value(value, type)
    return this.isPlannedAnew ? text : `(select ${text})`
  }

  /** Returns the condition that `expression` is one of the values. Null matches null. */
  matches(expression: string, values: readonly SqlValue[], kind: Kind): string {
    const present = values.filter((value) => value !== null)
    const sqlType = comparedAs(kind, present)
    const parts: string[] = []
    // With `=` an index also yields the order, which it does not with `any`.
    if (present.length === 1) parts.push(`${expression} = ${this.value(present[0], sqlType)}`)
    if (present.length > 1) parts.push(`${expression} = any(${this.value(present, `${sqlType}[]`)})`)
    if (present.length < values.length) parts.push(`${expression} is null`)
    return parts.length === 1 ? defined(parts[0]) : `(${parts.join(' or ')})`
  }
}
