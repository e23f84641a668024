import type { ActionName, Route } from './route-table.ts'

const COMMON = ['access_token']
const LISTING = ['filter', 'range', 'search', 'sort', 'page', 'per_page']
const OF_ACTION: Readonly<Partial<Record<ActionName, readonly string[]>>> = {
  index: LISTING,
  // Graphs take the same selection as lists, and pass over the rest.
  graph: [...LISTING, 'time_zone'],
}

/** The parameters that a route knows in its query, without those that only JSON:API has. */
export const knownParameters = ({
  action,
  parameters = {},
}: Pick<Route, 'action' | 'parameters'>): readonly string[] => [
  ...COMMON,
  ...(OF_ACTION[action] ?? []),
  ...Object.keys(parameters),
]

/** The names under which a payload may come in the query of a route that takes one. */
export function payloadNames({ action, accepts, resource: { singular, name } }: Route): readonly string[] {
  if (action === 'bulk') return [name]
  return action === 'create' || action === 'update' || accepts ? [singular] : []
}
