import type { Action, Values } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import { HttpError } from '../../errors.ts'
import type { CreateAction, Nested, Resource, WriteAction } from '../declare/declaration.ts'
import type { Registry } from '../declare/registry.ts'
import type { Element, Parsed, Payload } from './parse.ts'

/** What is to be written of a record, by itself or as a part of another: `run.ts` runs it. */
export type WritePlan = InsertPlan | UpdatePlan | DeletePlan

export type InsertPlan = RecordPlan & {
  readonly kind: 'insert'
  /** Instead of the plain insert. */
  readonly perform: CreateAction['perform']
  /** The same for several at once. */
  readonly performAll?: CreateAction['performAll']
}

export type UpdatePlan = RecordPlan & {
  readonly kind: 'update'
  readonly id: number
  /** Instead of the plain update. */
  readonly perform: Action | undefined
}

export type DeletePlan = {
  readonly kind: 'delete'
  readonly resource: Resource
  readonly id: number
  /** Instead of the plain delete. */
  readonly perform: Action | undefined
}

type RecordPlan = {
  readonly resource: Resource
  readonly values: Values
  /** The records that this one is going to point at, each by a column: they come first. */
  readonly pointed: readonly PointedPlan[]
  /** The records that refer to this one: they come after it. */
  readonly nested: readonly NestedPlan[]
  readonly links: readonly LinksPlan[]
  /** After all of them. */
  readonly finish: Action | undefined
}

type PointedPlan = { readonly name: string; readonly by: string; readonly plan: Parsed<InsertPlan> }

/** Each element becomes a plan when its turn comes: what is there depends on those before it. */
export type NestedPlan = {
  readonly name: string
  readonly nested: Nested
  readonly resource: Resource
  readonly elements: readonly Parsed<Element>[]
}

export type LinksPlan = {
  readonly name: string
  readonly links: { readonly table: string; readonly foreignKey: string; readonly otherKey: string }
  /** The table between, where it is a resource itself. */
  readonly between: Resource | undefined
  readonly ids: readonly number[]
}

/** A new record. */
export function planInsert(
  registry: Registry,
  resource: Resource,
  payload: Payload,
  {
    performAll,
    perform = performAll && oneOf(performAll),
    finish,
  }: Pick<CreateAction, 'perform' | 'performAll' | 'finish'> = {},
): InsertPlan {
  return { kind: 'insert', ...planRecord(registry, resource, payload), perform, performAll, finish }
}

const oneOf =
  (performAll: NonNullable<CreateAction['performAll']>): NonNullable<CreateAction['perform']> =>
  async (tx, input) => {
    const [made] = await performAll(tx, [input])
    if (made instanceof HttpError) throw made
    return defined(made)
  }

/** Changes of a record that is there. */
export function planUpdate(
  registry: Registry,
  resource: Resource,
  id: number,
  changes: Payload,
  { perform, finish }: Pick<WriteAction, 'perform' | 'finish'> = {},
): UpdatePlan {
  return { kind: 'update', id, ...planRecord(registry, resource, changes), perform, finish }
}

/** The deletion of a record. */
export const planDelete = (
  resource: Resource,
  id: number,
  { perform }: Pick<WriteAction, 'perform'> = {},
): DeletePlan => ({ kind: 'delete', resource, id, perform })

function planRecord(
  registry: Registry,
  resource: Resource,
  { values, pointed, nested, links }: Payload,
): Omit<RecordPlan, 'finish'> {
  const declared: Partial<NonNullable<Resource['payload']>> = resource.payload ?? {}
  return {
    resource,
    values,
    pointed: declaredParts(pointed, declared.pointed, (name, payload, { resource: other, by }) => {
      const plan = payload instanceof HttpError ? payload : planInsert(registry, registry.get(other), payload)
      return { name, by, plan }
    }),
    nested: declaredParts(nested, declared.nested, (name, elements, target) => {
      return { name, nested: target, resource: registry.get(target.resource), elements }
    }),
    links: declaredParts(links, declared.links, (name, ids, target) => {
      const between = registry.resources.find(({ table }) => table === target.table)
      return { name, links: target, between, ids }
    }),
  }
}

function declaredParts<T, D, P>(
  parts: ReadonlyMap<string, T>,
  declared: Readonly<Record<string, D>> = {},
  plan: (name: string, part: T, declaration: D) => P,
): P[] {
  return [...parts].map(([name, part]) => plan(name, part, defined(declared[name])))
}

/** Whether nothing is written or checked after the record itself. */
export const isAlone = (plan: InsertPlan | UpdatePlan): boolean => hasNoParts(plan) && !plan.resource.authorize

/** The same without `authorize`, which asks nothing of an application. */
export const hasNoParts = ({ resource, nested, links, pointed, finish }: InsertPlan | UpdatePlan): boolean =>
  nested.length + links.length + pointed.length === 0 && !finish && !resource.payload?.validateAfter
