import { once } from '../../base/once.ts'
import type { Stop } from '../../base/stop-all.ts'
import { Relay } from '../../changes/relay.ts'
import { callersOfApplications } from '../../oauth/calling-application.ts'
import type { Engine } from '../../rest/engine.ts'
import { serverBackups } from '../../services/archive/server-backups.ts'
import { type PdfError, workOnPdfs } from '../../services/attachments/work-on-pdfs.ts'
import type { MailConfig } from '../../services/mail/send-mails.ts'
import { applicationDeliveries } from '../../webhooks/applications/deliveries.ts'
import { readerForApplications } from '../../webhooks/applications/feed-reader.ts'
import { type Models, modelsOf } from '../../webhooks/applications/models.ts'
import { recordReader } from '../../webhooks/applications/read-records.ts'
import { readerForCampuses } from '../../webhooks/campus-calls.ts'
import { campusDeliveries } from '../../webhooks/campus-deliveries.ts'
import { FanOut, type FeedReader } from '../../webhooks/fan-out.ts'
import { type Outgoing, readOutgoing } from '../../webhooks/outgoing.ts'
import { DeliverySender } from '../../webhooks/send-deliveries.ts'
import { sendWhileListening } from '../../webhooks/send-while-listening.ts'
import { createTransport, type Transport } from '../../webhooks/transport.ts'
import { compactCounts, purgeFeed, sweepChanges, sweepHourly } from './housekeeping.ts'
import type { Services } from './open-services.ts'

/** Starts something, and gives what stops it. */
type Start = () => Stop | Promise<Stop>

/** Has deliveries, and in one process also sweeps, PDFs, mails and backups, begin when the server listens. */
export async function startBackground(services: Services, engine: Engine): Promise<void> {
  const { app, config, isLeader, metrics, stops } = services
  const backups = serverBackups({ ...services, log: app.log })
  if (backups) metrics.add(backups.collect)
  const models = once(() => modelsOf(engine.registry.resources))
  const [toCampuses, toApplications] = await openSenders(services, engine, models)
  stops.push(sendWhileListening(app, toCampuses), sendWhileListening(app, toApplications))
  startOnListen(services, () => startRelay(services))
  for (const reader of [readerForCampuses(engine), readerForApplications({ ...services, models })])
    startOnListen(services, () => startFanOut(services, reader))
  if (!isLeader) return
  const { mail } = config
  const starts = [...sweeps(services), mail && (() => startMails(services, mail)), backups?.begin]
  for (const start of starts) if (start) startOnListen(services, start)
}

/** What is started stops with the service, also where that closes while the start is under way. */
function startOnListen({ app, stops }: Services, start: Start): void {
  app.addHook('onListen', async () => {
    const started = Promise.resolve().then(start)
    stops.push(async () => (await started.catch(() => undefined))?.())
    await started
  })
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

/** To the webservices of campuses, and to applications. Each has connections of its own. */
async function openSenders(services: Services, engine: Engine, models: () => Models) {
  const { app, config, database, clock, sealer, sealing, attempts, tracing } = services
  const outgoing = await readOutgoing(config)
  const { connections } = outgoing
  const sending = { database, clock, connections, log: app.log }
  const findApplications = (ids: readonly number[]) => callersOfApplications(database, ids)
  return [
    new DeliverySender({
      ...sending,
      kind: campusDeliveries({ database, sealing, secrets: sealer }),
      transport: await openTransport(outgoing, tracing),
      onOutcome: (outcome) => attempts.countToCampus(outcome),
    }),
    new DeliverySender({
      ...sending,
      kind: applicationDeliveries({ secrets: sealer, read: recordReader({ engine, models, findApplications }) }),
      transport: await openTransport(outgoing, tracing),
      onOutcome: (outcome) => attempts.countToApplication(outcome),
    }),
  ] as const
}

async function openTransport(outgoing: Outgoing, tracing: Services['tracing']): Promise<Transport> {
  const transport = createTransport(outgoing)
  if (!tracing) return transport
  return (await import('../../webhooks/traced-transport.ts')).tracedTransport(transport, tracing)
}

function sweeps({ app, captures, config, database, clock, store, staging, jobs }: Services): readonly Start[] {
  const background = { database, clock, store, staging, jobs }
  const onError = (error: unknown) => app.log.error({ err: error }, 'sweep failed')
  const onPdfError = ({ attachment, error }: PdfError) => app.log.warn({ err: error, attachment }, 'a PDF was not read')
  return [
    () => sweepHourly(background, onError),
    () => sweepChanges(background, onError),
    () => compactCounts(background, onError),
    () => purgeFeed({ ...background, captures, hours: config.feedHours }, onError),
    () => workOnPdfs({ ...background, onError: onPdfError }),
  ]
}

/** Most schools send none, and nothing of that is loaded for them. */
async function startMails({ app, config, database, clock, jobs, mails }: Services, mail: MailConfig): Promise<Stop> {
  const { sendMails } = await import('../../services/mail/send-mails.ts')
  const { writeMail } = await import('../../domain/mails/write-mail.ts')
  const { baseUrl, timeZone, languages } = config
  return sendMails({
    ...{ database, clock, mail, jobs },
    write: (queued) => writeMail({ database, baseUrl, timeZone, languages, now: clock.now() }, queued),
    onError: ({ error, ...about }) => app.log.warn({ err: error, ...about }, 'a mail was not sent'),
    onOutcome: (kind, result) => mails.add({ kind, result }),
  })
}
