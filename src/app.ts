import type { FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { sweepHourly } from './housekeeping.ts'
import { HEALTH_PATH, mountHealth } from './http/health.ts'
import { METRICS_PATH, mountMetrics } from './http/metrics.ts'
import { RateLimits } from './http/rate-limit.ts'
import { createServer } from './http/server.ts'
import { oauthOperations } from './oauth/openapi.ts'
import { mountOauth, OAUTH_ROUTES } from './oauth/routes.ts'
import { callerFinder } from './oauth/tokens.ts'
import { resources } from './resources/index.ts'
import { createMachine } from './rest/machine.ts'
import { serveDocument } from './rest/openapi/serve.ts'
import { OPENAPI_ROUTE } from './rest/openapi/service.ts'
import { openapiDocument } from './rest/openapi.ts'
import { routeTable } from './rest/route-table.ts'
import { mountRoutes, refuseOtherMethods } from './rest/routes.ts'
import { Sealer } from './sealer.ts'
import { deliveryMetrics } from './webhooks/metrics.ts'
import { sendWhileListening } from './webhooks/mount.ts'
import { readOutgoing } from './webhooks/outgoing.ts'
import { createSealing, type Sealing } from './webhooks/sealing.ts'
import { CallSender } from './webhooks/send-calls.ts'
import { createTransport } from './webhooks/transport.ts'

/** Everything that the service is made of and does not make itself. */
export type Parts = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string }
  /** 32 bytes that seal webservice secrets at rest. */
  readonly secretKey: Buffer
  /** Seals what is to be told to campuses; made from the configuration unless the caller uses it too. */
  readonly sealing?: Sealing
}

/** Mounts everything and starts nothing. */
export async function createApp(parts: Parts): Promise<FastifyInstance> {
  const { config, database, clock, tls, secretKey, sealing = createSealing(config.sealingKey) } = parts
  const app = await createServer({ tls, logLevel: config.logLevel })
  mountHealth(app, database)
  const findCaller = callerFinder({ database, clock })
  mountOauth(app, { config, database, clock, findCaller })

  const secrets = new Sealer(secretKey)
  const wire = { baseUrl: config.baseUrl, timeZone: config.timeZone, now: () => clock.now() }
  const machine = await createMachine({ database, clock, wire, resources: resources(secrets, sealing) })
  const table = routeTable(machine.registry)
  mountRoutes(app, table, { machine, findCaller, limits: new RateLimits() })
  const more = [oauthOperations(config.baseUrl)]
  serveDocument(app, openapiDocument(machine.registry, table, { baseUrl: config.baseUrl, version: '2.0', more }))

  refuseOtherMethods(app, [
    { method: 'GET', path: HEALTH_PATH },
    { method: 'GET', path: METRICS_PATH },
    OPENAPI_ROUTE,
    ...table,
    ...OAUTH_ROUTES,
  ])
  const outgoing = await readOutgoing(config)
  const transport = createTransport(outgoing)
  const { connections } = outgoing
  const metrics = deliveryMetrics(database, clock)
  const sender = new CallSender({
    database,
    clock,
    secrets,
    sealing,
    transport,
    connections,
    log: app.log,
    onTried: metrics.count,
  })
  mountMetrics(app, metrics, config.metricsToken)
  sendWhileListening(app, sender)

  let stopSweeping = () => {}
  app.addHook('onListen', async () => {
    stopSweeping = sweepHourly(database, clock, (error) => app.log.error({ err: error }, 'sweep failed'))
  })
  app.addHook('onClose', async () => stopSweeping())
  return app
}
