import { embeddedOnly, type Resource } from '../rest/declare/declaration.ts'
import type { Registry } from '../rest/declare/registry.ts'

/** How the list of a resource is asked for, as its declaration says. */
export type MirroredList = {
  readonly resource: Resource
  readonly path: string
  readonly narrowed: Readonly<Record<string, string | number>>
  /** Pages are asked for by what comes after an id, so that none is missed however rows move meanwhile. */
  readonly isByIds: boolean
  /** Records say when they were changed, and can be asked for by it. */
  readonly tellsChanges: boolean
}

/** The resources that lists show, to be copied. */
export const mirroredResources = (registry: Registry): readonly Resource[] =>
  registry.resources.filter(({ actions, unmirrored }) => actions !== embeddedOnly && unmirrored === undefined)

/** The list of a resource; only what belongs to a campus, where one is given and the declaration says how. */
export function listOf(resource: Resource, campusId: number | undefined): MirroredList {
  const { index, answers } = resource
  const ranged = index.range ?? index.sort
  const shown = resource.representationFields(answers?.index ?? 'record').map(([name]) => name)
  return {
    resource,
    ...narrowedTo(resource, campusId),
    isByIds: ranged.includes('id') && index.sort.includes('id'),
    tellsChanges: ['updated_at', 'id'].every((name) => ranged.includes(name) && shown.includes(name)),
  }
}

function narrowedTo({ name, index, parents = [] }: Resource, campusId: number | undefined) {
  const path = `/v2/${name}`
  if (campusId === undefined) return { path, narrowed: {} }
  if (name === CAMPUS) return { path, narrowed: { 'filter[id]': campusId } }
  const filters: readonly string[] = [...(index.filter ?? index.sort), ...Object.keys(index.scopes ?? {})]
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

/** What `--campus` names. */
const CAMPUS = 'campus'
