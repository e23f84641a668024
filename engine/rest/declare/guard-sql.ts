import { grantOf } from './access.ts'
import type { Resource } from './declaration.ts'
import { type Guard, hiddenSql } from './guard.ts'
import type { Viewer } from './viewer.ts'

export function visibleSql(resource: Resource, column: string, alias: string, viewer: Viewer): string | undefined {
  const hidden = hiddenFrom(resource, column, alias, viewer)
  return hidden && `not ${hidden}`
}

/** Returns the condition that a column is hidden from the caller, or undefined if it never is. It is never null. */
export function hiddenFrom(resource: Resource, column: string, alias: string, viewer: Viewer): string | undefined {
  const guard = guardOf(resource, column)
  if (!guard) return undefined
  const grant = guard.except && grantOf(guard.except, viewer.caller)
  // The shorter condition lets PostgreSQL plan better.
  if (!grant) return `(${guard.hides.write({ alias })})`
  return grant.ownAssociation ? hiddenSql(guard).write({ alias }) : undefined
}

export function guardOf(resource: Resource, column: string): Guard | undefined {
  const known = guardsByColumn.get(resource) ?? guardsOf(resource)
  guardsByColumn.set(resource, known)
  return known.get(column)
}

const guardsByColumn = new WeakMap<Resource, ReadonlyMap<string, Guard | undefined>>()

function guardsOf({ fields }: Resource): ReadonlyMap<string, Guard | undefined> {
  const guards = new Map<string, Guard | undefined>()
  for (const [name, { stored, guard }] of Object.entries(fields)) {
    const column = stored?.column ?? name
    // The field named like the column takes precedence.
    if (stored && (column === name || !guards.has(column))) guards.set(column, guard)
  }
  return guards
}
