import type { FastifyInstance } from 'fastify'
import type { Clock } from './base/clock.ts'
import { defined } from './base/defined.ts'
import type { Metrics } from './base/metrics/metrics.ts'
import { once } from './base/once.ts'
import { inSlices, type Slices } from './base/slices.ts'
import type { Stop } from './base/stop-all.ts'
import type { Captures } from './changes/capture.ts'
import type { StreamLimits } from './changes/streams/limits.ts'
import { streamMetrics } from './changes/streams/metrics.ts'
import { type PageRequest, type StreamHolder, Streams, type WatchRequest } from './changes/streams/streams.ts'
import { watchInProcess } from './changes/streams/watch-in-process.ts'
import { bearerToken } from './http/authenticate.ts'
import type { FindCaller } from './http/caller.ts'
import type { KnownPaths, KnownRoute } from './http/known-paths.ts'
import type { RateLimits } from './http/rate-limit.ts'
import { cacheMetrics } from './rest/cache/cache-metrics.ts'
import { CachedAnswers } from './rest/cache/cached-answers.ts'
import { hasApiRights } from './rest/declare/access.ts'
import type { Registry } from './rest/declare/registry.ts'
import type { Engine } from './rest/engine.ts'
import { ListStreams } from './rest/export/list-streams.ts'
import { apiInProcess } from './rest/in-process.ts'
import type { OpenapiDocument } from './rest/openapi/document.ts'
import { serveDocument, serveIndex } from './rest/openapi/serve.ts'
import { INDEX_ROUTE, OPENAPI_ROUTE } from './rest/openapi/service.ts'
import { type Route, routeTable } from './rest/route-table.ts'
import { aliasOf, mountRoutes } from './rest/routes.ts'

type MountOptions = {
  readonly engine: Engine
  readonly captures: Captures
  readonly clock: Clock
  readonly findCaller: FindCaller
  readonly limits: RateLimits
  readonly cacheBytes: number
  readonly streamLimits: StreamLimits
  readonly document: (registry: Registry, table: readonly Route[]) => Slices<OpenapiDocument>
  readonly version: string
  /** Address of the documentation. Default: the OpenAPI document. */
  readonly documentation?: string | undefined
  readonly paths: KnownPaths
  readonly metrics: Metrics
  readonly stops: Stop[]
}

export function mountResources(app: FastifyInstance, mounting: MountOptions) {
  const { engine, findCaller, limits, paths, version } = mounting
  const { registry } = engine
  const { baseUrl } = engine.wire
  const table = routeTable(registry)
  const answers = openCache(mounting)
  const streams = openStreams(app, mounting)
  const lists = new ListStreams(engine, limits)
  app.addHook('preClose', async () => lists.close())
  mountRoutes(app, table, {
    engine,
    findCaller,
    limits,
    lists,
    answers,
    watch: (watched) => streams.open({ ...watched, holder: tokenHolder(watched, engine, findCaller) }),
  })
  const document = once(() => inSlices(mounting.document(registry, table)))
  serveDocument(app, document)
  serveIndex(app, table, { baseUrl, version, documentation: mounting.documentation })
  paths.add([OPENAPI_ROUTE, INDEX_ROUTE, ...table.flatMap((route) => knownAs(route, aliasOf(registry, route)))])
  return {
    table,
    document,
    api: apiInProcess(table, { engine, answers, lists, limits }),
    watchApi: watchInProcess(table, engine, (watched) => streams.open(watched)),
    watchPage: (watched: PageRequest) => streams.openPage(watched),
  }
}

function tokenHolder(
  { request, asked }: Omit<WatchRequest, 'holder'>,
  { registry }: Engine,
  findCaller: FindCaller,
): StreamHolder {
  const key = defined(bearerToken(request))
  const { application, resourceOwnerId } = asked.caller
  const owner = resourceOwnerId ?? application.ownerId ?? null
  return {
    key,
    application: String(application.id),
    person: owner === null ? `application ${application.id}` : `user ${owner}`,
    async current() {
      const caller = await findCaller(key)
      return typeof caller === 'string' || !hasApiRights(registry.access, caller) ? undefined : caller
    },
  }
}

function openStreams(app: FastifyInstance, { captures, engine, metrics, stops, streamLimits }: MountOptions): Streams {
  const streams = new Streams({
    engine,
    captures,
    limits: streamLimits,
    onError: (error) => app.log.error({ err: error }, 'streams wait for the change feed'),
    onCut: ({ application, person }) =>
      app.log.warn({ application, person }, 'a stream was cut because its reader did not read for a minute'),
  })
  metrics.add(() => streamMetrics(streams))
  app.addHook('onListen', async () => streams.start())
  app.addHook('preClose', async () => streams.close())
  stops.push(() => streams.stop())
  return streams
}

function openCache({ cacheBytes, clock, engine, metrics }: MountOptions): CachedAnswers | undefined {
  if (cacheBytes === 0) return undefined
  const answers = new CachedAnswers({ changes: engine.database.changes, clock, maxBytes: cacheBytes })
  metrics.add(() => cacheMetrics(answers.figures))
  return answers
}

function knownAs({ method, path, resource }: Route, alias: string | undefined): KnownRoute[] {
  const known = { method, path, documentedAt: resource.name }
  return alias === undefined ? [known] : [known, { ...known, path: alias }]
}
