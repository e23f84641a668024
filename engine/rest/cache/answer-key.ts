import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../http/caller.ts'
import { isParams } from '../../http/params.ts'
import { queryWithoutToken } from '../answer.ts'
import { type Access, grantOf } from '../declare/access.ts'
import type { Engine } from '../engine.ts'
import { answeredRepresentation, type Route } from '../route-table.ts'

/** Key of a response: the request, and the caller if the response depends on the caller. */
export type AnswerKey = {
  /** Path and query, as they were sent: the links to other pages repeat them. */
  readonly address: string
  /** The same for all callers to whom the route shows the same, unless the query asks about the caller. */
  readonly viewer: string
  /** The same for all callers with the same rights who stand for the same person (spec: access 16). */
  readonly caller: string
}

/** Makes the key of a route's requests; undefined where the route's answers are not cached. */
export function answerKeyOf(
  engine: Engine,
  route: Route,
): ((request: Addressed, caller: Caller) => AnswerKey) | undefined {
  if (route.method !== 'GET' || route.action === 'query') return undefined
  const viewerKey = viewerKeyOf(engine, route)
  const ownKey = callerKeyFor(route)
  return (request, caller) => ({
    address: addressAsked(request),
    viewer: viewerKey(caller),
    caller: ownKey(caller),
  })
}

/** Path with query as it was sent, and the query as it was read. */
type Addressed = Pick<FastifyRequest, 'url' | 'query'>

/** Which token a request comes with makes no difference beside its caller. */
function addressAsked({ url, query }: Addressed): string {
  if (!(isParams(query) && query.access_token !== undefined)) return url
  const question = url.indexOf('?')
  return `${url.slice(0, question)}?${queryWithoutToken(url.slice(question + 1))}`
}

/** Returns the key of the parts of a response that depend on the caller by declaration, for every query. */
export function viewerKeyOf({ representations }: Engine, route: Route): (caller: Caller) => string {
  const { resource, me, access } = route
  const name = answeredRepresentation(route)
  if (me || (name !== undefined && representations.representation(resource, name).isGuarded)) return callerKeyFor(route)
  const restricted = route.action === 'show' ? resource.restricted?.access : undefined
  const accesses = [access, restricted, resource.concealed?.access].filter((one) => one !== undefined)
  const ownKey = callerKeyFor(route)
  return (caller) => viewerKeyBy(accesses, caller, ownKey)
}

function viewerKeyBy(accesses: readonly Access[], caller: Caller, ownKey: (caller: Caller) => string): string {
  // Some lists are others for people than for applications.
  let key = caller.resourceOwnerId === null ? 'application' : 'person'
  for (const access of accesses) {
    const grant = grantOf(access, caller)
    if (grant?.ownAssociation) return ownKey(caller)
    key += grant ? '+' : '-'
  }
  return key
}

/** All that answers may depend on of a caller (`declare/viewer.ts`). */
export function callerKey(caller: Caller): string {
  const known = callerKeys.get(caller)
  if (known !== undefined) return known
  const key = JSON.stringify([caller.resourceOwnerId, caller.application.roles, caller.scopes])
  callerKeys.set(caller, key)
  return key
}

/** Returns a function that gives callers with equal responses of a route the same key. An application's own records are never shared. */
export const callerKeyFor = ({ resource: { concealed } }: Pick<Route, 'resource'>): ((caller: Caller) => string) =>
  concealed?.application === undefined ? callerKey : (caller) => `${callerKey(caller)} ${caller.application.id}`

/** By caller, of whom most come again and again. */
const callerKeys = new WeakMap<Caller, string>()
