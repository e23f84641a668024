import { Jobs } from '@campus/engine/base/metrics/jobs'
import { Metrics, type SumMetrics } from '@campus/engine/base/metrics/metrics'
import type { Stop } from '@campus/engine/base/stop-all'
import { leaseMetrics } from '@campus/engine/database/job-leases'
import { databaseMetrics } from '@campus/engine/database/metrics'
import { watchSlowStatements } from '@campus/engine/database/slow-statements'
import { certificateMetrics } from '@campus/engine/http/certificate-metrics'
import { reloadedCertificate } from '@campus/engine/http/reload-tls'
import { RequestMetrics } from '@campus/engine/http/request-metrics'
import type { FastifyInstance } from 'fastify'
import { logoutAttempts } from '../../oauth/openid/logout-notices.ts'
import { TokenMetrics } from '../../oauth/token-metrics.ts'
import { SignInMetrics } from '../../pages/sign-in-metrics.ts'
import { fileMetrics } from '../../services/attachments/metrics.ts'
import { mailAttempts, mailMetrics } from '../../services/mail/metrics.ts'
import { AttemptMetrics, deliveryMetrics, webhookMetrics } from '../../webhooks/metrics.ts'
import type { Dependencies } from './dependencies.ts'

type Options = { readonly stops: Stop[]; readonly sumMetrics: SumMetrics | undefined }

/** Collects metrics and, if a collector is set, traces of requests, statements and jobs. */
export async function measure(app: FastifyInstance, dependencies: Dependencies, { stops, sumMetrics }: Options) {
  const { config, database, clock, tls } = dependencies
  const metrics = new Metrics(sumMetrics)
  const counters = {
    requests: new RequestMetrics(),
    tokens: new TokenMetrics(),
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

/** Loaded only if traces are sent. */
async function trace(app: FastifyInstance, url: string, { database }: Pick<Dependencies, 'database'>, jobs: Jobs) {
  const { startTracing, traceJobs } = await import('../../services/tracing/start-tracing.ts')
  const tracing = startTracing(app, database.statements, url)
  jobs.instrument(traceJobs(tracing))
  return tracing
}
