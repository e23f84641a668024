import { defined } from '../../base/defined.ts'
import { once } from '../../base/once.ts'
import { inSlices } from '../../base/slices.ts'
import { STREAM_LIMITS } from '../../changes/streams/limits.ts'
import { streamMetrics } from '../../changes/streams/metrics.ts'
import { type PageRequest, type StreamHolder, Streams, type WatchRequest } from '../../changes/streams/streams.ts'
import { watchInProcess } from '../../changes/streams/watch-in-process.ts'
import { DRAWING_ROUTE, mountDrawings } from '../../demo/mount-drawings.ts'
import { bearerToken } from '../../http/authenticate.ts'
import type { FindCaller } from '../../http/caller.ts'
import { HEALTH_PATHS, mountHealth } from '../../http/health.ts'
import type { KnownRoute } from '../../http/known-paths.ts'
import { METRICS_PATH, mountMetrics } from '../../http/metrics.ts'
import { servePicturesOnly } from '../../http/picture-host.ts'
import { CallCounts } from '../../oauth/call-counts.ts'
import { countCalls } from '../../oauth/count-calls.ts'
import { mountOauth, OAUTH_ROUTES, REGISTRATION_ROUTE } from '../../oauth/routes.ts'
import { COMMON_ACCESS } from '../../resources/access.ts'
import { API_VERSION, apiDocument } from '../../resources/api-document.ts'
import { storageOfResources } from '../../resources/declared.ts'
import { resources } from '../../resources/index.ts'
import { cacheMetrics } from '../../rest/cache/cache-metrics.ts'
import { CachedAnswers } from '../../rest/cache/cached-answers.ts'
import { createEngine, type Engine } from '../../rest/engine.ts'
import { ListStreams } from '../../rest/export/list-streams.ts'
import { apiInProcess } from '../../rest/in-process.ts'
import { serveDocument, serveIndex } from '../../rest/openapi/serve.ts'
import { INDEX_ROUTE, OPENAPI_ROUTE } from '../../rest/openapi/service.ts'
import { type Route, routeTable } from '../../rest/route-table.ts'
import { aliasOf, mountRoutes } from '../../rest/routes.ts'
import { hasApiScope } from '../../scopes.ts'
import { FILE_ROUTE, mountDownloads } from '../../services/attachments/downloads.ts'
import { INITIALS_ROUTE, mountInitials } from '../../services/attachments/initials.ts'
import { uploadReceiver } from '../../services/attachments/receive-uploads.ts'
import { mountProfilePictures, PROFILE_PICTURE_ROUTE } from '../../services/attachments/serve-profile-pictures.ts'
import type { Services } from './open-services.ts'

/** Mounts the routes for programs: health, metrics, tokens, files, and the routes of the declared resources. */
export async function mountApi(services: Services) {
  const { app, config, database, clock, findCaller, findToken, limits, links, metrics, openid, paths, store } = services
  servePicturesOnly(app, config, [FILE_ROUTE, DRAWING_ROUTE, INITIALS_ROUTE, PROFILE_PICTURE_ROUTE])
  mountHealth(app, services)
  mountMetrics(app, metrics, config)
  services.stops.push(countCalls(app, new CallCounts(database, clock), services.jobs))
  mountOauth(app, {
    ...{ config, database, clock, openid },
    ...{ findCaller: findToken, limits: services.tokenLimits, metrics: services.tokens },
  })
  mountDownloads(app, { database, store, links })
  mountInitials(app)
  mountDrawings(app)
  mountProfilePictures(app, { database, store })

  const engine = await openEngine(services)
  const { registry } = engine
  const table = routeTable(registry)
  const answers = openCache(services)
  const streams = openStreams(services, engine)
  const lists = new ListStreams(engine, limits)
  app.addHook('preClose', async () => lists.close())
  mountRoutes(app, table, {
    engine,
    findCaller,
    limits,
    lists,
    answers,
    watch: (watched) => streams.open({ ...watched, holder: tokenHolder(watched, findCaller) }),
  })
  const document = once(() => inSlices(apiDocument(registry, table, config.baseUrl)))
  serveDocument(app, document)
  serveIndex(app, table, config.baseUrl, API_VERSION)
  paths.add([
    ...[...HEALTH_PATHS, METRICS_PATH].map((path) => ({ method: 'GET', path })),
    ...[OPENAPI_ROUTE, INDEX_ROUTE, FILE_ROUTE, DRAWING_ROUTE, INITIALS_ROUTE, PROFILE_PICTURE_ROUTE],
    ...table.flatMap((route) => knownAs(route, aliasOf(registry, route))),
    ...OAUTH_ROUTES,
    ...(config.isRegistrationOpen ? [REGISTRATION_ROUTE] : []),
  ])
  return {
    ...{ engine, table, document },
    api: apiInProcess(table, { engine, answers, lists, limits }),
    watchApi: watchInProcess(table, engine, (watched) => streams.open(watched)),
    watchPage: (watched: PageRequest) => streams.openPage(watched),
  }
}

function openEngine({ captures, config, database, clock, links, sealer, sealing, staging, store }: Services) {
  const wire = {
    baseUrl: config.baseUrl,
    picturesUrl: config.picturesUrl,
    timeZone: config.timeZone,
    now: () => clock.now(),
    signed: (path: string, base?: string) => links.sign(path, base),
    signedUntil: () => links.signedUntil(),
  }
  return createEngine({
    ...{ database, clock, wire },
    files: uploadReceiver({ database, clock, store, staging, limits: config.uploadLimits }),
    startHash: () => sealer.keyedHash('idempotency'),
    resources: resources(sealer, sealing, (tx, tables) => captures.captureWithin(tx, tables)),
    access: COMMON_ACCESS,
    storage: storageOfResources(),
  })
}

function tokenHolder({ request, asked }: Omit<WatchRequest, 'holder'>, findCaller: FindCaller): StreamHolder {
  const key = defined(bearerToken(request))
  const { application, resourceOwnerId } = asked.caller
  const owner = resourceOwnerId ?? application.ownerId ?? null
  return {
    key,
    application: String(application.id),
    person: owner === null ? `application ${application.id}` : `user ${owner}`,
    async current() {
      const caller = await findCaller(key)
      return typeof caller === 'string' || !hasApiScope(caller.scopes) ? undefined : caller
    },
  }
}

function openStreams(services: Services, engine: Engine): Streams {
  const { app, captures, config, metrics, stops, streamLimits = STREAM_LIMITS } = services
  const streams = new Streams({
    ...{ engine, captures, limits: { ...streamLimits, perProcess: config.maxStreams } },
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

function openCache({ config, database, clock, metrics }: Services): CachedAnswers | undefined {
  const maxBytes = config.responseCacheBytes
  if (maxBytes === 0) return undefined
  const answers = new CachedAnswers({ changes: database.changes, clock, maxBytes })
  metrics.add(() => cacheMetrics(answers.figures))
  return answers
}

function knownAs({ method, path, resource }: Route, alias: string | undefined): KnownRoute[] {
  const known = { method, path, documentedAt: resource.name }
  return alias === undefined ? [known] : [known, { ...known, path: alias }]
}
