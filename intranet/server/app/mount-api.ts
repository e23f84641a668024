import { STREAM_LIMITS } from '@campus/engine/changes/streams/limits'
import { HEALTH_PATHS, mountHealth } from '@campus/engine/http/health'
import { METRICS_PATH, mountMetrics } from '@campus/engine/http/metrics'
import { servePicturesOnly } from '@campus/engine/http/picture-host'
import { mountResources } from '@campus/engine/mount-resources'
import { createEngine } from '@campus/engine/rest/engine'
import { CallCounts } from '../../oauth/call-counts.ts'
import { countCalls } from '../../oauth/count-calls.ts'
import { mountOauth, OAUTH_ROUTES, REGISTRATION_ROUTE } from '../../oauth/routes.ts'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { API_VERSION, apiDocument } from '../../school/resources/api-document.ts'
import { storageOfResources } from '../../school/resources/declared.ts'
import { resources } from '../../school/resources/index.ts'
import { FILE_ROUTE, mountDownloads } from '../../services/attachments/downloads.ts'
import { INITIALS_ROUTE, mountInitials } from '../../services/attachments/initials.ts'
import { uploadReceiver } from '../../services/attachments/receive-uploads.ts'
import { mountProfilePictures, PROFILE_PICTURE_ROUTE } from '../../services/attachments/serve-profile-pictures.ts'
import type { Services } from './open-services.ts'

/** Mounts the routes for programs: health, metrics, tokens, files, and declared resources. */
export async function mountApi(services: Services) {
  const { app, config, database, clock, findCaller, findToken, limits, links, metrics, openid, paths, stops, store } =
    services
  const { captures, streamLimits = STREAM_LIMITS } = services
  const pictures = services.parts.flatMap(({ routes }) => routes?.declared ?? []).filter(({ isPicture }) => isPicture)
  servePicturesOnly(app, config, [FILE_ROUTE, INITIALS_ROUTE, PROFILE_PICTURE_ROUTE, ...pictures])
  mountHealth(app, services)
  mountMetrics(app, metrics, config)
  stops.push(countCalls(app, new CallCounts(database, clock), services.jobs))
  mountOauth(app, {
    config,
    database,
    clock,
    openid,
    documentation: services.documentation,
    findCaller: findToken,
    limits: services.tokenLimits,
    metrics: services.tokens,
  })
  mountDownloads(app, { database, store, links })
  mountInitials(app)
  mountProfilePictures(app, { database, store })

  const engine = await openEngine(services)
  const mounted = mountResources(app, {
    engine,
    captures,
    clock,
    findCaller,
    limits,
    cacheBytes: config.responseCacheBytes,
    streamLimits: { ...streamLimits, perProcess: config.maxStreams },
    document: (registry, table) => apiDocument(registry, table, config.baseUrl),
    version: API_VERSION,
    documentation: services.documentation,
    paths,
    metrics,
    stops,
  })
  paths.add([
    ...[...HEALTH_PATHS, METRICS_PATH].map((path) => ({ method: 'GET', path })),
    ...[FILE_ROUTE, INITIALS_ROUTE, PROFILE_PICTURE_ROUTE],
    ...OAUTH_ROUTES,
    ...(config.isRegistrationOpen ? [REGISTRATION_ROUTE] : []),
  ])
  return { engine, ...mounted }
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
    database,
    clock,
    wire,
    files: uploadReceiver({ database, clock, store, staging, limits: config.uploadLimits }),
    startHash: () => sealer.keyedHash('idempotency'),
    resources: resources(sealer, sealing, (tx, tables) => captures.captureWithin(tx, tables)),
    access: COMMON_ACCESS,
    storage: storageOfResources(),
  })
}
