import type { FastifyInstance } from 'fastify'
import { Jobs } from '../../base/metrics/jobs.ts'
import { Metrics, type SumMetrics } from '../../base/metrics/metrics.ts'
import type { Stop } from '../../base/stop-all.ts'
import { leaseMetrics } from '../../database/job-leases.ts'
import { databaseMetrics } from '../../database/metrics.ts'
import { watchSlowStatements } from '../../database/slow-statements.ts'
import { certificateMetrics } from '../../http/certificate-metrics.ts'
import { reloadedCertificate } from '../../http/reload-tls.ts'
import { RequestMetrics } from '../../http/request-metrics.ts'
import { logoutAttempts } from '../../oauth/openid/logout-notices.ts'
import { TokenMetrics } from '../../oauth/token-metrics.ts'
import { SignInMetrics } from '../../pages/sign-in-metrics.ts'
import { AssistantMetrics } from '../../rest/mcp/metrics.ts'
import { fileMetrics } from '../../services/attachments/metrics.ts'
import { mailAttempts, mailMetrics } from '../../services/mail/metrics.ts'
import { AttemptMetrics, deliveryMetrics, webhookMetrics } from '../../webhooks/metrics.ts'
import type { Dependencies } from './dependencies.ts'

type Options = { readonly stops: Stop[]; readonly sumMetrics: SumMetrics | undefined }

/** Metrics of all parts and, where a collector is set, traces of requests, statements and jobs. */
export async function measure(app: FastifyInstance, dependencies: Dependencies, { stops, sumMetrics }: Options) {
  const { config, database, clock, tls } = dependencies
  const metrics = new Metrics(sumMetrics)
  const counters = {
    requests: new RequestMetrics(),
    tokens: new TokenMetrics(),
    assistants: new AssistantMetrics(),
    signIns: new SignInMetrics(),
    jobs: new Jobs(),
    attempts: new AttemptMetrics(),
    mails: mailAttempts(),
    logouts: logoutAttempts(),
  }
  for (const counter of Object.values(counters)) metrics.add(() => counter.collect())
  metrics.add(() => databaseMetrics(database))
  metrics.addShared(() => leaseMetrics(database))
  metrics.addShared(() => deliveryMetrics(database, clock))
  metrics.addShared(() => webhookMetrics(database, clock))
  metrics.addShared(() => fileMetrics(database))
  metrics.addShared(() => mailMetrics(database, clock))
  if (tls) metrics.add(() => certificateMetrics(reloadedCertificate(app) ?? tls.cert))
  const tracing = config.tracesUrl ? await trace(app, config.tracesUrl, dependencies, counters.jobs) : undefined
  stops.push(() => tracing?.stop())
  app.addHook('onResponse', (request, reply, done) => {
    counters.requests.count(request, reply)
    done()
  })
  const slow = watchSlowStatements({
    statements: database.statements,
    milliseconds: config.slowStatementMilliseconds,
    onSlow: (slow) => app.log.warn(slow, 'slow statement'),
  })
  metrics.add(() => slow.collect())
  return { metrics, tracing, ...counters }
}

/** Most services send no traces, and nothing of that is loaded for them. */
async function trace(app: FastifyInstance, url: string, { database }: Pick<Dependencies, 'database'>, jobs: Jobs) {
  const { startTracing, traceJobs } = await import('../../services/tracing/start-tracing.ts')
  const tracing = startTracing(app, database.statements, url)
  jobs.instrument(traceJobs(tracing))
  return tracing
}
