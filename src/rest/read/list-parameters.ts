import { wrongParameter } from '../../errors.ts'
import type { Params } from '../../http/params.ts'
import type { Condition } from '../condition.ts'
import type { ListParameter, ListParameters, Resource } from '../declare/declaration.ts'
import type { SqlValue } from '../declare/fields/kinds.ts'
import { planFilter, readBound } from './plan.ts'

/** The conditions that a query asks by the parameters of its list; a blank one counts as left out. Throws 400. */
export function conditionsAsked(
  resource: Resource,
  { named, together }: ListParameters,
  query: Params,
): readonly Condition[] {
  const values: Record<string, SqlValue> = {}
  const conditions = Object.entries(named).flatMap(([name, parameter]): Condition[] => {
    const text = Object.hasOwn(query, name) ? query[name] : ''
    if (text === '' && !parameter.required) return []
    if (text === '') throw wrongParameter(name, `Missing parameter ${name}: ${parameter.description}.`)
    if (typeof text !== 'string') throw wrongParameter(name, `${name} must be one value.`)
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
