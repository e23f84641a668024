import { type ActionName, type Route, takesPayload } from './route-table.ts'

const COMMON = ['access_token']
const LISTING = ['filter', 'range', 'search', 'sort', 'page', 'per_page']
const OF_ACTION: Readonly<Partial<Record<ActionName, readonly string[]>>> = {
  index: LISTING,
  search: ['query', ...LISTING],
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
export function payloadNames(route: Route): readonly string[] {
  const { action, accepts = {}, unwrapped, resource } = route
  if (!takesPayload(route)) return []
  if (action === 'bulk') return [resource.name]
  return unwrapped ? [resource.singular, ...Object.keys(accepts)] : [resource.singular]
}
