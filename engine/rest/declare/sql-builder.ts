import { defined } from '../../base/defined.ts'
import { comparedAs, type Kind, type SqlValue } from './fields/kinds.ts'

/** A statement with its values. */
export type Query = {
  readonly text: string
  readonly values: readonly unknown[]
  /** The places among the values that hold the time of the request. */
  readonly nowAt?: readonly number[] | undefined
}

/** Collects the values of one SQL statement, so that no value is ever part of its text. */
export class SqlBuilder {
  readonly values: unknown[] = []
  /** The places among the values that hold the time of the request. */
  readonly nowAt: number[] = []
  /** The server plans the statement for the values that it is sent with, rather than once for all. */
  readonly isPlannedAnew: boolean

  constructor({ isPlannedAnew = false } = {}) {
    this.isPlannedAnew = isPlannedAnew
  }

  /** Adds a value and gives the text that stands for it. */
  value(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }

  /** The same for the time of the request. */
  now(now: Date): string {
    this.nowAt.push(this.values.length)
    return this.value(now.toISOString(), 'timestamptz')
  }

  /** A bound of a range. In a sub-select one plan serves every value: the server never finds that another would cost less for this one. */
  bound(value: unknown, type: string): string {
    const text = this.value(value, type)
    return this.isPlannedAnew ? text : `(select ${text})`
  }

  /** The condition that `expression` is one of the values; null matches null. */
  matches(expression: string, values: readonly SqlValue[], kind: Kind): string {
    const present = values.filter((value) => value !== null)
    const sqlType = comparedAs(kind, present)
    const parts: string[] = []
    // One value is compared as such: the index then gives the order too, which it does not for a list.
    if (present.length === 1) parts.push(`${expression} = ${this.value(present[0], sqlType)}`)
    if (present.length > 1) parts.push(`${expression} = any(${this.value(present, `${sqlType}[]`)})`)
    if (present.length < values.length) parts.push(`${expression} is null`)
    return parts.length === 1 ? defined(parts[0]) : `(${parts.join(' or ')})`
  }
}
