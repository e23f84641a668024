import { message } from '../../base/languages/say.ts'
import { unprocessable } from '../../errors.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import type { PathParent } from '../read/find.ts'
import { findQuery } from '../read/query.ts'
import { isFound } from '../read/record-key.ts'
import type { RequestContext } from '../request-context.ts'

/** Adds rows to the join tables of the parents in the path. Throws 422 if the record does not belong to a parent. */
export async function linkToParents(
  context: RequestContext,
  resource: Resource,
  parents: readonly PathParent[],
  id: number,
): Promise<void> {
  const { handle } = context
  for (const { association, key: parent } of parents) {
    if (typeof association === 'string' || isFound(association) || 'anyOf' in association) continue
    const { table, foreignKey, otherKey, key = 'id' } = association
    if (typeof otherKey !== 'string' || key !== 'id') continue
    await handle.rows(
      `insert into ${quote(table)} (${quote(foreignKey)}, ${quote(otherKey)}) values ($1, $2) on conflict do nothing`,
      [id, parent.id],
    )
  }
  for (const condition of parents) {
    // The column has the id of the parent.
    if (typeof condition.association === 'string') continue
    const { text, values } = findQuery(resource, { id }, [condition], context, '')
    if ((await handle.rows(text, values)).length > 0) continue
    throw unprocessable({
      base: [message('does not belong to the {what} in the path', { what: condition.parent.singular })],
    })
  }
}
