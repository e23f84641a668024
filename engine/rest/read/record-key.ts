import type { FoundAssociation } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import type { ParentCondition, RecordKey } from '../condition.ts'
import type { Association } from '../declare/association.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import type { SqlBuilder } from '../declare/sql-builder.ts'

/** Reports whether only the domain can find the associated records. */
export const isFound = (association: Association | FoundAssociation): association is FoundAssociation =>
  typeof association !== 'string' && 'find' in association

export function parentId({ parent, key }: Pick<ParentCondition, 'parent' | 'key'>, builder: SqlBuilder): string {
  if ('id' in key) return builder.value(key.id, 'integer')
  return `(select id from ${quote(parent.table)} where ${identity(parent, key, builder)})`
}

/** Returns the condition that a row has the key, without its alias. */
export function identity(resource: Resource, key: RecordKey, builder: SqlBuilder): string {
  if ('id' in key) return `${quote('id')} = ${builder.value(key.id, 'integer')}`
  return `${quote(defined(resource.identifiedBy))} = ${builder.value(key.name, 'text')}`
}
