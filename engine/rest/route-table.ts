import type { ActionRequest } from './action-request.ts'
import type { Answer } from './answer.ts'
import type { Condition } from './condition.ts'
import { type Access, open } from './declare/access.ts'
import type { Association } from './declare/association.ts'
import {
  type Actions,
  type CreateAction,
  createRepresentation,
  embeddedOnly,
  type ListParameters,
  type MemberAction,
  type NestedAction,
  type Parent,
  type QueryActionDeclaration,
  type QueryParameter,
  type Resource,
  type WriteAction,
} from './declare/declaration.ts'
import type { Field } from './declare/fields/field.ts'
import type { Registry } from './declare/registry.ts'
import type { Engine } from './engine.ts'
import * as reading from './read/actions.ts'
import { planFilter } from './read/plan.ts'
import { conditionsAsked, type ParentParameter, parentParameters, parentsAsked } from './read/query-parameters.ts'
import { isFound } from './read/record-key.ts'
import * as writing from './write/actions.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export type ActionName =
  | 'index'
  | 'show'
  | 'owner'
  | 'graph'
  | 'search'
  | 'query'
  | 'create'
  | 'bulk'
  | 'update'
  | 'destroy'
  | 'member'

/** A method and path of the API, which `routes.ts` mounts and `openapi/` describes. */
export type Route = {
  readonly method: Method
  readonly path: string
  readonly resource: Resource
  readonly action: ActionName
  readonly access: Access
  /** Resources of the path's parameters before the record, outermost first. */
  readonly chain: Parent['chain']
  /** The path begins with `/v2/me`, which stands for the first of the chain. */
  readonly me: boolean
  readonly representation?: string | undefined
  readonly accepts?: MemberAction['accepts']
  readonly parameters?: Readonly<Record<string, QueryParameter>>
  readonly unwrapped?: boolean | undefined
  /** Columns that identify the record of a member action, instead of an id in the path. */
  readonly namedBy?: readonly string[] | undefined
  /** Descriptions of one-time values of a creation, by name. */
  readonly oneTimeValues?: CreateAction['oneTimeValues']
  readonly isSeveral?: boolean
  /** Association with the last of the chain for tokens of users, if it differs. */
  readonly associationForPersons?: Association | undefined
  readonly schema?: Field['schema'] | undefined
  readonly description?: string | undefined
  /** Name of the action, or a remark for documents. */
  readonly note?: string | undefined
  run(engine: Engine, request: ActionRequest, params: Readonly<Record<string, string>>): Promise<Answer>
  /** Plans the whole list of a route that returns pages. */
  readonly listOf?: (engine: Engine, request: ActionRequest) => Promise<reading.AskedList>
}

/** Returns every route. Throws if a parent offers an action that the resource does not have. */
export function routeTable(registry: Registry): Route[] {
  return registry.resources.flatMap((resource) => [
    ...(resource.actions === embeddedOnly ? [] : ownRoutes(registry, resource, resource.actions)),
    ...(resource.views ?? []).map((view) => viewRoute(resource, view)),
    ...(resource.searched ? [searchRoute(resource, resource.searched)] : []),
    ...(resource.parents ?? []).flatMap((parent) => parentRoutes(registry, resource, parent)),
  ])
}

function ownRoutes(registry: Registry, resource: Resource, { index, show, create, update, destroy, ...more }: Actions) {
  const { graph = index, bulk, members = {}, queryActions = {} } = more
  const path = `/v2/${resource.name}`
  const base = top(resource)
  return [
    indexRoute(base, path, index, { named: parentParameters(registry, resource) }),
    ...(resource.graph ? graphRoutes(base, path, graph) : []),
    ...(resource.owner ? [ownerRoute(resource, resource.owner)] : []),
    showRoute(base, `${path}/:id`, show),
    ...(create && !create.onlyBelow ? [createRoute(base, path, create)] : []),
    ...(create && bulk
      ? [bulkRoute(base, `${path}/${bulk.name}`, { ...create, access: bulk.access, prepareSeveral: bulk.prepare })]
      : []),
    ...(update ? updateRoutes(base, `${path}/:id`, update) : []),
    ...(destroy ? [destroyRoute(base, `${path}/:id`, destroy)] : []),
    ...membersRoutes(base, path, members),
    ...Object.entries(queryActions).map(([name, action]) =>
      queryActionRoute(base, `${path}/:id/${name}`, name, action),
    ),
  ]
}

const membersRoutes = (base: Base, path: string, members: NonNullable<Actions['members']>) =>
  Object.entries(members).flatMap(([name, action]) =>
    memberRoutes(base, action.namedBy ? `${path}/${name}` : `${path}/:id/${name}`, name, action),
  )

type Base = Pick<Route, 'resource' | 'chain' | 'me' | 'associationForPersons'>

const top = (resource: Resource): Base => ({ resource, chain: [], me: false })

const head = <A extends ActionName>(base: Base, method: Method, path: string, action: A, access: Access) => ({
  ...base,
  method,
  path,
  action,
  access,
})

function parentRoutes(registry: Registry, resource: Resource, parent: Parent): Route[] {
  const base = { resource, chain: parent.chain, associationForPersons: parent.forPersons?.association }
  return [
    ...(parent.me === 'only' ? [] : routesBelow({ ...base, me: false }, prefixOf(registry, parent.chain), parent)),
    ...(parent.me ? routesBelow({ ...base, me: true }, '/v2/me', parent) : []),
  ]
}

function prefixOf(registry: Registry, chain: Parent['chain']): string {
  const parts = chain.map(({ resource }) => `/${resource}/:${registry.get(resource).singular}_id`)
  return `/v2${parts.join('')}`
}

function routesBelow(
  base: Base,
  prefix: string,
  { actions: offered, suffix, as, representation, parameters, ...narrowed }: Parent,
): Route[] {
  const path = `${prefix}/${as ?? base.resource.name}${suffix ? `/${suffix}` : ''}`
  if (base.resource.actions === embeddedOnly) throw new Error(`${base.resource.name} has no routes`)
  const { index, graph = index, show, create, update, destroy, members = {} } = base.resource.actions
  const make: Record<NestedAction, () => Route[]> = {
    index: () => [indexRoute(base, path, index, { representation, parameters, ...narrowed })],
    graph: () => graphRoutes(base, path, graph, narrowed),
    show: () => [showRoute(base, `${path}/:id`, show)],
    only: () => [
      { ...showRoute(base, path, show), run: (engine, request) => reading.showOnly(engine, base.resource, request) },
    ],
    create: () => [createRoute(base, path, required(create, base.resource, 'create'), as)],
    update: () => updateRoutes(base, `${path}/:id`, required(update, base.resource, 'update')),
    members: () => membersRoutes(base, path, members),
    destroy: () => [destroyRoute(base, `${path}/:id`, required(destroy, base.resource, 'destroy'))],
  }
  return offered.flatMap((action) => make[action]())
}

function required<T extends WriteAction | CreateAction>(action: T | undefined, resource: Resource, name: string): T {
  if (!action) throw new Error(`${resource.name} offers ${name} below a parent but has no such action`)
  return action
}

type Narrowed = Pick<Parent, 'only' | 'forPersons'>

type ListOptions = {
  readonly representation?: string | undefined
  readonly named?: readonly ParentParameter[]
  readonly parameters?: ListParameters | undefined
}

function indexRoute(
  base: Base,
  path: string,
  access: Access,
  { representation, named = [], parameters = { named: {} }, ...narrowed }: Narrowed & ListOptions = {},
): Route {
  const { resource } = base
  const fixedFor = fixedBy(resource, narrowed)
  const optionsFor = (request: ActionRequest) => {
    const asked = [...parentsAsked(named, request.query), ...conditionsAsked(resource, parameters, request.query)]
    return { fixed: [...fixedFor(request), ...asked], representation }
  }
  return {
    ...head(base, 'GET', path, 'index', access),
    representation: representation ?? resource.answers?.index ?? 'record',
    note: noteOn(narrowed) ?? base.chain.map(({ association }) => noteOf(association)).find(Boolean),
    parameters: { ...Object.fromEntries(named.map(({ name, column }) => [name, column])), ...parameters.named },
    run: (engine, request) => reading.index(engine, resource, request, optionsFor(request)),
    listOf: (engine, request) => reading.planIndex(engine, resource, request, optionsFor(request)),
  }
}

const noteOf = (association: Base['chain'][number]['association']) =>
  isFound(association) ? association.note : undefined

const viewRoute = (
  resource: Resource,
  { path, filter, access, parameters }: NonNullable<Resource['views']>[number],
): Route => indexRoute(top(resource), path, access, { only: filter, parameters })

/** A list with its parameters in the body (`body-query.ts`), for long or confidential ones. */
const searchRoute = (resource: Resource, { access, representation }: NonNullable<Resource['searched']>): Route => ({
  ...head(top(resource), 'POST', `/v2/search/${resource.name}`, 'search', access),
  representation,
  run: (engine, request) => reading.index(engine, resource, request, { representation }),
})

export const answersPage = ({ action }: Pick<Route, 'action'>) => action === 'index' || action === 'search'

function fixedBy(resource: Resource, { only, forPersons }: Narrowed) {
  const planned = (filter: Narrowed['only']): readonly Condition[] =>
    filter ? [planFilter(resource, filter[0], [filter[1]])] : []
  const [forAll, forPerson] = [planned(only), planned(forPersons?.only ?? only)]
  return ({ caller }: ActionRequest) => (caller.resourceOwnerId === null ? forAll : forPerson)
}

function noteOn({ only, forPersons }: Narrowed): string | undefined {
  const notes = [
    ...(only ? [`Those of which ${only[0]} is ${only[1]}.`] : []),
    ...(forPersons ? [`With a token that stands for a person, those of which ${forPersons.only.join(' is ')}.`] : []),
  ]
  return notes.length === 0 ? undefined : notes.join(' ')
}

function graphRoutes(base: Base, path: string, access: Access, narrowed: Narrowed = {}): Route[] {
  const { resource } = base
  const fixedFor = fixedBy(resource, narrowed)
  return [`${path}/graph`, `${path}/graph/on/:field`, `${path}/graph/on/:field/by/:interval`].map((graphPath) => ({
    ...head(base, 'GET', graphPath, 'graph', access),
    run: (engine, request, { field, interval }) =>
      reading.graph(engine, resource, request, { field, interval }, fixedFor(request)),
  }))
}

const ownerRoute = (resource: Resource, { path, representation }: NonNullable<Resource['owner']>): Route => ({
  ...head({ ...top(resource), me: true }, 'GET', path, 'owner', open),
  representation,
  run: (engine, request) => reading.showOwner(engine, resource, request, representation),
})

const showRoute = (base: Base, path: string, access: Access): Route => ({
  ...head(base, 'GET', path, 'show', access),
  representation: base.resource.answers?.show ?? 'record',
  run: (engine, request) => reading.show(engine, base.resource, request),
})

const createRoute = (base: Base, path: string, action: CreateAction, note?: string): Route => ({
  ...head(base, 'POST', path, 'create', action.access),
  note,
  representation: createRepresentation(base.resource),
  oneTimeValues: action.oneTimeValues,
  isSeveral: action.performSeveral !== undefined,
  run: (engine, request) => writing.create(engine, base.resource, action, request),
})

const bulkRoute = (base: Base, path: string, action: CreateAction): Route => ({
  ...head(base, 'POST', path, 'bulk', action.access),
  representation: createRepresentation(base.resource),
  run: (engine, request) => writing.createSeveral(engine, base.resource, action, request),
})

function queryActionRoute(base: Base, path: string, name: string, action: QueryActionDeclaration): Route {
  const { access, description, parameters, schema } = action
  return {
    ...head(base, 'GET', path, 'query', access),
    description,
    note: name,
    parameters,
    schema,
    run: (engine, request) => reading.runQueryAction(engine, base.resource, action, request),
  }
}

/** Reports whether a repeated request acts again unless it has an idempotency key. */
export const isDoneAnew = ({ method, action }: Pick<Route, 'method' | 'action'>): boolean =>
  method === 'POST' || (method === 'DELETE' && action === 'member')

export const takesPayload = ({ action, accepts }: Pick<Route, 'action' | 'accepts'>): boolean =>
  ['create', 'bulk', 'update', 'search'].includes(action) || accepts !== undefined

/** Reports whether the path is enough to authorize the caller before the body is read. */
export const isAuthorizedByPath = (route: Route): boolean =>
  takesPayload(route) && (route.action === 'create' || route.path.includes('/:id'))

export function answeredRepresentation({ action, representation, resource }: Route): string | undefined {
  return action === 'update' ? (resource.answers?.show ?? 'record') : representation
}

function updateRoutes(base: Base, path: string, action: WriteAction): Route[] {
  return (['PATCH', 'PUT'] as const).map((method) => ({
    ...head(base, method, path, 'update', action.access),
    run: (engine, request) => writing.update(engine, base.resource, action, request),
  }))
}

const destroyRoute = (base: Base, path: string, action: WriteAction): Route => ({
  ...head(base, 'DELETE', path, 'destroy', action.access),
  run: (engine, request) => writing.destroy(engine, base.resource, action, request),
})

function memberRoutes(base: Base, path: string, name: string, action: MemberAction): Route[] {
  const methods = action.method ? [action.method] : (['PATCH', 'PUT'] as const)
  return methods.map((method) => ({
    ...head(base, method, path, 'member', action.access),
    description: action.description,
    note: name,
    accepts: action.accepts,
    unwrapped: action.unwrapped,
    namedBy: action.namedBy,
    schema: 'respond' in action ? action.schema : undefined,
    run: (engine, request) => writing.member(engine, base.resource, action, request),
  }))
}
