import type { Route } from '@campus/engine/rest/route-table'

/** The parameters without which a list is refused, as its declaration shows them, each with `&` behind it. */
export const requiredQuery = ({ parameters = {} }: Pick<Route, 'parameters'>): string =>
  Object.entries(parameters)
    .filter(([, { required }]) => required)
    .map(([name, { example }]) => `${name}=${encodeURIComponent(String(example))}&`)
    .join('')
