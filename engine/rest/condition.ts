import type { FoundAssociation } from '../actions.ts'
import type { Association } from './declare/association.ts'
import type { Resource } from './declare/declaration.ts'
import type { Kind, SqlValue } from './declare/fields/kinds.ts'
import type { CustomFilter } from './declare/filters.ts'

/** What a record must be to be read or written; of several all must hold. */
export type Condition =
  | { readonly kind: 'filter'; readonly name: string; readonly type: Kind; readonly values: readonly SqlValue[] }
  | { readonly kind: 'custom filter'; readonly filter: CustomFilter; readonly values: readonly SqlValue[] }
  | {
      readonly kind: 'range'
      readonly name: string
      readonly type: Kind
      readonly min: SqlValue
      readonly max: SqlValue
    }
  /** Each of the words is in one of the columns. */
  | { readonly kind: 'search'; readonly names: readonly string[]; readonly words: readonly string[] }
  | { readonly kind: 'blank'; readonly name: string }
  /** An empty list of values is asked for, and no record has one of them. */
  | { readonly kind: 'nothing' }
  /** The column, if any, is true, or the record is this person's own. */
  | {
      readonly kind: 'visible'
      readonly name: string | undefined
      readonly own: { readonly association: Association; readonly person: number } | undefined
    }
  | ParentCondition
  | FoundCondition

/** The record is one of those that the domain has found; their rows have these columns, the record's id first. */
export type FoundCondition = {
  readonly kind: 'found'
  readonly columns: FoundAssociation['columns']
  readonly rows: readonly (readonly number[])[]
}

/** The record lies below another one, given by id or by what stands for it in paths. */
export type ParentCondition = {
  readonly kind: 'parent'
  readonly parent: Resource
  readonly association: Association | FoundAssociation
  readonly key: RecordKey
}

/** How a path names a record. */
export type RecordKey = { readonly id: number } | { readonly name: string }
