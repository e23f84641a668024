import type { Action, ActionInput, Renderer, Values } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'
import type { MemberAction } from './declaration.ts'
import type { Field, Parameter } from './fields/field.ts'
import type { Read } from './payload-values.ts'

type Accepted = Readonly<Record<string, Parameter>>

/** Values of an action: required ones are present, others may be missing or null. */
type Taken<A extends Accepted> = Values & {
  readonly [K in keyof A as A[K] extends { readonly required: true } ? K : never]: Read<A[K]>
} & {
  readonly [K in keyof A as A[K] extends { readonly required: true } ? never : K]?: Read<A[K]> | null
}

type Declared<A extends Accepted> = Omit<MemberAction, 'accepts' | 'perform' | 'respond' | 'schema'> & {
  readonly accepts: A
} & (
    | { readonly perform: Action<Taken<A>> }
    | {
        readonly respond: (tx: Handle, input: ActionInput<Taken<A>> & Renderer) => Promise<string>
        readonly schema: Field['schema']
      }
  )

/** Declares a member action with typed values. The engine drops the types. */
export function memberAction<const A extends Accepted>(declared: Declared<A>): MemberAction
export function memberAction(declared: MemberAction): MemberAction {
  return declared
}
