import { wrongParameter } from '../../errors.ts'
import { isParams, type Params, type ParamValue } from '../../http/params.ts'
import { suggestion } from '../../nearest.ts'
import type { ActionName } from '../route-table.ts'
import type { Shape, Shapes } from './json-api-shapes.ts'

/** The relationships to include, by name, each with those to include below it. */
export type IncludeTree = ReadonlyMap<string, IncludeTree>

export type JsonApiQuery = {
  readonly include: IncludeTree
  /** `fields[type]`. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

const MAX_PATHS = 20
const MAX_DEPTH = 5

type Addressed = {
  readonly action: ActionName
  /** Of what is answered; undefined where no record is. */
  readonly shape: Shape | undefined
  /** Names that a payload in the query string has. */
  readonly payload: readonly string[]
}

/**
 * Reads `include` and `fields[…]`. Throws 400 for a path, type or field that there is not, and for any parameter that
 * the address does not know (JSON:API 1.1, Query Parameters).
 */
export function readJsonApiQuery(query: Params, shapes: Shapes, { action, shape, payload }: Addressed): JsonApiQuery {
  const known = [...COMMON, ...(shape ? OF_RECORDS : []), ...(OF_ACTION[action] ?? []), ...payload]
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue
    const shown = name.slice(0, 80)
    throw wrongParameter(
      shown,
      `This address has no parameter ${JSON.stringify(shown)}; it takes ${known.join(', ')}.${suggestion(name, known)}`,
    )
  }
  return {
    include: shape ? readInclude(query.include, shapes, shape) : new Map(),
    fields: readFields(query.fields, shapes),
  }
}

const COMMON = ['access_token']
const OF_RECORDS = ['include', 'fields']
const SELECTION = ['filter', 'range', 'search']
const OF_ACTION: Readonly<Partial<Record<ActionName, readonly string[]>>> = {
  index: [...SELECTION, 'sort', 'page', 'per_page'],
  // Graphs read the same selection as lists, and pass over the rest of it as they always have.
  graph: [...SELECTION, 'sort', 'page', 'per_page', 'time_zone'],
}

type Mutable = Map<string, Mutable>

function readInclude(value: ParamValue | undefined, shapes: Shapes, shape: Shape): IncludeTree {
  const root: Mutable = new Map()
  if (value === undefined || value === '') return root
  if (typeof value !== 'string') throw wrongParameter('include', 'include must be paths with commas between.')
  const paths = value.split(',', MAX_PATHS + 1)
  if (paths.length > MAX_PATHS) throw wrongParameter('include', `include takes at most ${MAX_PATHS} paths.`)
  for (const path of paths) {
    const names = path.trim().split('.')
    if (names.length > MAX_DEPTH) {
      throw wrongParameter(
        'include',
        `A path of include has at most ${MAX_DEPTH} names: ${path.slice(0, 80)} is longer.`,
      )
    }
    let [at, from] = [root, shape]
    for (const name of names) {
      from = targetOf(shapes, from, name, path)
      const below: Mutable = at.get(name) ?? new Map()
      at.set(name, below)
      at = below
    }
  }
  return root
}

function targetOf(shapes: Shapes, { resource, members }: Shape, name: string, path: string): Shape {
  const possible = members.filter((member) => member.kind === 'toOne' || member.kind === 'toMany')
  const member = possible.find((candidate) => candidate.name === name)
  if (member) return shapes.of(member.target, member.form)
  const names = possible.map((candidate) => candidate.name)
  const offer = names.length > 0 ? `can include ${names.join(', ')}` : 'can include nothing'
  throw wrongParameter(
    'include',
    `The path ${JSON.stringify(path.slice(0, 80))} leads nowhere: ${resource.name} here ${offer}.${suggestion(name, names)}`,
  )
}

function readFields(value: ParamValue | undefined, shapes: Shapes): JsonApiQuery['fields'] {
  const fields = new Map<string, ReadonlySet<string>>()
  if (value === undefined || value === '') return fields
  if (!isParams(value)) throw wrongParameter('fields', 'fields must name a type: fields[type]=name,name.')
  for (const [type, list] of Object.entries(value)) {
    const parameter = `fields[${type.slice(0, 80)}]`
    const { resources } = shapes.registry
    const resource = resources.find(({ name }) => name === type)
    if (!resource) {
      const types = resources.map(({ name }) => name)
      throw wrongParameter(
        parameter,
        `There is no type ${JSON.stringify(type.slice(0, 80))}.${suggestion(type, types)}`,
      )
    }
    if (typeof list !== 'string') throw wrongParameter(parameter, `${parameter} must be names with commas between.`)
    const known = shapes.namesOf(resource)
    const names = list.split(',').map((name) => name.trim())
    const unknown = list === '' ? undefined : names.find((name) => !known.includes(name))
    if (unknown !== undefined) {
      throw wrongParameter(
        parameter,
        `${type} has no field ${JSON.stringify(unknown.slice(0, 80))}; it has ${known.join(', ')}.${suggestion(unknown, known)}`,
      )
    }
    fields.set(type, new Set(names))
  }
  return fields
}
