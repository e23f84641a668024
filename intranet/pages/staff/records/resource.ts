import { notFound } from '@campus/engine/errors'
import { type Actions, embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { punctuated } from '@campus/engine/rest/declare/fields/field'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { words } from '@campus/engine/rest/openapi/names'
import type { PageContext } from '../../page-context.ts'

export const RECORDS_PATH = '/staff/records'

/** A resource that has routes of its own. */
export type Routed = Resource & { readonly actions: Actions }

/** The resources that have routes of their own, by name. */
export const routedResources = ({ resources }: Registry): readonly Routed[] =>
  resources.filter(isRouted).toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

const isRouted = (resource: Resource): resource is Routed => resource.actions !== embeddedOnly

/** The resource in the page's path. Throws 404. */
export function resourceOf({ params, dependencies: { registry } }: PageContext): Routed {
  const found = registry.resources.find(({ name }) => name === params.resource)
  if (!found || !isRouted(found)) throw notFound('There is no page at this address.')
  return found
}

/** The page of a resource's list, or of one of its records. */
export const pathOf = ({ name }: Pick<Resource, 'name'>, id?: number | string): string =>
  id === undefined ? `${RECORDS_PATH}/${name}` : `${RECORDS_PATH}/${name}/${encodeURIComponent(id)}`

/** What a resource is called on pages: its name, as words. */
export const labelOf = ({ name }: Pick<Resource, 'name'>): string => punctuated(words(name)).slice(0, -1)

/** The way from the records of all kinds to those of one. */
export const trailOf = (resource: Pick<Resource, 'name'>) => ({ path: pathOf(resource), label: labelOf(resource) })

/** The API's path of the list, and of a record. */
export const listRoute = ({ name }: Pick<Resource, 'name'>): string => `/v2/${name}`
export const recordRoute = ({ name }: Pick<Resource, 'name'>): string => `/v2/${name}/:id`

/** A record as the API shows it. */
export type ShownRecord = Readonly<Record<string, unknown>>

/** The record of an answer, which some resources wrap in their name. */
export const unwrapped = ({ wrapped, singular }: Resource, value: ShownRecord): ShownRecord => {
  const inner = wrapped ? value[singular] : value
  return isObject(inner) ? inner : value
}

export const isObject = (value: unknown): value is ShownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** By which a reader knows a record: its own name before a number. */
const NAMES = ['login', 'displayname', 'name', 'title', 'slug'] as const

/** What a record is called, as far as it says. */
export function nameOf(record: ShownRecord): string {
  const name = NAMES.map((one) => record[one]).find((one) => typeof one === 'string' && one !== '')
  return name === undefined ? `#${record.id}` : String(name)
}
