import { type ActionName, type Route, takesPayload } from './route-table.ts'

const COMMON = ['access_token']
const LISTING = ['filter', 'range', 'search', 'sort', 'page', 'per_page']
const OF_ACTION: Readonly<Partial<Record<ActionName, readonly string[]>>> = {
  index: LISTING,
  search: ['query', ...LISTING],
  // Graphs accept all parameters of lists and ignore some.
  graph: [...LISTING, 'time_zone'],
}

/** Returns the query parameters of a route, without those of JSON:API alone. */
export const knownParameters = ({
  action,
  parameters = {},
}: Pick<Route, 'action' | 'parameters'>): readonly string[] => [
  ...COMMON,
  ...(OF_ACTION[action] ?? []),
  ...Object.keys(parameters),
]

export function payloadNames(route: Route): readonly string[] {
  const { action, accepts = {}, unwrapped, resource } = route
  if (!takesPayload(route)) return []
  if (action === 'bulk') return [resource.name]
  return unwrapped ? [resource.singular, ...Object.keys(accepts)] : [resource.singular]
}
