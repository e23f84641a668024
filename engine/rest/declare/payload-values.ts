import type { Values } from '../../actions.ts'
import type { Column, Field, Parameter } from './fields/field.ts'

/** What of a payload says which values an action is handed. */
type Described = {
  readonly accepts?: readonly string[] | { readonly except: readonly string[]; readonly and?: readonly string[] }
  readonly requires?: readonly string[]
  readonly extra?: Readonly<Record<string, Parameter>>
}

/** The values of a payload that creates a record: those that it requires are there. */
export type CreateValues<F extends Record<string, Field>, P extends Described> = Values & {
  readonly [K in Accepted<F, P> as K extends Required<F, P> ? K : never]: ValueOf<F, K>
} & {
  readonly [K in Accepted<F, P> as K extends Required<F, P> ? never : K]?: ValueOf<F, K> | BlankOf<F, K>
} & ExtraValues<P>

/** The values of a payload that changes a record: some of those that it accepts; a required one is never blank. */
export type UpdateValues<F extends Record<string, Field>, P extends Described> = Values & {
  readonly [K in Accepted<F, P>]?: ValueOf<F, K> | (K extends Required<F, P> ? never : BlankOf<F, K>)
} & ExtraValues<P>

/** The names of columns that clients do not write unless it is said: the database gives their values. */
export const GIVEN = ['id', 'created_at', 'updated_at'] as const

type Accepted<F, P extends Described> = P['accepts'] extends readonly (infer K extends string)[]
  ? K
  :
      | Exclude<
          StoredName<F>,
          (typeof GIVEN)[number] | (P['accepts'] extends { readonly except: readonly (infer E)[] } ? E : never)
        >
      | (P['accepts'] extends { readonly and: readonly (infer A extends string)[] } ? A : never)

/** A column says whether it may be null; any other field is of whatever column. */
type StoredName<F> = {
  [K in keyof F & string]: F[K] extends Field<infer C> ? (boolean extends C['nullable'] ? never : K) : never
}[keyof F & string]

type Required<F, P extends Described> =
  | (P['requires'] extends readonly (infer K)[] ? K : never)
  | { [K in keyof F]: F[K] extends Field<{ readonly required: true } & Column> ? K : never }[keyof F]

type ColumnOf<F, K extends PropertyKey> = K extends keyof F ? (F[K] extends Field<infer C> ? C : Column) : Column

type ValueOf<F, K extends PropertyKey> = Read<ColumnOf<F, K>>

/** A blank asks for the default where the column has no null. */
type BlankOf<F, K extends PropertyKey> = ColumnOf<F, K> extends { readonly nullable: false } ? never : null

type ExtraValues<P extends Described> = {
  readonly [K in keyof NonNullable<P['extra']>]?:
    | Read<NonNullable<P['extra']>[K]>
    | (NonNullable<P['extra']>[K] extends { readonly required: true } ? never : null)
}

/** The values of a column. */
export type Read<C> = C extends { readonly kind: { read(input: unknown): infer T } } ? T : never
