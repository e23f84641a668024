import type { Registry } from './registry.ts'

/** Throws if a declaration locks a parent after its records. `lockOrder` names tables in the order of locks. */
export function checkLockOrder(registry: Registry, lockOrder: readonly string[]): void {
  for (const { name, table, lockedAfter = [], stored } of registry.resources) {
    for (const parent of lockedAfter) {
      const resource = typeof parent === 'string' ? stored(parent)?.references : parent.resource
      if (resource === undefined) throw new Error(`${name}.lockedAfter: ${parent} refers to nothing`)
      const [first, second] = [lockOrder.indexOf(registry.get(resource).table), lockOrder.indexOf(table)]
      if (first === -1 || second <= first)
        throw new Error(`${name}.lockedAfter: ${resource} is not before ${table} in the order of locks`)
    }
  }
}
