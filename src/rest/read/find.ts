import type { Handle } from '../../database/database.ts'
import { type ActionRequest, noRecord, notOwn } from '../action-request.ts'
import type { ParentCondition, RecordKey } from '../condition.ts'
import type { Association } from '../declare/association.ts'
import type { Resource } from '../declare/declaration.ts'
import { existsQuery, ownerQuery, valueQuery } from './query.ts'

/** The id of a parent that a path names, or undefined when there is none. */
export async function findId(handle: Handle, resource: Resource, key: RecordKey): Promise<number | undefined> {
  const { text, values } = existsQuery(resource, key)
  const [row] = await handle.rows(text, values)
  return row ? Number(row[0]) : undefined
}

/** One column of a record that a path names. */
export async function findValue(handle: Handle, resource: Resource, key: RecordKey, name: string): Promise<unknown> {
  const { text, values } = valueQuery(resource, key, name)
  const [row] = await handle.rows(text, values)
  return row?.[0]
}

/** Whether a record is associated with this person. */
export async function isOwner(
  handle: Handle,
  resource: Resource,
  id: number,
  association: Association,
  person: number,
): Promise<boolean> {
  const { text, values } = ownerQuery(resource, id, association, person)
  return (await handle.rows(text, values)).length > 0
}

/** A parent that the path names, by its id. */
export type PathParent = ParentCondition & { readonly key: { readonly id: number } }

/** The parents that the path names, which are there. Throws 404. */
export async function findParents(handle: Handle, parents: readonly ParentCondition[]): Promise<readonly PathParent[]> {
  const found: PathParent[] = []
  for (const condition of parents) {
    const id = await findId(handle, condition.parent, condition.key)
    if (id === undefined) throw noRecord(condition.parent, condition.key)
    found.push({ ...condition, key: { id } })
  }
  return found
}

/** Refuses a caller who may only touch records of their own where this is not one. Throws 403. */
export async function requireOwner(
  handle: Handle,
  resource: Resource,
  id: number,
  { grant: { ownAssociation }, caller: { resourceOwnerId } }: ActionRequest,
): Promise<void> {
  if (!ownAssociation) return
  if (resourceOwnerId === null || !(await isOwner(handle, resource, id, ownAssociation, resourceOwnerId)))
    throw notOwn()
}
