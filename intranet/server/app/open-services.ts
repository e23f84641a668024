import { join } from 'node:path'
import { type Stop, stopAll } from '@campus/engine/base/stop-all'
import { RESERVED_NAMES } from '@campus/engine/base/text/slugs'
import { Captures } from '@campus/engine/changes/capture'
import { callerIdentifier } from '@campus/engine/http/identify-caller'
import { KnownPaths } from '@campus/engine/http/known-paths'
import { limitPublicRoutes } from '@campus/engine/http/public-rates'
import { RateLimits } from '@campus/engine/http/rate-limit'
import { openRates } from '@campus/engine/http/rates/open-rates'
import { createServer } from '@campus/engine/http/server'
import { Staging } from '@campus/engine/http/staging'
import type { FastifyInstance } from 'fastify'
import { ClientDocuments } from '../../oauth/client-documents/client-documents.ts'
import { documentFetcher } from '../../oauth/client-documents/fetch-document.ts'
import { OpenId } from '../../oauth/openid/openid.ts'
import { TokenLimits } from '../../oauth/token-limits.ts'
import { boundTo, callerFinder } from '../../oauth/tokens.ts'
import { answerUnroutedPage } from '../../pages/errors.ts'
import { REFERENCE_PATH } from '../../pages/reference-link.ts'
import { storageOfResources } from '../../school/resources/declared.ts'
import { countedStore } from '../../services/attachments/counted-store.ts'
import { FileLinks } from '../../services/attachments/file-links.ts'
import { openStore } from '../../services/attachments/open-store.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { readOutgoing } from '../../webhooks/outgoing.ts'
import { createSealing } from '../../webhooks/sealing.ts'
import type { Dependencies, Shared } from './dependencies.ts'
import { measure } from './measure.ts'
import { PUBLIC_RATES } from './public-rates.ts'

export type Services = Awaited<ReturnType<typeof openServices>>

/** Creates the server without routes, and the services that limit, measure, sign and store for it. */
export async function openServices(dependencies: Dependencies, shared: Shared | undefined) {
  const { config, database, clock, secretKey, tls, log } = dependencies
  const { baseUrl, linkHours } = config
  const documentation = referenceAddress(dependencies)
  const staging = new Staging(join(config.files, 'incoming'))
  const paths = new KnownPaths(RESERVED_NAMES)
  const findToken = callerFinder({ database, clock })
  const findCaller = boundTo('/v2', findToken)
  const rates = await openRates({
    redisUrl: config.redisUrl,
    machine: shared?.machineRates,
    onStateChange: (message) => app.log.warn(`the store of rates ${message}`),
  })
  const limits = new RateLimits(rates.store)
  const identifyCaller = callerIdentifier({ findCaller, limits })
  const app: FastifyInstance = await createServer({
    tls,
    log,
    staging,
    paths,
    identifyCaller,
    spendUpload: (person) => limits.spendUpload(person, config.uploadMebibytesPerDay),
    logLevel: config.logLevel,
    publicHost: config.isBehindProxy ? new URL(baseUrl).host : undefined,
    strictTransportSecurity: config.strictTransportSecurity,
    trustedProxies: config.trustedProxies,
    isOnUnixSocket: config.socket !== undefined,
    documentation,
    answerUnrouted: (error, request, reply) => answerUnroutedPage(error, request, reply, config.languages),
  })
  limitPublicRoutes(app, rates.store, PUBLIC_RATES)
  // Stopped in reverse order.
  const stops: Stop[] = []
  app.addHook('onClose', () =>
    stopAll(stops.toReversed(), (error) =>
      app.log.error({ err: error }, 'a part of the service did not stop as it should'),
    ),
  )
  const measures = await measure(app, dependencies, { stops, sumMetrics: shared?.sumMetrics })
  app.addHook('onReady', () => rates.start())
  stops.push(() => rates.stop())
  const sealer = new Sealer(secretKey)
  const { store, collect } = countedStore(await openStore(config))
  measures.metrics.add(collect)
  return {
    ...dependencies,
    app,
    documentation,
    paths,
    stops,
    ...measures,
    findToken,
    findCaller,
    limits,
    tokenLimits: new TokenLimits(rates.store, config.tokenRate),
    staging,
    store,
    sealer,
    openid: new OpenId({ baseUrl, picturesUrl: config.picturesUrl, sealer }),
    clientDocuments: new ClientDocuments({
      baseUrl,
      clock,
      rates: rates.store,
      fetch: documentFetcher(() => readOutgoing(config)),
      onFailure: ({ href }, error) =>
        app.log.info({ err: error, client_id: href }, 'a client metadata document failed'),
    }),
    sealing: shared?.sealing ?? createSealing(config.sealingKey),
    captures: new Captures(database, storageOfResources()),
    links: new FileLinks({ sealer, clock, baseUrl, linkHours }),
  }
}

/** Returns the address of the reference, or undefined if no part mounts it. */
function referenceAddress({ parts, config }: Pick<Dependencies, 'parts' | 'config'>): string | undefined {
  const paths = parts.flatMap(({ routes }) => routes?.declared ?? []).map(({ path }) => path)
  return paths.includes(REFERENCE_PATH) ? config.baseUrl + REFERENCE_PATH : undefined
}
