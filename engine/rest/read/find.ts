import type { Values } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'
import { type ActionRequest, noRecord, notOwn } from '../action-request.ts'
import type { ParentCondition, RecordKey } from '../condition.ts'
import type { Association } from '../declare/association.ts'
import { associationSql } from '../declare/association-sql.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import { SqlBuilder } from '../declare/sql-builder.ts'
import { expressionOf } from './order.ts'
import { identity } from './record-key.ts'

/** The id of a record that a path names, or undefined when there is none. */
export async function findId(handle: Handle, resource: Resource, key: RecordKey): Promise<number | undefined> {
  const id = await select(handle, 't.id', resource, key)
  return id == null ? undefined : Number(id)
}

/** One column of a record that a path names. */
export const findValue = (handle: Handle, resource: Resource, key: RecordKey, name: string): Promise<unknown> =>
  select(handle, expressionOf(resource, name, 't'), resource, key)

async function select(handle: Handle, expression: string, resource: Resource, key: RecordKey) {
  const builder = new SqlBuilder()
  const where = `t.${identity(resource, key, builder)}`
  const text = `select ${expression} from ${quote(resource.table)} t where ${where}`
  const [row] = await handle.rows(text, builder.values)
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
  const builder = new SqlBuilder()
  const [record, owner] = [builder.value(id, 'integer'), builder.value(person, 'integer')]
  const owned = associationSql(association).write({ alias: 't', id: owner })
  const text = `select 1 from ${quote(resource.table)} t where t.id = ${record} and ${owned}`
  return (await handle.rows(text, builder.values)).length > 0
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

/** Returns the values of columns that the path supplies, such as `user_id` below a user. */
export const valuesOfPath = (parents: readonly PathParent[]): Values =>
  Object.fromEntries(
    parents.flatMap(({ association, key }) => (typeof association === 'string' ? [[association, key.id]] : [])),
  )

/** Throws 403 if the caller may use only records of their own and this record is not one. */
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
