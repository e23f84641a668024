import type { FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { sweepHourly } from './housekeeping.ts'
import { HEALTH_PATH, mountHealth } from './http/health.ts'
import { RateLimits } from './http/rate-limit.ts'
import { createServer } from './http/server.ts'
import { oauthOperations } from './oauth/openapi.ts'
import { mountOauth, OAUTH_ROUTES } from './oauth/routes.ts'
import { callerFinder } from './oauth/tokens.ts'
import { mountReference, REFERENCE_ROUTES } from './pages/reference/routes.ts'
import { mountPages, PAGE_ROUTES } from './pages/routes.ts'
import { resources } from './resources/index.ts'
import { createMachine } from './rest/machine.ts'
import { serveDocument } from './rest/openapi/serve.ts'
import { OPENAPI_ROUTE } from './rest/openapi/service.ts'
import { openapiDocument } from './rest/openapi.ts'
import { routeTable } from './rest/route-table.ts'
import { mountRoutes, refuseOtherMethods } from './rest/routes.ts'
import { Sealer } from './sealer.ts'

/** Everything that the service is made of and does not make itself. */
export type Parts = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string }
  /** 32 bytes that seal webservice secrets at rest. */
  readonly secretKey: Buffer
}

/** Mounts everything and starts nothing. */
export async function createApp({ config, database, clock, tls, secretKey }: Parts): Promise<FastifyInstance> {
  const app = await createServer({ tls, logLevel: config.logLevel })
  mountHealth(app, database)
  const findCaller = callerFinder({ database, clock })
  mountOauth(app, { config, database, clock, findCaller })
  mountPages(app, { config, database, clock })

  const wire = { baseUrl: config.baseUrl, timeZone: config.timeZone, now: () => clock.now() }
  const machine = await createMachine({ database, clock, wire, resources: resources(new Sealer(secretKey)) })
  const table = routeTable(machine.registry)
  mountRoutes(app, table, { machine, findCaller, limits: new RateLimits() })
  const more = [oauthOperations(config.baseUrl)]
  const document = openapiDocument(machine.registry, table, { baseUrl: config.baseUrl, version: '2.0', more })
  serveDocument(app, document)
  mountReference(app, { document, registry: machine.registry, table, baseUrl: config.baseUrl })

  refuseOtherMethods(app, [
    { method: 'GET', path: HEALTH_PATH },
    OPENAPI_ROUTE,
    ...table,
    ...OAUTH_ROUTES,
    ...REFERENCE_ROUTES,
    ...PAGE_ROUTES,
  ])
  let stopSweeping = () => {}
  app.addHook('onListen', async () => {
    stopSweeping = sweepHourly(database, clock, (error) => app.log.error({ err: error }, 'sweep failed'))
  })
  app.addHook('onClose', async () => stopSweeping())
  return app
}
