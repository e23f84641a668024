import { grantOf } from './access.ts'
import type { Resource } from './declaration.ts'
import { type Guard, hiddenSql } from './guard.ts'
import type { Viewer } from './viewer.ts'

/** The condition under which a column of the row is visible to the caller; undefined where it always is. */
export function visibleSql(resource: Resource, column: string, alias: string, viewer: Viewer): string | undefined {
  const hidden = hiddenFrom(resource, column, alias, viewer)
  return hidden && `not ${hidden}`
}

/** The condition under which a column of the row is hidden from the caller; undefined where it never is. Never null. */
export function hiddenFrom(resource: Resource, column: string, alias: string, viewer: Viewer): string | undefined {
  const guard = guardOf(resource, column)
  if (!guard) return undefined
  const grant = guard.except && grantOf(guard.except, viewer.caller)
  // Without any grant the condition is shorter, and the server plans it better.
  if (!grant) return `(${guard.hides.write({ alias })})`
  return grant.ownAssociation ? hiddenSql(guard).write({ alias }) : undefined
}

/** The guard of a column, whichever field shows it. */
export function guardOf(resource: Resource, column: string): Guard | undefined {
  const known = guardsByColumn.get(resource) ?? guardsOf(resource)
  guardsByColumn.set(resource, known)
  return known.get(column)
}

/** By resource, since it is asked for each column that a request looks at. */
const guardsByColumn = new WeakMap<Resource, ReadonlyMap<string, Guard | undefined>>()

function guardsOf({ fields }: Resource): ReadonlyMap<string, Guard | undefined> {
  const guards = new Map<string, Guard | undefined>()
  for (const [name, { stored, guard }] of Object.entries(fields)) {
    const column = stored?.column ?? name
    // A field of the column's own name decides.
    if (stored && (column === name || !guards.has(column))) guards.set(column, guard)
  }
  return guards
}
