import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { ownBackups } from './archive/own-backups.ts'
import { countedStore } from './attachments/counted-store.ts'
import { FILE_ROUTE, mountDownloads } from './attachments/downloads.ts'
import { DRAWING_ROUTE, mountDrawings } from './attachments/drawings.ts'
import { FileLinks } from './attachments/file-links.ts'
import { fileMetrics } from './attachments/metrics.ts'
import { openStore } from './attachments/open-store.ts'
import { uploadReceiver } from './attachments/receive-uploads.ts'
import { workOnPdfs } from './attachments/work-on-pdfs.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { databaseMetrics } from './database/metrics.ts'
import { watchSlowStatements } from './database/slow-statements.ts'
import { foldCounts, sweepChanges, sweepHourly } from './housekeeping.ts'
import { certificateMetrics } from './http/certificate-metrics.ts'
import { certificateToTrust } from './http/certificate-to-trust.ts'
import { HEALTH_PATH, mountHealth } from './http/health.ts'
import { callerIdentifier } from './http/identify-caller.ts'
import { KnownPaths, type KnownRoute } from './http/known-paths.ts'
import { METRICS_PATH, mountMetrics } from './http/metrics.ts'
import { RateLimits } from './http/rate-limit.ts'
import { refuseOtherMethods } from './http/refuse-methods.ts'
import { reloadedCertificate } from './http/reload-tls.ts'
import { RequestMetrics } from './http/request-metrics.ts'
import { createServer } from './http/server.ts'
import { Staging } from './http/staging.ts'
import { MailMetrics, mailMetrics } from './mail/metrics.ts'
import type { MailTrouble, QueuedMail } from './mail/send-mails.ts'
import { Jobs } from './metrics/jobs.ts'
import { Metrics, type SumMetrics } from './metrics/metrics.ts'
import { CallCounts } from './oauth/call-counts.ts'
import { countCalls } from './oauth/count-calls.ts'
import { mountOauth, OAUTH_ROUTES } from './oauth/routes.ts'
import { TokenLimits } from './oauth/token-limits.ts'
import { TokenMetrics } from './oauth/token-metrics.ts'
import { callerFinder } from './oauth/tokens.ts'
import { once } from './once.ts'
import { answerMissingPage } from './pages/errors.ts'
import { mountReference, REFERENCE_ROUTES } from './pages/reference/routes.ts'
import { mountPages, PAGE_ROUTES } from './pages/routes.ts'
import { SignInMetrics } from './pages/sign-in/sign-in-metrics.ts'
import { openRates } from './rates/open-rates.ts'
import type { RateStore } from './rates/rate-store.ts'
import { API_VERSION, apiDocument } from './resources/api-document.ts'
import { resources } from './resources/index.ts'
import { SUBJECTS } from './resources/subjects.ts'
import { createEngine } from './rest/engine.ts'
import { askInProcess } from './rest/in-process.ts'
import { serveDocument, serveIndex } from './rest/openapi/serve.ts'
import { INDEX_ROUTE, OPENAPI_ROUTE } from './rest/openapi/service.ts'
import { cacheMetrics } from './rest/read/cache-metrics.ts'
import { CachedAnswers } from './rest/read/cached-answers.ts'
import { type Route, routeTable } from './rest/route-table.ts'
import { aliasOf, mountRoutes } from './rest/routes.ts'
import { recordWriter } from './rest/write/records.ts'
import { Sealer } from './sealer.ts'
import { inSlices } from './slices.ts'
import { RESERVED_NAMES } from './slugs.ts'
import { type Stop, stopAll } from './stop-all.ts'
import type { Tracing } from './tracing/tracing.ts'
import { AttemptMetrics, deliveryMetrics } from './webhooks/metrics.ts'
import { type Outgoing, readOutgoing } from './webhooks/outgoing.ts'
import { createSealing, type Sealing } from './webhooks/sealing.ts'
import { DeliverySender } from './webhooks/send-deliveries.ts'
import { sendWhileListening } from './webhooks/send-while-listening.ts'
import { createTransport, type Transport } from './webhooks/transport.ts'

/** Everything that the service is made of and does not make itself. */
export type Dependencies = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  /** PEM texts; undefined where a proxy ends TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** 32 bytes that seal webservice secrets at rest. */
  readonly secretKey: Buffer
  /** By default one of its own. */
  readonly log?: FastifyBaseLogger
}

/** What is another's where several processes serve on this machine. */
export type Shared = {
  /** Counts requests for all of them. */
  readonly machineRates: RateStore
  /** Opens what any of them has sealed; undefined where the operator set a key. */
  readonly sealing: Sealing | undefined
  readonly sumMetrics: SumMetrics
  /** Whether this is the one that does what needs to be done once: sweeping, and reading PDFs. */
  readonly keepsHouse: boolean
}

/** Mounts everything and starts nothing. */
export async function createApp(dependencies: Dependencies, shared?: Shared): Promise<FastifyInstance> {
  const { config, database, clock, tls, secretKey, log } = dependencies
  const sealing = shared?.sealing ?? createSealing(config.sealingKey)
  const staging = new Staging(join(config.files, 'incoming'))
  const paths = new KnownPaths(RESERVED_NAMES)
  const documentation = `${config.baseUrl}/apidoc`
  const findCaller = callerFinder({ database, clock })
  const rates = await openRates({
    redisUrl: config.redisUrl,
    machine: shared?.machineRates,
    onTrouble: (message) => app.log.warn(`the store of rates ${message}`),
  })
  const limits = new RateLimits(rates.store)
  const app = await createServer({
    tls,
    logLevel: config.logLevel,
    publicHost: config.isBehindProxy ? new URL(config.baseUrl).host : undefined,
    log,
    trustedProxies: config.trustedProxies,
    isOnUnixSocket: config.socket !== undefined,
    staging,
    paths,
    documentation,
    answerMissing: answerMissingPage,
    recognise: callerIdentifier({ findCaller, limits }),
  })
  const counted = countedBy(new Metrics(shared?.sumMetrics), { database, clock })
  const { metrics, requests, jobs } = counted
  if (tls) metrics.add(() => certificateMetrics(reloadedCertificate(app) ?? tls.cert))
  // What stops when the application closes, what came last first.
  const stops: Stop[] = []
  app.addHook('onClose', () =>
    stopAll(stops.toReversed(), (error) =>
      app.log.error({ err: error }, 'a part of the service did not stop as it should'),
    ),
  )
  const tracing = config.tracesUrl ? await traces(app, config.tracesUrl, { database, jobs }) : undefined
  stops.push(() => tracing?.stop())
  app.addHook('onResponse', (request, reply, done) => {
    requests.count(request, reply)
    done()
  })
  const slowStatements = watchSlowStatements({
    statements: database.statements,
    milliseconds: config.slowStatementMilliseconds,
    onSlow: (slow) => app.log.warn(slow, 'slow statement'),
  })
  metrics.add(slowStatements)
  app.addHook('onReady', () => rates.start())
  stops.push(() => rates.stop())
  mountHealth(app, database)
  stops.push(countCalls(app, new CallCounts(database, clock), jobs))
  const tokenLimits = new TokenLimits(rates.store, config.tokenRate)
  mountOauth(app, { config, database, clock, findCaller, limits: tokenLimits, metrics: counted.tokens })
  const sealer = new Sealer(secretKey)
  // Most schools have none, and it is not loaded for them.
  const school =
    config.schoolProvider && new (await import('./oauth/school-provider.ts')).SchoolProvider(config.schoolProvider)
  const { baseUrl, linkHours, timeZone } = config
  const links = new FileLinks({ sealer, clock, baseUrl, linkHours })
  const { store, families: storeFamilies } = countedStore(await openStore(config))
  metrics.add(storeFamilies)
  mountDownloads(app, { database, store, links })
  mountDrawings(app)

  const wire = {
    baseUrl,
    timeZone,
    now: () => clock.now(),
    signed: (path: string) => links.sign(path),
    signedUntil: () => links.signedUntil(),
  }
  const files = uploadReceiver({ database, clock, store, staging, limits: config.uploadLimits })
  const startHash = () => sealer.keyedHash('idempotency')
  const engine = await createEngine({
    database,
    clock,
    wire,
    files,
    startHash,
    resources: resources(sealer, sealing),
  })
  const table = routeTable(engine.registry)
  const maxBytes = config.responseCacheBytes
  const answers = maxBytes > 0 ? new CachedAnswers({ changes: database.changes, clock, maxBytes }) : undefined
  if (answers) metrics.add(() => cacheMetrics(answers.figures))
  mountRoutes(app, table, { engine, findCaller, limits, answers })
  const askApi = askInProcess(table, { engine, answers })
  const { signIns } = counted
  const records = recordWriter(engine)
  mountPages(app, { config, database, clock, sealer, sealing, school, signIns, limits, records, askApi })
  const document = once(() => inSlices(apiDocument(engine.registry, table, baseUrl)))
  serveDocument(app, document)
  serveIndex(app, table, baseUrl, API_VERSION)
  const { languages } = config
  const certificate = certificateToTrust(config)
  mountReference(app, {
    document,
    registry: engine.registry,
    table,
    subjects: SUBJECTS,
    baseUrl,
    certificate,
    languages,
  })

  paths.add([
    { method: 'GET', path: HEALTH_PATH },
    { method: 'GET', path: METRICS_PATH },
    OPENAPI_ROUTE,
    INDEX_ROUTE,
    FILE_ROUTE,
    DRAWING_ROUTE,
    ...table.flatMap((route) => knownAs(route, aliasOf(engine.registry, route))),
    ...OAUTH_ROUTES,
    ...REFERENCE_ROUTES,
    ...PAGE_ROUTES,
  ])
  refuseOtherMethods(app, paths)

  const outgoing = await readOutgoing(config)
  const transport = await transportOf(outgoing, tracing)
  const { connections } = outgoing
  const keepsHouse = !shared || shared.keepsHouse
  const backups = ownBackups({ config, database, store, clock, secretKey, keepsHouse, log: app.log })
  if (backups) metrics.add(backups.families)
  const sending = { database, clock, secrets: sealer, sealing, transport, connections }
  const sender = new DeliverySender({
    ...sending,
    log: app.log,
    onOutcome: (outcome) => counted.attempts.count(outcome),
  })
  mountMetrics(app, metrics, config)
  stops.push(sendWhileListening(app, sender))

  app.addHook('onListen', async () => {
    if (!keepsHouse) return
    const background = { database, clock, store, staging, jobs }
    const onSweepError = (error: unknown) => app.log.error({ err: error }, 'sweep failed')
    stops.push(
      sweepHourly(background, onSweepError),
      sweepChanges(background, onSweepError),
      foldCounts(background, onSweepError),
      workOnPdfs({
        ...background,
        onTrouble: ({ attachment, error }) => app.log.warn({ err: error, attachment }, 'a PDF was not read'),
      }),
    )
  })
  app.addHook('onListen', async () => {
    const { mail, languages } = config
    if (!mail || !keepsHouse) return
    const { sendMails } = await import('./mail/send-mails.ts') // Most schools send none.
    const { writeMail } = await import('./domain/mails/write-mail.ts')
    const write = (queued: QueuedMail) =>
      writeMail({ database, baseUrl, timeZone, languages, now: clock.now() }, queued)
    const onTrouble = ({ error, ...about }: MailTrouble) =>
      app.log.warn({ err: error, ...about }, 'a mail was not sent')
    const onOutcome = counted.mails.count.bind(counted.mails)
    stops.push(sendMails({ database, clock, mail, write, onTrouble, jobs, onOutcome }))
  })
  app.addHook('onListen', async () => {
    if (backups && keepsHouse) stops.push(await backups.begin())
  })
  return app
}

/** Most services send no traces, and nothing of that is loaded for them. */
async function traces(
  app: FastifyInstance,
  url: string,
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
): Promise<Tracing> {
  const { startTracing, traceJobs } = await import('./tracing/start-tracing.ts')
  const tracing = startTracing(app, database.statements, url)
  jobs.goAround(traceJobs(tracing))
  return tracing
}

async function transportOf(outgoing: Outgoing, tracing: Tracing | undefined): Promise<Transport> {
  const transport = createTransport(outgoing)
  if (!tracing) return transport
  return (await import('./webhooks/traced-transport.ts')).tracedTransport(transport, tracing)
}

/** What is counted, each in the metrics. */
function countedBy(metrics: Metrics, { database, clock }: Pick<Dependencies, 'database' | 'clock'>) {
  const counted = {
    requests: new RequestMetrics(),
    tokens: new TokenMetrics(),
    signIns: new SignInMetrics(),
    jobs: new Jobs(),
    attempts: new AttemptMetrics(),
    mails: new MailMetrics(),
  }
  for (const one of Object.values(counted)) metrics.add(() => one.families())
  metrics.add(() => databaseMetrics(database))
  metrics.addShared(() => deliveryMetrics(database, clock))
  metrics.addShared(() => fileMetrics(database))
  metrics.addShared(() => mailMetrics(database, clock))
  return { metrics, ...counted }
}

function knownAs({ method, path, resource }: Route, alias: string | undefined): KnownRoute[] {
  const known = { method, path, documentedAt: resource.name }
  return alias === undefined ? [known] : [known, { ...known, path: alias, isAlias: true }]
}
