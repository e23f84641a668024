import type { Resource } from '../declare/declaration.ts'
import type { Registry } from '../declare/registry.ts'
import type { ActionName, Route } from '../route-table.ts'

const VERBS: Readonly<Record<Exclude<ActionName, 'member'>, readonly [id: string, summary: string]>> = {
  index: ['list', 'List'],
  show: ['get', 'Get'],
  owner: ['get', 'Get'],
  graph: ['graph', 'Count'],
  search: ['search', 'Search'],
  query: ['get', 'Get'],
  create: ['create', 'Create'],
  bulk: ['create', 'Create several'],
  update: ['update', 'Change'],
  destroy: ['delete', 'Delete'],
}

/** Returns a name for generated clients: `listUsers`, `createLocationOfUser`, `listMyTeams`, `updateUserByPut`. */
export function operationId(registry: Registry, route: Route): string {
  const { method, path, resource, action, me, note = '' } = route
  if (action === 'query') return `get${pascal(note)}Of${pascal(resource.singular)}`
  if (action === 'bulk') return `create${pascal(resource.name)}`
  const verb = action === 'member' || isNamedCreation(route) ? camel(verbFirst(note)) : VERBS[action][0]
  const segments = path.split('/').slice(2)
  const at = segments.lastIndexOf(resource.name)
  const tail = segments
    .slice(at + 1)
    .filter((segment) => ![':id', 'graph', ...note.split('/')].includes(segment))
    .map((segment) => pascal(segment.replace(':', '')))
  // The lists `/v2/shelf_books` and `/v2/shelves/:shelf_id/books` must not share a name.
  const parents = parentsOf(registry, route).map(({ singular }) => pascal(singular))
  const below = parents.length === 0 ? '' : `Of${parents.join('And')}`
  // The end of a path without the resource's name says which records the path lists.
  if (at < 0 && !isNamedCreation(route)) return verb + pascal(path.replace(/^.*\/:\w+\/|^\/v2\//, '')) + below
  const noun = pascal(isAboutMany(action) ? resource.name : resource.singular)
  return [verb, me ? 'My' : '', noun, below, ...(at < 0 ? [] : tail), method === 'PUT' ? 'ByPut' : ''].join('')
}

/** Returns a title: `List books of one author`. */
export function summaryOf(registry: Registry, route: Route): string {
  const { method, resource, action, me, note = '' } = route
  const noun = words(isAboutMany(action) ? resource.name : resource.singular)
  if (action === 'owner') return `Get the ${noun} that the token stands for`
  if (action === 'query') return `Get the ${words(note)} of one ${noun}`
  const named = capital(words(verbFirst(note))) + (hasObject(note) ? ' of' : '')
  const verb = action === 'member' || isNamedCreation(route) ? named : VERBS[action][1]
  const parents = parentsOf(registry, route).map(({ singular }) => `one ${words(singular)}`)
  const below = me ? " of the token's resource owner" : parents.length > 0 ? ` of ${parents.join(' and ')}` : ''
  const what = isAboutMany(action) ? noun : `one ${noun}`
  return `${verb} ${what}${below}${action === 'graph' ? ' over time' : ''}${method === 'PUT' ? ', as by PATCH' : ''}`
}

export const parentsOf = (registry: Registry, { chain, me }: Route): Resource[] =>
  chain.slice(me ? 1 : 0).map(({ resource }) => registry.get(resource))

/** Returns a valid component name: `alumni?` becomes `is_alumni`. */
export const partName = (...parts: readonly string[]) =>
  parts.map((part) => (part.endsWith('?') ? `is_${part.slice(0, -1)}` : part.replaceAll('/', '_'))).join('.')

/** Returns a name as words: `shelf books` for `shelf_books`. */
export const words = (name: string) => name.replace(/[_/]/g, ' ')

/** Reverses `correction_points/add` to `add_correction_points`. */
const verbFirst = (note: string) => note.split('/').reverse().join('_')

/** Reports whether the name of an action has an object: `set_main_shelf` has one, `set_as_main` and `lend` have none. */
const hasObject = (note: string) => /[/_]/.test(note) && !note.includes('_as_')

/** The path ends in a verb of its own: `register`. */
const isNamedCreation = ({ action, note }: Route) => action === 'create' && note !== undefined

const isAboutMany = (action: ActionName) => ['index', 'graph', 'search', 'bulk'].includes(action)
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
export const pascal = (name: string) => name.split(/[_/]/).map(capital).join('')
const camel = (name: string) => pascal(name).replace(/^./, (letter) => letter.toLowerCase())
