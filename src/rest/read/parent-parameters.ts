import { wrongParameter } from '../../errors.ts'
import type { Params } from '../../http/params.ts'
import type { ParentCondition, RecordKey } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Column } from '../declare/fields/field.ts'
import { MAX_INTEGER, textKind } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'

/** A parent that the query of a resource's own list may name: `/v2/coalitions?bloc_id=3`. */
export type ParentParameter = {
  readonly name: string
  readonly column: Column
  readonly parent: Resource
  readonly association: ParentCondition['association']
}

/** The parents that are declared to be parameters too. */
export const parentParameters = (registry: Registry, { parents = [] }: Resource): ParentParameter[] =>
  parents
    .filter(({ asParameter }) => asParameter)
    .flatMap(({ chain }) =>
      chain.map(({ resource, association }) => {
        const parent = registry.get(resource)
        const key = parent.identifiedBy ? `id or ${parent.identifiedBy}` : 'id'
        const description = `${key} of the ${parent.singular} below which the records are`
        return {
          name: `${parent.singular}_id`,
          column: { kind: textKind({ max: 255 }), nullable: true, description },
          parent,
          association,
        }
      }),
    )

/** The conditions that a query asks by them. A parent that there is not has nothing below it. Throws 400. */
export function parentsAsked(parameters: readonly ParentParameter[], query: Params): ParentCondition[] {
  return parameters.flatMap(({ name, parent, association }) => {
    const text = Object.hasOwn(query, name) ? query[name] : ''
    return text === '' ? [] : [{ kind: 'parent', parent, association, key: readKey(parent, name, text) }]
  })
}

function readKey({ identifiedBy }: Resource, name: string, text: unknown): RecordKey {
  if (typeof text === 'string') {
    if (/^\d+$/.test(text)) return { id: Number(text) > MAX_INTEGER ? 0 : Number(text) }
    if (identifiedBy && !text.includes('\0') && text.isWellFormed()) return { name: text }
  }
  throw wrongParameter(name, `${name} is not an id${identifiedBy ? ` or a ${identifiedBy}` : ''}.`)
}
