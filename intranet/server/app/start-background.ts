import { once } from '@campus/engine/base/once'
import type { Stop } from '@campus/engine/base/stop-all'
import { Relay } from '@campus/engine/changes/relay'
import { compactCounts, purgeFeed, sweepChanges } from '@campus/engine/changes/upkeep'
import { JobLeases, type Start } from '@campus/engine/database/job-leases'
import { startOnListen } from '@campus/engine/http/start-on-listen'
import type { Engine } from '@campus/engine/rest/engine'
import { callersOfApplications } from '../../oauth/calling-application.ts'
import { LOGOUT_DEADLINES, sendLogoutNotices } from '../../oauth/openid/logout-notices.ts'
import { type PdfError, workOnPdfs } from '../../services/attachments/work-on-pdfs.ts'
import type { MailConfig } from '../../services/mail/send-mails.ts'
import { applicationDeliveries } from '../../webhooks/applications/deliveries.ts'
import { readerForApplications } from '../../webhooks/applications/feed-reader.ts'
import { type Models, modelsOf } from '../../webhooks/applications/models.ts'
import { recordReader } from '../../webhooks/applications/read-records.ts'
import { readerForCampuses } from '../../webhooks/campus-calls.ts'
import { campusDeliveries } from '../../webhooks/campus-deliveries.ts'
import { FanOut, type FeedReader } from '../../webhooks/fan-out.ts'
import { limitsToApplications, limitsToCampuses, type Outgoing, readOutgoing } from '../../webhooks/outgoing.ts'
import { DeliverySender } from '../../webhooks/send-deliveries.ts'
import { sendWhileListening } from '../../webhooks/send-while-listening.ts'
import { createTransport, type Deadlines, type Transport } from '../../webhooks/transport.ts'
import { contractWhenAlone } from './contract-when-alone.ts'
import { remindEachMinute, rotateKeysHourly, sweepHourly, sweepStaging } from './housekeeping.ts'
import type { Services } from './open-services.ts'

/**
 * Starts deliveries when the server listens. One process at a time also runs sweeps, PDFs, mails and the work of optional
 * parts.
 */
export async function startBackground(services: Services, engine: Engine): Promise<void> {
  const { app, stops } = services
  const models = once(() => modelsOf(engine.registry.resources))
  const outgoing = await readOutgoing(services.config)
  const [toCampuses, toApplications] = await openSenders(services, engine, { models, outgoing })
  stops.push(sendWhileListening(app, toCampuses), sendWhileListening(app, toApplications))
  startOnListen(app, stops, () => startRelay(services))
  for (const reader of [readerForCampuses(engine), readerForApplications({ ...services, models })])
    startOnListen(app, stops, () => startFanOut(services, reader))
  startOnListen(app, stops, () => startSweepingStaging(services))
  const leases = openLeases(services)
  const { mail } = services.config
  const notices = await logoutNotices(services, outgoing)
  const jobs = [
    ...sweeps(services),
    notices,
    mail && startMails(services, mail),
    ...(await jobsOfParts(services, leases)),
  ]
  for (const job of jobs) if (job) leases.add(...job)
  startOnListen(app, stops, () => {
    leases.start()
    return () => leases.stop()
  })
}

/** Each machine has its own staging folder. */
function startSweepingStaging({ app, clock, database, staging, jobs }: Services): Stop {
  const onError = (error: unknown) => app.log.error({ err: error }, 'uploads half done could not be deleted')
  return sweepStaging({ clock, database, staging, jobs }, onError)
}

function openLeases({ app, database, jobs }: Services): JobLeases {
  const onError = (error: unknown) => app.log.error({ err: error }, 'background jobs wait')
  return new JobLeases({ database, workedAt: (job) => jobs.succeededAt(job), onError })
}

function startRelay({ app, captures, database }: Services): Stop {
  const onError = (error: unknown) => app.log.error({ err: error }, 'the change feed waits')
  const relay = new Relay({ database, captures, onError })
  relay.start()
  return () => relay.stop()
}

function startFanOut({ app, clock, database }: Services, reader: FeedReader): Stop {
  const onError = (error: unknown) => app.log.error({ err: error }, 'webhooks wait for the change feed')
  const fanOut = new FanOut({ database, clock, reader, onError })
  fanOut.start()
  return () => fanOut.stop()
}

type Sending = { readonly models: () => Models; readonly outgoing: Outgoing }

/** Starts senders to endpoints and to applications, each with its own connections. */
async function openSenders(services: Services, engine: Engine, { models, outgoing }: Sending) {
  const { app, database, clock, sealer, sealing, attempts, tracing } = services
  const sending = { database, clock, log: app.log }
  const findApplications = (ids: readonly number[]) => callersOfApplications(database, ids)
  return [
    new DeliverySender({
      ...sending,
      limits: limitsToCampuses(outgoing),
      kind: campusDeliveries({ database, sealing, secrets: sealer }),
      transport: await openTransport(outgoing, tracing),
      onOutcome: (outcome) => attempts.countToCampus(outcome),
    }),
    new DeliverySender({
      ...sending,
      limits: limitsToApplications(outgoing),
      kind: applicationDeliveries({ secrets: sealer, read: recordReader({ engine, models, findApplications }) }),
      transport: await openTransport(outgoing, tracing),
      onOutcome: (outcome) => attempts.countToApplication(outcome),
    }),
  ] as const
}

async function openTransport(
  outgoing: Outgoing & { readonly deadlines?: Deadlines },
  tracing: Services['tracing'],
): Promise<Transport> {
  const transport = createTransport(outgoing)
  if (!tracing) return transport
  return (await import('../../webhooks/traced-transport.ts')).tracedTransport(transport, tracing)
}

type Job = readonly [name: string, start: Start]

async function jobsOfParts(services: Services, leases: JobLeases): Promise<readonly Job[]> {
  const given = { ...services, log: services.app.log, isRunning: (job: string) => leases.isRunning(job) }
  const jobs: Job[] = []
  for (const { background } of services.parts) {
    const job = await background?.(given)
    if (!job) continue
    if (job.collect) services.metrics.add(job.collect)
    jobs.push([job.name, job.start])
  }
  return jobs
}

function sweeps({ app, captures, config, database, clock, sealer, store, staging, jobs }: Services): readonly Job[] {
  const background = { database, clock, store, jobs }
  const onError = (error: unknown) => app.log.error({ err: error }, 'sweep failed')
  const onContracted = (migrations: readonly string[]) =>
    app.log.info({ migrations }, 'what a former release needed is gone')
  const onPdfError = ({ attachment, error }: PdfError) => app.log.warn({ err: error, attachment }, 'a PDF was not read')
  return [
    ['contract', () => contractWhenAlone({ database, onContracted, onError })],
    ['sweep', () => sweepHourly(background, onError)],
    ['rotate_signing_keys', () => rotateKeysHourly({ ...background, sealer }, onError)],
    ['remind', () => remindEachMinute(background, onError)],
    ['sweep_changes', () => sweepChanges(background, onError)],
    ['compact_counts', () => compactCounts(background, onError)],
    ['purge_feed', () => purgeFeed({ ...background, captures, hours: config.feedHours }, onError)],
    ['read_pdf', () => workOnPdfs({ ...background, staging, onError: onPdfError })],
  ]
}

/** Sends logout notices to applications. */
async function logoutNotices(
  { app, database, clock, openid, jobs, logouts, tracing }: Services,
  outgoing: Outgoing,
): Promise<Job> {
  const transport = await openTransport({ ...outgoing, deadlines: LOGOUT_DEADLINES }, tracing)
  const start = () =>
    sendLogoutNotices({
      database,
      clock,
      openid,
      transport,
      jobs,
      onOutcome: (outcome) => logouts.add({ outcome }),
      onFault: (fault) => app.log.warn(fault, 'an application was not notified of a sign-out'),
      onError: (error) => app.log.error({ err: error }, 'sign-outs wait to be passed on'),
    })
  return ['send_logout_notices', start]
}

/** Loaded only if the school sends mail. */
function startMails({ app, config, database, clock, sealer, jobs, mails }: Services, mail: MailConfig): Job {
  const start = async () => {
    const { sendMails } = await import('../../services/mail/send-mails.ts')
    const { writeMail } = await import('../../school/domain/mails/write-mail.ts')
    const { baseUrl, timeZone, languages } = config
    return sendMails({
      database,
      clock,
      mail,
      jobs,
      write: (queued) => writeMail({ database, sealer, baseUrl, timeZone, languages, now: clock.now() }, queued),
      onError: ({ error, ...about }) => app.log.warn({ err: error, ...about }, 'a mail was not sent'),
      onOutcome: (kind, result) => mails.add({ kind, result }),
    })
  }
  return ['send_mails', start]
}
