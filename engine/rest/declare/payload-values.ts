import type { Values } from '../../actions.ts'
import type { Column, Field, Parameter } from './fields/field.ts'

type Described = {
  readonly accepts?: readonly string[] | { readonly except: readonly string[]; readonly and?: readonly string[] }
  readonly requires?: readonly string[]
  readonly extra?: Readonly<Record<string, Parameter>>
}

/** Values that `create` receives. Required ones are present. */
export type CreateValues<F extends Record<string, Field>, P extends Described> = Values & {
  readonly [K in Accepted<F, P> as K extends Required<F, P> ? K : never]: ValueOf<F, K>
} & {
  readonly [K in Accepted<F, P> as K extends Required<F, P> ? never : K]?: ValueOf<F, K> | BlankOf<F, K>
} & ExtraValues<P>

/** Values that `update` receives. Required ones are not null. */
export type UpdateValues<F extends Record<string, Field>, P extends Described> = Values & {
  readonly [K in Accepted<F, P>]?: ValueOf<F, K> | (K extends Required<F, P> ? never : BlankOf<F, K>)
} & ExtraValues<P>

/** Columns that the database sets. Clients write them only if `accepts` names them. */
export const DATABASE_COLUMNS = ['id', 'created_at', 'updated_at'] as const

type Accepted<F, P extends Described> = P['accepts'] extends readonly (infer K extends string)[]
  ? K
  :
      | Exclude<
          StoredName<F>,
          | (typeof DATABASE_COLUMNS)[number]
          | (P['accepts'] extends { readonly except: readonly (infer E)[] } ? E : never)
        >
      | (P['accepts'] extends { readonly and: readonly (infer A extends string)[] } ? A : never)

/** Only a column has a specific `nullable`. */
type StoredName<F> = {
  [K in keyof F & string]: F[K] extends Field<infer C> ? (boolean extends C['nullable'] ? never : K) : never
}[keyof F & string]

type Required<F, P extends Described> =
  | (P['requires'] extends readonly (infer K)[] ? K : never)
  | { [K in keyof F]: F[K] extends Field<{ readonly required: true } & Column> ? K : never }[keyof F]

type ColumnOf<F, K extends PropertyKey> = K extends keyof F ? (F[K] extends Field<infer C> ? C : Column) : Column

type ValueOf<F, K extends PropertyKey> = Read<ColumnOf<F, K>>

/** A blank value of a column that is not nullable stands for its default. */
type BlankOf<F, K extends PropertyKey> = ColumnOf<F, K> extends { readonly nullable: false } ? never : null

type ExtraValues<P extends Described> = {
  readonly [K in keyof NonNullable<P['extra']>]?:
    | Read<NonNullable<P['extra']>[K]>
    | (NonNullable<P['extra']>[K] extends { readonly required: true } ? never : null)
}

export type Read<C> = C extends { readonly kind: { read(input: unknown): infer T } } ? T : never
