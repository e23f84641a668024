import { message } from '../../base/languages/say.ts'
import { suggesting } from '../../base/text/nearest.ts'
import { wrongParameter } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { isParams, type Params, type ParamValue } from '../../http/params.ts'
import { knownParameters } from '../parameters.ts'
import type { Route } from '../route-table.ts'
import { type IncludeTree, readInclude } from './include.ts'
import type { Shape, Shapes } from './shapes.ts'

export type JsonApiQuery = {
  readonly include: IncludeTree
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

type Addressed = Pick<Route, 'action' | 'parameters'> & {
  readonly shape: Shape | undefined
  readonly payload: readonly string[]
  readonly caller: Caller
}

/** Throws 400 for an unknown path, type, field or parameter (JSON:API 1.1, Query Parameters). */
export function readJsonApiQuery(
  query: Params,
  shapes: Shapes,
  { action, parameters, shape, payload, caller }: Addressed,
): JsonApiQuery {
  const known = [...knownParameters({ action, parameters }), ...(shape ? OF_RECORDS : []), ...payload]
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue
    const values = { name: shown(name), known: known.join(', ') }
    const fault = message('This address has no parameter {name}; it takes {known}.', values)
    throw wrongParameter(name.slice(0, 80), suggesting(fault, name, known))
  }
  return {
    include: shape ? readInclude(query.include, shapes, shape, caller) : new Map(),
    fields: readFields(query.fields, shapes),
  }
}

const OF_RECORDS = ['include', 'fields']

function readFields(value: ParamValue | undefined, shapes: Shapes): JsonApiQuery['fields'] {
  const fields = new Map<string, ReadonlySet<string>>()
  if (value === undefined || value === '') return fields
  if (!isParams(value)) throw wrongParameter('fields', 'fields must name a type: fields[type]=name,name.')
  for (const [type, list] of Object.entries(value)) {
    const parameter = `fields[${type.slice(0, 80)}]`
    const { resources } = shapes.registry
    const resource = resources.find(({ name }) => name === type)
    if (!resource) {
      const fault = message('There is no type {type}.', { type: shown(type) })
      const types = resources.map(({ name }) => name)
      throw wrongParameter(parameter, suggesting(fault, type, types))
    }
    if (typeof list !== 'string')
      throw wrongParameter(parameter, message('{parameter} must be names with commas between.', { parameter }))
    const names = list.split(',').map((name) => name.trim())
    const known = shapes.namesOf(resource)
    const unknown = list === '' ? undefined : names.find((name) => !known.includes(name) && name !== 'id')
    if (unknown !== undefined) {
      const values = { type, name: shown(unknown), known: known.join(', ') }
      const fault = message('{type} has no field {name}; it has {known}.', values)
      throw wrongParameter(parameter, suggesting(fault, unknown, known))
    }
    fields.set(type, new Set(names))
  }
  return fields
}

const shown = (text: string) => JSON.stringify(text.slice(0, 80))
