import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defined } from '../base/defined.ts'
import { authenticate } from '../http/authenticate.ts'
import type { FindCaller } from '../http/caller.ts'
import { hasBody } from '../http/has-body.ts'
import { type JsonApiUse, negotiate } from '../http/media-types.ts'
import type { Params } from '../http/params.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import { notAllowed } from '../http/refuse-methods.ts'
import { runForRequest } from '../http/run-for-request.ts'
import { areRightsOld } from '../http/slow-bodies.ts'
import { askedStream, asksForEvents, type StreamForm } from '../http/stream-types.ts'
import type { FileFields } from '../http/uploaded-file.ts'
import type { ActionRequest } from './action-request.ts'
import { type Answer, requireNextLink } from './answer.ts'
import { answerKeyOf } from './cache/answer-key.ts'
import type { CachedAnswers } from './cache/cached-answers.ts'
import { countCreation } from './count-creation.ts'
import { decide, requireApiRights } from './declare/access.ts'
import type { Registry } from './declare/registry.ts'
import { encodeAnswer } from './encoded-answer.ts'
import type { Engine } from './engine.ts'
import { type ListStreams, requireStreamAccess } from './export/list-streams.ts'
import { Shapes } from './json-api/shapes.ts'
import { translateRequest } from './json-api/translate-request.ts'
import { type Asked, mayBeStale, readActionRequest } from './read-action-request.ts'
import { isAuthorizedByPath, type Route, takesPayload } from './route-table.ts'
import { sendEncoded } from './send-answer.ts'
import { unknownParameters } from './unknown-parameters.ts'
import { isWatchable } from './watched.ts'
import { authorizePath } from './write/authorize-path.ts'

type MountDependencies = {
  readonly engine: Engine
  readonly findCaller: FindCaller
  readonly limits: RateLimits
  readonly lists: ListStreams
  readonly answers?: CachedAnswers | undefined
  readonly watch?: Watch | undefined
}

type Watch = (watched: {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly route: Route
  readonly asked: ActionRequest
}) => Promise<FastifyReply>

declare module 'fastify' {
  interface FastifyRequest {
    jsonApi: JsonApiUse | undefined
    stream: StreamForm | undefined
    isWatch: boolean
  }
}

type RouteShape = {
  Params: Readonly<Record<string, string>>
  Querystring: Params
  Headers: Asked['headers']
}
type ApiRequest = FastifyRequest<RouteShape>

/** Mounts the routes. Each request is authenticated, counted and authorized before its body is read. */
export function mountRoutes(
  app: FastifyInstance,
  table: readonly Route[],
  { engine, findCaller, limits, lists, answers, watch }: MountDependencies,
): void {
  app.decorateRequest('jsonApi', undefined)
  app.decorateRequest('stream', undefined)
  app.decorateRequest('isWatch', false)
  const namesBesideIds = methodsBesideIds(table)
  const shapes = new Shapes(engine.registry)
  for (const route of table) {
    const besideIds = namesBesideIds.get(route.path)
    const files = filesOf(route, engine)
    const keyOf = answers && answerKeyOf(engine, route)
    if (!route.access) throw new Error(`${route.method} ${route.path} declares no access`)
    const sendStream = (request: ApiRequest, reply: FastifyReply, form: StreamForm) => {
      const whole = readActionRequest(engine, route, askedOf(request))
      reportUnknown(route, whole, reply)
      return lists.send(reply, whole, form, () => defined(route.listOf)(engine, whole))
    }
    const authorizeBeforeBody = async (request: ApiRequest) => {
      if (hasBody(request.raw) && decide(route.access, defined(request.caller)).ownAssociation)
        await runForRequest(request, () =>
          authorizePath(engine, route, readActionRequest(engine, route, askedOf(request))),
        )
    }
    const mount = (url: string) =>
      app.route<RouteShape>({
        method: route.method,
        url,
        config: {
          files,
          documentedAt: route.resource.name,
          ignoresBody: !takesPayload(route),
          compresses: route.method === 'GET',
        },
        onRequest: async (request) => {
          const caller = await authenticate(request, findCaller)
          await limits.spend(caller.application, (state) => {
            request.rate = state
          })
          requireApiRights(engine.registry.access, caller)
          const others = besideIds?.get(request.params.id ?? '')
          if (others) throw notAllowed(request.method, others)
          await countCreation(limits, route, caller)
          request.isWatch =
            watch !== undefined &&
            request.method === 'GET' &&
            isWatchable(route) &&
            asksForEvents(request.headers.accept)
          if (request.isWatch) return
          request.stream = route.listOf && askedStream(request.headers.accept)
          if (request.stream) requireStreamAccess(engine.registry.access, request.stream, caller)
          else request.jsonApi = negotiate(request.headers)
        },
        ...(isAuthorizedByPath(route) && { preParsing: authorizeBeforeBody }),
        handler: async (request, reply) => {
          if (request.isWatch && watch) {
            const asked = readActionRequest(engine, route, askedOf(request))
            reportUnknown(route, asked, reply)
            return runForRequest(request, () => watch({ request, reply, route, asked }))
          }
          const { stream } = request
          if (stream) return runForRequest(request, () => sendStream(request, reply, stream))
          const { isBody, isAnswer } = defined(request.jsonApi)
          try {
            if (hasBody(request.raw) && areRightsOld(reply)) {
              const caller = await authenticate(request, findCaller)
              requireApiRights(engine.registry.access, caller)
              decide(route.access, caller)
            }
            if (isAnswer)
              return sendEncoded(
                request,
                reply,
                encodeAnswer(await runForRequest(request, () => runInJsonApi(engine, shapes, route, request, isBody))),
              )
            const run = () => runPlainly(engine, route, request, reply)
            // Responses of a replica may be stale, and are not cached.
            const isCached = keyOf && !(engine.database.replicas && mayBeStale(request.headers))
            const answer = await runForRequest(request, async () =>
              isCached ? answers.answer(keyOf(request, defined(request.caller)), run) : encodeAnswer(await run()),
            )
            return sendEncoded(request, reply, answer)
          } finally {
            if (files) await engine.files?.removeStaged(request.body)
          }
        },
      })
    mount(route.path)
    const alias = aliasOf(engine.registry, route)
    if (alias !== undefined) mount(alias)
  }
}

/** Returns the path with the alias of its first resource, if any. */
export function aliasOf({ aliases }: Registry, { path }: Route): string | undefined {
  const [, version, first = '', ...rest] = path.split('/')
  const word = aliases.get(first)
  return word === undefined || rest.length === 0 ? undefined : ['', version, word, ...rest].join('/')
}

type Methods = ReadonlySet<string>

/**
 * Returns the fixed names beside ids, such as `/v2/users/graph`, with their methods. With another method such a name is
 * still not a record's name.
 */
function methodsBesideIds(table: readonly Route[]): ReadonlyMap<string, ReadonlyMap<string, Methods>> {
  const folders = Map.groupBy(table, ({ path }) => path.slice(0, path.lastIndexOf('/')))
  return new Map(
    [...folders].map(([folder, routes]) => {
      const fixed = routes.filter(({ path }) => path !== `${folder}/:id`)
      const namesBesideIds = Map.groupBy(fixed, ({ path }) => path.slice(folder.length + 1))
      const methodsOf = (those: readonly Route[]) =>
        new Set(those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))
      return [`${folder}/:id`, new Map([...namesBesideIds].map(([name, those]) => [name, methodsOf(those)]))]
    }),
  )
}

function filesOf({ action, resource }: Route, { files }: Engine): FileFields | undefined {
  const fields = action === 'create' || action === 'update' ? resource.payload?.files : undefined
  if (!fields || !files) return undefined
  const limits = fields.map((field) => [field, files.limits.maxBytes[field] ?? 0] as const)
  return { ...files.limits, maxBytes: Object.fromEntries(limits) }
}

async function runPlainly(engine: Engine, route: Route, request: ApiRequest, reply: FastifyReply): Promise<Answer> {
  const plain = readActionRequest(engine, route, askedOf(request))
  const unread = reportUnknown(route, plain, reply)
  const answer = await route.run(engine, plain, request.params)
  requireNextLink(answer)
  return unread === undefined ? answer : { ...answer, headers: { ...answer.headers, 'x-unknown-parameters': unread } }
}

function reportUnknown(route: Route, { query }: ActionRequest, reply: FastifyReply): string | undefined {
  const unread = unknownParameters(route, query)
  if (unread !== undefined) reply.header('x-unknown-parameters', unread)
  return unread
}

async function runInJsonApi(engine: Engine, shapes: Shapes, route: Route, sent: ApiRequest, isBody: boolean) {
  const plain = readActionRequest(engine, route, askedOf(sent))
  const { request, answer, refusal } = await translateRequest(engine, shapes, route, plain, isBody)
  try {
    return await answer(await route.run(engine, request, sent.params))
  } catch (error) {
    throw refusal(error)
  }
}

function askedOf(request: ApiRequest): Asked {
  const question = request.url.indexOf('?')
  const caller = defined(request.caller)
  return {
    // The audit log has the address of writes. Without it, reads of a caller share a cache entry.
    caller: request.method === 'GET' ? caller : { ...caller, address: request.ip },
    path: question < 0 ? request.url : request.url.slice(0, question),
    params: request.params,
    rawQuery: question < 0 ? '' : request.url.slice(question + 1),
    query: request.query,
    body: request.body,
    headers: request.headers,
  }
}
