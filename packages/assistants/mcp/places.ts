import { defined } from '@campus/engine/base/defined'
import { inEnglish, verbatim } from '@campus/engine/base/languages/say'
import { malformed } from '@campus/engine/errors'
import { describeAccess } from '@campus/engine/rest/declare/access'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { Route } from '@campus/engine/rest/route-table'

/** What may be done somewhere, however many routes there are for it. */
export type Verb = 'list' | 'read' | 'part' | 'graph' | 'create' | 'update' | 'delete' | 'perform'

/** A record that others lie below in a path. */
export type Within = { readonly resource: string; readonly id: string }

/** What a call names. */
export type Named = {
  readonly resource: string
  /** Outermost first. */
  readonly within: readonly Within[]
  /** Below `/v2/me`. */
  readonly isMine: boolean
  /** Which of several lists, which part of a record, or which action. */
  readonly name: string
  readonly id: string | undefined
  readonly field?: string | undefined
  readonly interval?: string | undefined
}

/** A route with what stands in the places of its path. */
export type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> }

/** Where something may be done, for the description of a resource. */
export type Place = {
  readonly verb: Verb
  readonly within: readonly string[]
  readonly isMine: boolean
  readonly name: string
  readonly route: Route
}

/** The routes of the API by what they do, to what, and below what: so that a few tools reach all of them. */
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

  /** Where something may be done with a resource. */
  of = (resource: string): readonly Place[] => this.#places.get(resource) ?? []

  /** The resources of which something may be done, by name. */
  resourcesWith = (...verbs: readonly Verb[]): readonly string[] =>
    [...this.#places].flatMap(([name, places]) => (places.some(({ verb }) => verbs.includes(verb)) ? [name] : []))

  /** The names that a verb may have beside the resource: actions, parts, lists. */
  namesOf = (verb: Verb): readonly string[] => [
    ...new Set(
      [...this.#places.values()]
        .flat()
        .flatMap((place) => (place.verb === verb && place.name !== '' ? [place.name] : [])),
    ),
  ]

  /** The route for what is named. Throws 400 that says what there is. */
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

/** A place in words that say how to name it. */
export function whereOf({ within, isMine, name, verb }: Place): string {
  const list = verb === 'list' && name !== '' ? `list "${name}" ` : ''
  if (isMine) return `${list}mine: true`
  return within.length === 0 ? `${list}by itself` : `${list}within ${within.join(', then ')}`
}

/** Who may do it, in words. */
export const accessOf = ({ route }: Place): string => inEnglish(describeAccess(route.access))

type Key = {
  readonly verb: Verb
  readonly resource: string
  readonly within: readonly string[]
  readonly isMine: boolean
  readonly name: string
  readonly shape: number
}

const keyOf = ({ verb, resource, within, isMine, name, shape }: Key) =>
  JSON.stringify([verb, resource, isMine, within, name, shape])

const isSame = (one: readonly string[], other: readonly string[]) => one.join('/') === other.join('/')

type Kind = { readonly verb: Verb; readonly name: string }

/** Undefined for what other routes do as well: PUT, lists that are asked for in a body, the owner of the token. */
function kindOf(registry: Registry, route: Route): Kind | undefined {
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

/** How many of the path's places are the call's own: the id, or field and interval. */
function shapeOf({ action, path }: Route): number {
  if (action === 'graph') return Number(path.includes('/:field')) + Number(path.includes('/:interval'))
  return path.includes('/:id') ? 1 : 0
}

/** What a list is called where its path does not end in the resource's name, such as `as_corrector`; else empty. */
function endingOf(registry: Registry, { path, chain, me, resource }: Route): string {
  const parents = chain.map((parent) => `/${parent.resource}/:${registry.get(parent.resource).singular}_id`).join('')
  return path === `/v2${me ? '/me' : parents}/${resource.name}` ? '' : lastOf(path)
}

const lastOf = (path: string) => defined(path.split('/').at(-1))
