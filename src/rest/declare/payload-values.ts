import type { Values } from '../../actions.ts'
import type { Column, Field, Parameter } from './fields/field.ts'

/** What of a payload says which values an action is handed. */
type Described = {
  readonly accepts: readonly string[]
  readonly requires?: readonly string[]
  readonly extra?: Readonly<Record<string, Parameter>>
}

/** The values of a payload that creates a record: those that it requires are there. */
export type CreateValues<F extends Record<string, Field>, P extends Described> = Values & {
  readonly [K in P['accepts'][number] as K extends Required<P> ? K : never]: ValueOf<F, K>
} & {
  readonly [K in P['accepts'][number] as K extends Required<P> ? never : K]?: ValueOf<F, K> | BlankOf<F, K>
} & ExtraValues<P>

/** The values of a payload that changes a record: some of those that it accepts; a required one is never blank. */
export type UpdateValues<F extends Record<string, Field>, P extends Described> = Values & {
  readonly [K in P['accepts'][number]]?: ValueOf<F, K> | (K extends Required<P> ? never : BlankOf<F, K>)
} & ExtraValues<P>

type Required<P extends Described> = P['requires'] extends readonly (infer K)[] ? K : never

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
