import type { Values } from '../../actions.ts'
import { message } from '../../base/languages/say.ts'
import { wrongParameter } from '../../errors.ts'
import type { Params } from '../../http/params.ts'
import type { Condition, ParentCondition, RecordKey } from '../condition.ts'
import type { ListParameter, ListParameters, Resource } from '../declare/declaration.ts'
import type { Column } from '../declare/fields/field.ts'
import { MAX_INTEGER, type SqlValue, textKind, WrongValue } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'
import { planFilter, readBound, wrongValue } from './plan.ts'

/** Reads the declared parameters of a query. Ignores blank ones. Throws 400. */
export function readQueryParameters(declared: Readonly<Record<string, Column>>, query: Params): Values {
  const values: Record<string, SqlValue> = {}
  for (const [name, { kind }] of Object.entries(declared)) {
    const input = Object.hasOwn(query, name) ? query[name] : undefined
    if (input === undefined || input === '') continue
    try {
      values[name] = kind.read(input)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      throw wrongValue(name, error.text)
    }
  }
  return values
}

/** Returns the conditions of a list's own parameters. Ignores blank ones. Throws 400. */
export function conditionsAsked(
  resource: Resource,
  { named, together }: ListParameters,
  query: Params,
): readonly Condition[] {
  const values: Record<string, SqlValue> = {}
  const conditions = Object.entries(named).flatMap(([name, parameter]): Condition[] => {
    const text = Object.hasOwn(query, name) ? query[name] : ''
    if (text === '' && !parameter.required) return []
    const { description = '' } = parameter
    if (text === '')
      throw wrongParameter(name, message('Missing parameter {name}: {description}.', { name, description }))
    if (typeof text !== 'string') throw wrongParameter(name, message('{name} must be one value.', { name }))
    return [conditionOf(resource, name, parameter, text, values)]
  })
  const fault = together?.(values)
  if (fault) throw wrongParameter(fault[0], fault[1])
  return conditions
}

function conditionOf(
  resource: Resource,
  name: string,
  { kind, asks }: ListParameter,
  text: string,
  values: Record<string, SqlValue>,
): Condition {
  if ('filter' in asks) return planFilter(resource, asks.filter, [text], name)
  const isLeast = 'from' in asks
  const column = isLeast ? asks.from : asks.upTo
  const bound = readBound(kind, isLeast ? 'min' : 'max', text, name)
  values[name] = bound
  return { kind: 'range', name: column, type: kind, min: isLeast ? bound : null, max: isLeast ? null : bound }
}

/** A parent as a parameter of the resource's own list: `/v2/books?shelf_id=3`. */
export type ParentParameter = {
  readonly name: string
  readonly column: Column
  readonly parent: Resource
  readonly association: ParentCondition['association']
}

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

/** Returns the conditions of parents in a query. Nothing lies below an unknown parent. Throws 400. */
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
  throw wrongParameter(
    name,
    identifiedBy
      ? message('{name} is not an id or a {other}.', { name, other: identifiedBy })
      : message('{name} is not an id.', { name }),
  )
}
