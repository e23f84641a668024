import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Registry } from '@campus/engine/rest/declare/registry'

/** The request for the list of a resource. */
export type MirroredList = {
  readonly resource: Resource
  readonly path: string
  readonly narrowed: Readonly<Record<string, string | number>>
  /** Whether pages begin after an id, so that no record is missed when rows move. */
  readonly isByIds: boolean
  /** Whether records show when they changed and can be listed by that time. */
  readonly hasChangeTimes: boolean
}

export const isMirrored = ({ actions, unmirrored }: Resource): boolean =>
  actions !== embeddedOnly && unmirrored === undefined

export const mirroredResources = (registry: Registry): readonly Resource[] => registry.resources.filter(isMirrored)

/** Returns the list of a resource, narrowed to a campus if the declaration allows it. */
export function listOf(resource: Resource, campusId: number | undefined): MirroredList {
  const { index, answers } = resource
  const ranged = index.range ?? index.sort
  const shown = resource.representationFields(answers?.index ?? 'record').map(([name]) => name)
  return {
    resource,
    ...narrowedTo(resource, campusId),
    isByIds: ranged.includes('id') && index.sort.includes('id'),
    hasChangeTimes: ['updated_at', 'id'].every((name) => ranged.includes(name) && shown.includes(name)),
  }
}

function narrowedTo({ name, index, parents = [] }: Resource, campusId: number | undefined) {
  const path = `/v2/${name}`
  if (campusId === undefined) return { path, narrowed: {} }
  if (name === CAMPUS) return { path, narrowed: { 'filter[id]': campusId } }
  const filters: readonly string[] = [...(index.filter ?? index.sort), ...Object.keys(index.customFilters ?? {})]
  const filter = ['primary_campus_id', 'campus_id'].find((one) => filters.includes(one))
  if (filter) return { path, narrowed: { [`filter[${filter}]`]: campusId } }
  const isBelow = parents.some(
    ({ chain, actions, suffix, as, me }) =>
      chain.length === 1 &&
      chain[0]?.resource === CAMPUS &&
      actions.includes('index') &&
      !suffix &&
      !as &&
      me !== 'only',
  )
  return { path: isBelow ? `/v2/${CAMPUS}/${campusId}/${name}` : path, narrowed: {} }
}

const CAMPUS = 'campus'
