import { ConfigError } from '@campus/engine/base/config-error'
import { defined } from '@campus/engine/base/defined'
import type { Counted } from '@campus/engine/base/metrics/metrics'
import { once } from '@campus/engine/base/once'
import { type Stop, stopAll } from '@campus/engine/base/stop-all'
import { print } from '@campus/engine/base/text/printable'
import { renewCertificates } from '@campus/engine/http/acme/renew-certificates'
import { MemoryRates } from '@campus/engine/http/rates/memory-rates'
import type { Spending } from '@campus/engine/http/rates/rate-store'
import { removeStaleSocket } from '@campus/engine/http/unix-socket'
import type { Config } from '../settings/config.ts'
import { makeSealingKey, ownSealing } from '../webhooks/sealing.ts'
import { heartbeatSealingKey } from '../webhooks/sealing-keys.ts'
import { counted } from './columns.ts'
import { makeReady, type StartOptions } from './make-ready.ts'
import { openForServing, takeFolder } from './open-database.ts'
import type { Answer } from './processes/ipc-channel.ts'
import { SummedMetrics } from './processes/summed-metrics.ts'
import { Workers } from './processes/workers.ts'
import type { RunningServer } from './serve-opened.ts'
import { welcome } from './welcome.ts'
import { AS_WORKER, WORKER_MESSAGES, type WorkerReady, type WorkerStart } from './worker-messages.ts'

/** Maximum wait of a scrape for a busy process. */
const METRICS_MILLISECONDS = 1_000

/**
 * Starts the configured number of worker processes, opens and migrates the database, counts rates and sums metrics for them.
 * Throws ConfigError or FolderInUse, with nothing left running.
 */
export async function supervise(config: Config, options: StartOptions): Promise<RunningServer> {
  const opened = await openForServing(config, await takeFolder(config), { onWarning: warn, onStarting: () => {} })
  const stops: Stop[] = [() => opened.close()]
  const stop = () => stopAll(stops.splice(0).reverse())
  try {
    const { database } = opened
    await makeReady(config, database, options, async () => {})
    const sealingKey = config.sealingKey ? undefined : makeSealingKey()
    if (sealingKey) stops.push(heartbeatSealingKey(database, ownSealing(sealingKey), () => {}))
    if (config.socket) await removeStaleSocket(config.socket.path)
    const workers = workersOf(config, { databaseUrl: opened.url, sealingKey })
    const [first] = await workers.start()
    stops.push(() => workers.stop())
    stops.push(await renewCertificates({ config, onRenewed: () => workers.roll(), notify: warn }))
    await opened.announce()
    const { address } = defined(first)
    return {
      address,
      banner: await welcome(address, config, database, options.parts),
      superseded: database.superseded,
      waitingFor: () => (workers.living > 0 ? counted(workers.living, 'process', 'processes') : 'the database'),
      drain: () => workers.drain(config.drainSeconds),
      async reload() {
        await workers.roll().catch(({ message }: Error) => {
          throw new ConfigError(`${message} The former processes stay.`)
        })
      },
      close: once(stop),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const warn = (message: string) => print(message, process.stderr)

function workersOf({ processes: count }: Config, start: WorkerStart): Workers<WorkerReady, Counted> {
  const rates = new MemoryRates()
  const metrics = new SummedMetrics()
  const answers: Readonly<Record<string, Answer>> = {
    [WORKER_MESSAGES.begin]: () => start,
    [WORKER_MESSAGES.spend]: (spending: Spending) => rates.spend(spending),
    async [WORKER_MESSAGES.metrics]() {
      const counted = await workers.askAll<Counted>(WORKER_MESSAGES.counted, METRICS_MILLISECONDS)
      for (const [one, said] of counted) metrics.note(one, said)
      return metrics.counted()
    },
  }
  const onEnded = (one: object, said: Counted | undefined) => metrics.end(one, said)
  const workers = new Workers<WorkerReady, Counted>({
    count,
    words: [...process.argv.slice(2), AS_WORKER],
    answers,
    onEnded,
    onWarning: warn,
  })
  return workers
}
