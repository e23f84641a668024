import type { WrittenRecord } from '../../http/caller.ts'
import type { Resource } from '../declare/declaration.ts'
import type { RequestContext } from '../request-context.ts'
import type { InsertPlan, UpdatePlan } from './plan.ts'

type Written = Pick<WrittenRecord, 'id' | 'action'> & { readonly plan?: InsertPlan | UpdatePlan }

/** Reports a record that was written to its caller, in the transaction that wrote it, where the caller asked for that. */
export async function reportWrite(
  { caller, handle }: RequestContext,
  { name: resource }: Resource,
  { id, action, plan }: Written,
): Promise<void> {
  await caller.onWrite?.(handle, { resource, id, action, fields: plan ? fieldsOf(plan) : [] })
}

const fieldsOf = ({ values, pointed, nested, links }: InsertPlan | UpdatePlan): readonly string[] => [
  ...Object.keys(values),
  ...[...pointed, ...nested, ...links].map(({ name }) => name),
]
