import type { Handle } from '../../database/database.ts'
import type { ActionRequest } from '../action-request.ts'
import { quote } from '../declare/identifiers.ts'
import { parentIds } from '../read/find.ts'
import { isFound } from '../read/record-key.ts'

/** Ties a new record to those parents in its path with which a join table associates it: `/v2/campus/:campus_id/products`. */
export async function linkToParents(tx: Handle, { parents }: ActionRequest, id: number): Promise<void> {
  for (const parent of parents) {
    const { association } = parent
    if (typeof association === 'string' || isFound(association) || 'anyOf' in association) continue
    const { table, foreignKey, otherKey, key = 'id' } = association
    if (typeof otherKey !== 'string' || key !== 'id') continue
    const [parentId] = await parentIds(tx, [parent])
    await tx.rows(
      `insert into ${quote(table)} (${quote(foreignKey)}, ${quote(otherKey)}) values ($1, $2) on conflict do nothing`,
      [id, parentId],
    )
  }
}
