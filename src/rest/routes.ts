import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound, Refusal } from '../errors.ts'
import { authenticate } from '../http/authenticate.ts'
import type { Caller, FindCaller } from '../http/caller.ts'
import { type JsonApiUse, negotiate } from '../http/media-types.ts'
import type { Params } from '../http/params.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import type { FileFields } from '../http/uploaded-file.ts'
import { decide } from './access.ts'
import { type ActionRequest, noOwner } from './action-request.ts'
import type { Answer } from './answer.ts'
import { readIdempotencyKey } from './idempotency.ts'
import type { Machine } from './machine.ts'
import type { ParentCondition, RecordKey } from './plan.ts'
import { converse } from './represent/json-api.ts'
import type { Resource } from './resource.ts'
import type { Route } from './route-table.ts'
import { sendAnswer } from './send-answer.ts'

type MountParts = { readonly machine: Machine; readonly findCaller: FindCaller; readonly limits: RateLimits }

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

declare module 'fastify' {
  interface FastifyRequest {
    /** The representation that the request asks for; plain where both are false. */
    jsonApi: JsonApiUse | undefined
  }
}

/** Mounts the table: each request is authenticated, counted and judged before its body is read. */
export function mountRoutes(
  app: FastifyInstance,
  table: readonly Route[],
  { machine, findCaller, limits }: MountParts,
): void {
  app.decorateRequest('jsonApi', undefined)
  for (const route of table) {
    const files = filesOf(route, machine)
    if (!route.access) throw new Error(`${route.method} ${route.path} declares no access`)
    app.route({
      method: route.method,
      url: route.path,
      config: { files, documentedAt: route.resource.name },
      onRequest: async (request) => {
        const caller = await authenticate(request, findCaller)
        await limits.spend(caller.application, (state) => {
          request.rate = state
        })
        decide(route.access, caller)
        request.jsonApi = negotiate(request.headers)
      },
      handler: async (request, reply) => {
        const { isBody, isAnswer } = request.jsonApi as JsonApiUse
        const params = request.params as Record<string, string>
        try {
          const plain = readActionRequest(machine, route, request)
          const seen = machine.seenBy(plain.caller)
          const answer = isAnswer
            ? await runInJsonApi(seen, route, plain, params, isBody)
            : await route.run(seen, plain, params)
          return sendAnswer(request, reply, answer)
        } finally {
          if (files) await machine.files?.drop(request.body)
        }
      },
    })
  }
}

/** The limits of the files that a route takes, if it takes any. */
function filesOf({ action, resource }: Route, { files }: Machine): FileFields | undefined {
  const fields = action === 'create' || action === 'update' ? resource.payload?.files : undefined
  if (!fields || !files) return undefined
  const limits = fields.map((field) => [field, files.limits.maxBytes[field] ?? 0] as const)
  return { ...files.limits, maxBytes: Object.fromEntries(limits) }
}

async function runInJsonApi(
  machine: Machine,
  route: Route,
  plain: ActionRequest,
  params: Readonly<Record<string, string>>,
  isBody: boolean,
): Promise<Answer> {
  const { request, answer, refusal } = await converse(machine, route, plain, isBody)
  try {
    return await answer(await route.run(machine, request, params))
  } catch (error) {
    throw refusal(error)
  }
}

/** Answers 405 with `Allow` where a path is known and the method is not (decisions §3). */
export function refuseOtherMethods(
  app: FastifyInstance,
  known: readonly { readonly method: string; readonly path: string; readonly documentedAt?: string }[],
): void {
  const allowed = new Map<string, Set<string>>()
  const documented = new Map<string, string>()
  for (const { method, path, documentedAt } of known) {
    // Two routes may name the same parameter differently.
    const shape = path.replace(/:\w+/g, ':parameter')
    allowed.set(shape, (allowed.get(shape) ?? new Set()).add(method))
    if (documentedAt) documented.set(shape, documentedAt)
  }
  for (const methods of allowed.values()) if (methods.has('GET')) methods.add('HEAD')
  for (const [path, methods] of allowed) {
    const others = METHODS.filter((method) => !methods.has(method))
    if (others.length === 0) continue
    const documentedAt = documented.get(path)
    app.route({
      method: [...others],
      url: path,
      ...(documentedAt ? { config: { documentedAt } } : {}),
      // Before the body is looked at: whatever it is, it is not wanted here.
      onRequest: async (request) => {
        throw notAllowed(request.method, methods)
      },
      handler: async () => {},
    })
  }
  refuseForeignMethods(app, allowed)
}

/** The methods that no path has (TRACE, PROPFIND …) have no routes of their own: far too many would never be used. */
function refuseForeignMethods(app: FastifyInstance, allowed: ReadonlyMap<string, ReadonlySet<string>>): void {
  const patterns = [...allowed]
    .sort(([one], [other]) => parametersIn(one) - parametersIn(other))
    .map(([path, methods]) => [new RegExp(`^${path.replaceAll(':parameter', '[^/]+')}/?$`), methods] as const)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    const path = request.url.split('?', 1)[0] as string
    const known = patterns.find(([pattern]) => pattern.test(path))
    done(known && !known[1].has(request.method) ? notAllowed(request.method, known[1]) : undefined)
  })
}

const parametersIn = (path: string) => path.split(':').length - 1

function notAllowed(method: string, methods: ReadonlySet<string>): Refusal {
  const allow = [...methods].join(', ')
  return new Refusal(405, `${method} is not allowed here; allowed: ${allow}.`, { headers: { Allow: allow } })
}

function readActionRequest(machine: Machine, route: Route, request: FastifyRequest): ActionRequest {
  const caller = request.caller as Caller
  const params = request.params as Record<string, string>
  const question = request.url.indexOf('?')
  const path = question < 0 ? request.url : request.url.slice(0, question)
  return {
    caller,
    grant: decide(route.access, caller),
    query: request.query as Params,
    rawQuery: question < 0 ? '' : request.url.slice(question + 1),
    url: machine.wire.baseUrl + path,
    body: request.body,
    key: params.id === undefined ? undefined : readKey(route.resource, params.id),
    parents: readParents(machine, route, caller, params),
    prefersRecord: /(^|[,;\s])return=representation($|[,;\s])/i.test(String(request.headers.prefer ?? '')),
    idempotent:
      route.method === 'POST'
        ? readIdempotencyKey(
            request.headers['idempotency-key'] as string | undefined,
            caller,
            [path, request.body ?? withoutToken(request.query as Params)],
            machine.startHash,
          )
        : undefined,
  }
}

/** Which token a repeated request comes with says nothing about what it asks for. */
const withoutToken = ({ access_token: _, ...query }: Params): Params => query

function readParents(
  machine: Machine,
  route: Route,
  caller: Caller,
  params: Readonly<Record<string, string>>,
): ParentCondition[] {
  return route.chain.map(({ resource: name, tie }, index) => {
    const parent = machine.registry.get(name)
    if (route.me && index === 0) {
      if (caller.resourceOwnerId === null) throw noOwner()
      return { kind: 'parent', parent, tie, key: { id: caller.resourceOwnerId } }
    }
    return { kind: 'parent', parent, tie, key: readKey(parent, params[`${parent.singular}_id`] ?? '') }
  })
}

/** An id or, where the family has one, a slug or login. Anything else names nothing: 404. */
function readKey(resource: Resource, text: string): RecordKey {
  if (/^\d+$/.test(text)) {
    const id = Number(text)
    if (id <= 2_147_483_647) return { id }
  } else if (resource.identifiedBy && !text.includes('\0') && text.isWellFormed()) return { name: text }
  throw notFound(`There is no ${resource.singular} ${JSON.stringify(text.slice(0, 80))}.`)
}
