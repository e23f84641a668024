import type { FoundAssociation } from '../actions.ts'
import type { Association } from './declare/association.ts'
import type { Resource } from './declare/declaration.ts'
import type { Kind, SqlValue } from './declare/fields/kinds.ts'
import type { CustomFilter } from './declare/filters.ts'

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
  | { readonly kind: 'search'; readonly names: readonly string[]; readonly words: readonly string[] }
  | { readonly kind: 'blank'; readonly name: string }
  /** An empty list of values matches no record. */
  | { readonly kind: 'nothing' }
  /** The column is true, or the record is the person's own. */
  | {
      readonly kind: 'visible'
      readonly name: string | undefined
      readonly own: { readonly association: Association; readonly person: number } | undefined
    }
  | ParentCondition
  | FoundCondition

/** The domain found the record. Its rows have these columns, beginning with the id. */
export type FoundCondition = {
  readonly kind: 'found'
  readonly columns: FoundAssociation['columns']
  readonly rows: readonly (readonly number[])[]
}

export type ParentCondition = {
  readonly kind: 'parent'
  readonly parent: Resource
  readonly association: Association | FoundAssociation
  readonly key: RecordKey
}

export type RecordKey = { readonly id: number } | { readonly name: string }
