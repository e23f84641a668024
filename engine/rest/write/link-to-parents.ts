import { message } from '../../base/languages/say.ts'
import { unprocessable } from '../../errors.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import type { PathParent } from '../read/find.ts'
import { findQuery } from '../read/query.ts'
import { isFound } from '../read/record-key.ts'
import type { RequestContext } from '../request-context.ts'

/**
 * Puts a new record below the parents in its path: inserts the row of a join table where one associates it with them
 * (`/v2/shelves/:shelf_id/books`). Throws 422 where it does not lie below one of them after that.
 */
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
    // A column of its own was given the id of the parent.
    if (typeof condition.association === 'string') continue
    const { text, values } = findQuery(resource, { id }, [condition], context, '')
    if ((await handle.rows(text, values)).length > 0) continue
    throw unprocessable({
      base: [message('does not belong to the {what} in the path', { what: condition.parent.singular })],
    })
  }
}
