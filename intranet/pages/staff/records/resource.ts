import { notFound } from '@campus/engine/errors'
import { type Actions, embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { punctuated } from '@campus/engine/rest/declare/fields/field'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { words } from '@campus/engine/rest/openapi/names'
import type { PageContext } from '../../page-context.ts'

export const RECORDS_PATH = '/staff/records'

export type Routed = Resource & { readonly actions: Actions }

export const routedResources = ({ resources }: Registry): readonly Routed[] =>
  resources.filter(isRouted).toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

const isRouted = (resource: Resource): resource is Routed => resource.actions !== embeddedOnly

/** Throws 404. */
export function resourceOf({ params, dependencies: { registry } }: PageContext): Routed {
  const found = registry.resources.find(({ name }) => name === params.resource)
  if (!found || !isRouted(found)) throw notFound('There is no page at this address.')
  return found
}

export const pathOf = ({ name }: Pick<Resource, 'name'>, id?: number | string): string =>
  id === undefined ? `${RECORDS_PATH}/${name}` : `${RECORDS_PATH}/${name}/${encodeURIComponent(id)}`

export const labelOf = ({ name }: Pick<Resource, 'name'>): string => punctuated(words(name)).slice(0, -1)

export const trailOf = (resource: Pick<Resource, 'name'>) => ({ path: pathOf(resource), label: labelOf(resource) })

export const listRoute = ({ name }: Pick<Resource, 'name'>): string => `/v2/${name}`
export const recordRoute = ({ name }: Pick<Resource, 'name'>): string => `/v2/${name}/:id`

export type ShownRecord = Readonly<Record<string, unknown>>

/** Some resources wrap a record in their name. */
export const unwrapped = ({ wrapped, singular }: Resource, value: ShownRecord): ShownRecord => {
  const inner = wrapped ? value[singular] : value
  return isObject(inner) ? inner : value
}

export const isObject = (value: unknown): value is ShownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields with the name of a record, the best first. */
const NAMES = ['login', 'displayname', 'name', 'title', 'slug'] as const

export function nameOf(record: ShownRecord): string {
  const name = NAMES.map((one) => record[one]).find((one) => typeof one === 'string' && one !== '')
  return name === undefined ? `#${record.id}` : String(name)
}
