import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../http/caller.ts'
import { isParams } from '../../http/params.ts'
import { queryWithoutToken } from '../answer.ts'
import { type Access, grantOf } from '../declare/access.ts'
import type { Engine } from '../engine.ts'
import { answeredRepresentation, type Route } from '../route-table.ts'

export type AnswerKey = {
  /** Path and query as sent, since links to other pages repeat them. */
  readonly address: string
  /** Equal for all callers to whom the route shows the same, unless the query depends on the caller. */
  readonly viewer: string
  /** Equal for all callers with the same rights and user (spec: access 16). */
  readonly caller: string
}

export function answerKeyOf(
  engine: Engine,
  route: Route,
): ((request: Addressed, caller: Caller) => AnswerKey) | undefined {
  if (route.method !== 'GET' || route.action === 'query') return undefined
  const viewerKey = viewerKeyOf(engine, route)
  const ownKey = callerKeyFor(route)
  return (request, caller) => ({ address: addressAsked(request), viewer: viewerKey(caller), caller: ownKey(caller) })
}

type Addressed = Pick<FastifyRequest, 'url' | 'query'>

/** The token makes no difference besides its caller. */
function addressAsked({ url, query }: Addressed): string {
  if (!(isParams(query) && query.access_token !== undefined)) return url
  const question = url.indexOf('?')
  return `${url.slice(0, question)}?${queryWithoutToken(url.slice(question + 1))}`
}

/** Returns a function that returns the key of what the route shows to a caller by declaration, for every query. */
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
  // Some lists differ between people and applications.
  let key = caller.resourceOwnerId === null ? 'application' : 'person'
  for (const access of accesses) {
    const grant = grantOf(access, caller)
    if (grant?.ownAssociation) return ownKey(caller)
    key += grant ? '+' : '-'
  }
  return key
}

/** Everything of a caller that a response may depend on (`declare/viewer.ts`). */
export function callerKey(caller: Caller): string {
  const known = callerKeys.get(caller)
  if (known !== undefined) return known
  const key = JSON.stringify([caller.resourceOwnerId, caller.application.roles, caller.scopes])
  callerKeys.set(caller, key)
  return key
}

export const callerKeyFor = ({ resource: { concealed } }: Pick<Route, 'resource'>): ((caller: Caller) => string) =>
  concealed?.application === undefined ? callerKey : (caller) => `${callerKey(caller)} ${caller.application.id}`

const callerKeys = new WeakMap<Caller, string>()
