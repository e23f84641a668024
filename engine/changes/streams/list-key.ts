import type { WatchedList } from '../../rest/watched.ts'

/** Properties of a condition that hold declarations. Declarations are compared by identity. */
const DECLARED = new Set(['type', 'filter', 'association', 'parent'])

const identities = new WeakMap<object, number>()
let lastIdentity = 0

function identityOf(declared: object): number {
  const known = identities.get(declared)
  if (known !== undefined) return known
  lastIdentity += 1
  identities.set(declared, lastIdentity)
  return lastIdentity
}

/** Returns the same key for lists of the same records in the same representation, for any URL. */
export function listKey({ resource, conditions, representation }: WatchedList): string {
  const text = JSON.stringify(conditions, (name, value: unknown) =>
    DECLARED.has(name) && typeof value === 'object' && value !== null ? identityOf(value) : value,
  )
  return `${resource.name} ${representation} ${text}`
}
