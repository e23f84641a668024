import { grantOf } from './access.ts'
import type { Resource } from './declaration.ts'
import { type Guard, hiddenSql } from './guard.ts'
import type { Viewer } from './viewer.ts'

/** The condition under which the caller may be told by a column of the row; undefined where it is never hidden from them. */
export function visibleSql(resource: Resource, column: string, alias: string, viewer: Viewer): string | undefined {
  const hidden = hiddenFrom(resource, column, alias, viewer)
  return hidden && `not ${hidden}`
}

/** The condition under which a column of the row is hidden from the caller; undefined where it never is. Never null. */
export function hiddenFrom(resource: Resource, column: string, alias: string, viewer: Viewer): string | undefined {
  const guard = guardOf(resource, column)
  if (!guard) return undefined
  const grant = guard.except && grantOf(guard.except, viewer.caller)
  // To whom nothing at all is told, it is asked in fewer words, of which the server makes a better plan.
  if (!grant) return `(${guard.hides.where(alias)})`
  return grant.ownAssociation ? hiddenSql(guard, alias) : undefined
}

/** The guard of a column, whichever field shows it. */
export function guardOf(resource: Resource, column: string): Guard | undefined {
  const known = guardsByColumn.get(resource) ?? guardsOf(resource)
  guardsByColumn.set(resource, known)
  return known.get(column)
}

/** Asked of each column that a request looks at, so that it is worked out once. */
const guardsByColumn = new WeakMap<Resource, ReadonlyMap<string, Guard | undefined>>()

function guardsOf({ fields }: Resource): ReadonlyMap<string, Guard | undefined> {
  const guards = new Map<string, Guard | undefined>()
  for (const [name, { stored, guard }] of Object.entries(fields)) {
    const column = stored?.column ?? name
    // A field of the column's own name has the say.
    if (stored && (column === name || !guards.has(column))) guards.set(column, guard)
  }
  return guards
}
