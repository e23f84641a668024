import type { Values } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import { type ActionRequest, noRecord, notOwn } from '../action-request.ts'
import type { ParentCondition, RecordKey } from '../condition.ts'
import type { Grant } from '../declare/access.ts'
import { associationSql } from '../declare/association-sql.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import { SqlBuilder } from '../declare/sql-builder.ts'
import { expressionOf } from './order.ts'
import { identity } from './record-key.ts'

export async function findId(handle: Handle, resource: Resource, key: RecordKey): Promise<number | undefined> {
  const id = await select(handle, 't.id', resource, key)
  return id == null ? undefined : Number(id)
}

export const findValue = (handle: Handle, resource: Resource, key: RecordKey, name: string): Promise<unknown> =>
  select(handle, expressionOf(resource, name), resource, key)

async function select(handle: Handle, expression: string, resource: Resource, key: RecordKey) {
  const builder = new SqlBuilder()
  const where = `t.${identity(resource, key, builder)}`
  const text = `select ${expression} from ${quote(resource.table)} t where ${where}`
  const [row] = await handle.rows(text, builder.values)
  return row?.[0]
}

export async function isGranted(
  handle: Handle,
  resource: Resource,
  id: number,
  { ownAssociation }: Grant,
  { resourceOwnerId }: Caller,
): Promise<boolean> {
  if (!ownAssociation) return true
  if (resourceOwnerId === null) return false
  const builder = new SqlBuilder()
  const record = builder.value(id, 'integer')
  const owned = associationSql(ownAssociation).write({ alias: 't', id: builder.value(resourceOwnerId, 'integer') })
  const text = `select 1 from ${quote(resource.table)} t where t.id = ${record} and ${owned}`
  return (await handle.rows(text, builder.values)).length > 0
}

/** A parent in the path with its id. */
export type PathParent = ParentCondition & { readonly key: { readonly id: number } }

/** Returns the parents with their ids. Throws 404 if one does not exist. */
export async function findParents(handle: Handle, parents: readonly ParentCondition[]): Promise<readonly PathParent[]> {
  const found: PathParent[] = []
  for (const condition of parents) {
    const id = await findId(handle, condition.parent, condition.key)
    if (id === undefined) throw noRecord(condition.parent, condition.key)
    found.push({ ...condition, key: { id } })
  }
  return found
}

/** Returns the values that the path supplies, such as `user_id` below a user. */
export const valuesOfPath = (parents: readonly PathParent[]): Values =>
  Object.fromEntries(
    parents.flatMap(({ association, key }) => (typeof association === 'string' ? [[association, key.id]] : [])),
  )

/** Throws 403 if the caller may use only their own records and this record belongs to another user. */
export async function requireOwner(handle: Handle, resource: Resource, id: number, { grant, caller }: ActionRequest) {
  if (!(await isGranted(handle, resource, id, grant, caller))) throw notOwn()
}
