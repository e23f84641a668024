import { defined } from '@campus/engine/base/defined'
import { inEnglish, verbatim } from '@campus/engine/base/languages/say'
import { malformed } from '@campus/engine/errors'
import { describeAccess } from '@campus/engine/rest/declare/access'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { Route } from '@campus/engine/rest/route-table'

export type Verb = 'list' | 'read' | 'part' | 'graph' | 'create' | 'update' | 'delete' | 'perform'

/** A parent record in a path. */
export type Within = { readonly resource: string; readonly id: string }

/** The names of a call. */
export type Named = {
  readonly resource: string
  /** Parents, outermost first. */
  readonly within: readonly Within[]
  /** Whether the path is below `/v2/me`. */
  readonly isMine: boolean
  /** Name of a list, part or action. */
  readonly name: string
  readonly id: string | undefined
  readonly field?: string | undefined
  readonly interval?: string | undefined
}

/** A route with the parameters of its path. */
export type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> }

/** A route in the description of a resource. */
export type Place = {
  readonly verb: Verb
  readonly within: readonly string[]
  readonly isMine: boolean
  readonly name: string
  readonly route: Route
}

/** Finds the routes of the API by verb, resource and parents, so that a few tools reach all routes. */
export class Places {
  readonly #registry: Registry
  readonly #routes = new Map<string, Route>()
  readonly #places = new Map<string, Place[]>()

  constructor(registry: Registry, table: readonly Route[]) {
    this.#registry = registry
    for (const route of table) this.#add(route)
  }

  #add(route: Route): void {
    const kind = kindOf(this.#registry, route)
    if (!kind) return
    const { verb, name } = kind
    const { resource, me: isMine, chain } = route
    const within = isMine ? [] : chain.map((parent) => parent.resource)
    const key = keyOf({ verb, resource: resource.name, within, isMine, name, shape: shapeOf(route) })
    if (this.#routes.has(key)) return
    this.#routes.set(key, route)
    const places = this.#places.get(resource.name) ?? []
    this.#places.set(resource.name, places)
    const isKnown = places.some(
      (place) => place.verb === verb && place.name === name && place.isMine === isMine && isSame(place.within, within),
    )
    if (!isKnown) places.push({ verb, within, isMine, name, route })
  }

  of = (resource: string): readonly Place[] => this.#places.get(resource) ?? []

  /** Returns the names of resources with one of the verbs. */
  resourcesWith = (...verbs: readonly Verb[]): readonly string[] =>
    [...this.#places].flatMap(([name, places]) => (places.some(({ verb }) => verbs.includes(verb)) ? [name] : []))

  /** Returns the names of actions, parts or lists. */
  namesOf = (verb: Verb): readonly string[] => [
    ...new Set(
      [...this.#places.values()]
        .flat()
        .flatMap((place) => (place.verb === verb && place.name !== '' ? [place.name] : [])),
    ),
  ]

  /** Returns the route of a call, or throws 400 with the existing routes. */
  find(verb: Verb, named: Named): Found {
    const { resource, within, isMine, name, id, field, interval } = named
    const parents = within.map((parent) => parent.resource)
    const shape = verb === 'graph' ? [field, interval].filter((part) => part !== undefined).length : id ? 1 : 0
    const route = this.#routes.get(keyOf({ verb, resource, within: parents, isMine, name, shape }))
    if (!route) throw this.#missing(verb, named)
    const own = Object.entries({ id, field, interval }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    )
    const ofParents = within.map((parent) => [`${this.#registry.get(parent.resource).singular}_id`, parent.id])
    return { route, params: Object.fromEntries([...ofParents, ...own]) }
  }

  #missing(verb: Verb, { resource, name, id }: Named) {
    const there = this.of(resource).filter((place) => place.verb === verb && (name === '' || place.name === name))
    const what = `${NOUNS[verb]}${name === '' ? '' : ` "${name.slice(0, 60)}"`} of ${resource}`
    if (there.length === 0) {
      const names = this.of(resource).flatMap((place) => (place.verb === verb && place.name !== '' ? [place.name] : []))
      const known = names.length > 0 ? ` There is: ${[...new Set(names)].join(', ')}.` : ''
      return malformed(verbatim(`There is no ${what}.${known}`))
    }
    const wheres = there.map((place) => whereOf(place))
    const hint =
      id === undefined && verb !== 'list' && verb !== 'graph' && verb !== 'create' ? ' It may need an id.' : ''
    return malformed(verbatim(`The ${what} is not there. It is: ${[...new Set(wheres)].join('; ')}.${hint}`))
  }
}

const NOUNS: Readonly<Record<Verb, string>> = {
  list: 'list',
  read: 'record',
  part: 'part',
  graph: 'graph',
  create: 'creation',
  update: 'change',
  delete: 'deletion',
  perform: 'action',
}

/** Describes how to name a place. */
export function whereOf({ within, isMine, name, verb }: Place): string {
  const list = verb === 'list' && name !== '' ? `list "${name}" ` : ''
  if (isMine) return `${list}mine: true`
  return within.length === 0 ? `${list}by itself` : `${list}within ${within.join(', then ')}`
}

export const accessOf = ({ route }: Place): string => inEnglish(describeAccess(route.access))

type Key = Omit<Place, 'route'> & { readonly resource: string; readonly shape: number }

const keyOf = ({ verb, resource, within, isMine, name, shape }: Key) =>
  JSON.stringify([verb, resource, isMine, within, name, shape])

const isSame = (one: readonly string[], other: readonly string[]) => one.join('/') === other.join('/')

/** Returns undefined for routes that repeat others: PUT, lists that are requested by a body, the owner of the token. */
function kindOf(registry: Registry, route: Route): Pick<Place, 'verb' | 'name'> | undefined {
  const { action, method, note = '', path } = route
  switch (action) {
    case 'index':
      return { verb: 'list', name: endingOf(registry, route) }
    case 'show':
      return { verb: 'read', name: '' }
    case 'query':
      return { verb: 'part', name: note }
    case 'graph':
      return { verb: 'graph', name: '' }
    case 'create':
      return { verb: 'create', name: '' }
    case 'update':
      return method === 'PUT' ? undefined : { verb: 'update', name: '' }
    case 'destroy':
      return { verb: 'delete', name: '' }
    case 'member':
      return method === 'PUT' ? undefined : { verb: 'perform', name: note }
    case 'bulk':
      return { verb: 'perform', name: lastOf(path) }
    default:
      return undefined
  }
}

/** Counts the parameters of a path other than ids of parents: the id, or field and interval. */
function shapeOf({ action, path }: Route): number {
  if (action === 'graph') return Number(path.includes('/:field')) + Number(path.includes('/:interval'))
  return path.includes('/:id') ? 1 : 0
}

/** Returns the name of a list whose path does not end in the resource's name, such as `as_corrector`, or an empty text. */
function endingOf(registry: Registry, { path, chain, me, resource }: Route): string {
  const parents = chain.map((parent) => `/${parent.resource}/:${registry.get(parent.resource).singular}_id`).join('')
  return path === `/v2${me ? '/me' : parents}/${resource.name}` ? '' : lastOf(path)
}

const lastOf = (path: string) => defined(path.split('/').at(-1))
