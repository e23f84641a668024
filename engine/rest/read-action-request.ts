import { message } from '../base/languages/say.ts'
import { notFound } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import type { Params } from '../http/params.ts'
import { type ActionRequest, noOwner } from './action-request.ts'
import type { ParentCondition, RecordKey } from './condition.ts'
import { decide } from './declare/access.ts'
import type { Resource } from './declare/declaration.ts'
import { MAX_INTEGER } from './declare/fields/kinds.ts'
import type { Engine } from './engine.ts'
import { queryWithBody } from './read/body-query.ts'
import { isDoneAnew, type Route } from './route-table.ts'
import { readIdempotencyKey } from './write/idempotency.ts'
import { sourceOf } from './write/unwrap.ts'

export type Asked = {
  readonly caller: Caller
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly rawQuery: string
  readonly query: Params
  readonly body: unknown
  readonly headers: {
    readonly prefer?: string | readonly string[]
    readonly 'idempotency-key'?: string
    readonly 'if-match'?: string
    readonly 'if-none-match'?: string
  }
}

/** Reads a request for a route. Throws 403, and 404 for an impossible name. */
export function readActionRequest(engine: Engine, route: Route, asked: Asked): ActionRequest {
  const { caller, path, params, rawQuery, query, body, headers } = asked
  return {
    caller,
    grant: decide(route.access, caller),
    query: route.action === 'search' ? queryWithBody(query, body) : query,
    rawQuery,
    url: engine.wire.baseUrl + path,
    body,
    params,
    key: params.id === undefined ? undefined : readKey(route.resource, params.id),
    parents: readParents(engine, route, caller, params),
    prefersRecord: prefers(headers.prefer, RECORD),
    mayBeStale: mayBeStale(headers),
    preconditions: { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] },
    idempotent: isDoneAnew(route) ? readIdempotent(engine, asked) : undefined,
  }
}

type Headers = Asked['headers']

const RECORD = /(^|[,;\s])return=representation($|[,;\s])/i
const STALE = /(^|[,\s])stale-ok($|[,;\s])/i

const prefers = (prefer: Headers['prefer'], what: RegExp) => prefer !== undefined && what.test(String(prefer))

/** Reports whether the response may be some seconds old (RFC 7240; spec: lists 27). */
export const mayBeStale = ({ prefer }: Headers): boolean => prefers(prefer, STALE)

function readIdempotent({ startHash }: Engine, { caller, path, query, body, headers }: Asked) {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  return readIdempotencyKey(key, caller, [path, sourceOf({ body, query: withoutToken(query) })], startHash)
}

/** A repeated request may have another token. */
const withoutToken = ({ access_token: _, ...query }: Params): Params => query

function readParents(
  engine: Engine,
  route: Route,
  caller: Caller,
  params: Readonly<Record<string, string>>,
): ParentCondition[] {
  return route.chain.map(({ resource: name, association }, index) => {
    const parent = engine.registry.get(name)
    if (route.me && index === 0) {
      if (caller.resourceOwnerId === null) throw noOwner()
      return { kind: 'parent', parent, association, key: { id: caller.resourceOwnerId } }
    }
    const isLast = index === route.chain.length - 1
    const associationForPersons = isLast && caller.resourceOwnerId !== null ? route.associationForPersons : undefined
    const key = readKey(parent, params[`${parent.singular}_id`] ?? '')
    return { kind: 'parent', parent, association: associationForPersons ?? association, key }
  })
}

/** Reads an id, slug or login, without surrounding blanks. Throws 404 for anything else. */
function readKey(resource: Resource, given: string): RecordKey {
  const text = given.trim()
  if (/^\d+$/.test(text)) {
    const id = Number(text)
    if (id <= MAX_INTEGER) return { id }
  } else if (resource.identifiedBy && !text.includes('\0') && text.isWellFormed()) return { name: text }
  throw notFound(
    message('There is no {what} {id}.', { what: resource.singular, id: JSON.stringify(text.slice(0, 80)) }),
  )
}
