import type { Shared } from '../app/dependencies.ts'
import { toError } from '../caught.ts'
import type { Config } from '../config.ts'
import type { Counted } from '../metrics/metrics.ts'
import { Link } from '../processes/link.ts'
import { sealingWith } from '../webhooks/sealing.ts'
import { saveCode } from './cache-code.ts'
import { startServer } from './start-server.ts'
import { ASKED, type WorkerOrders, type WorkerReady } from './worker-orders.ts'

/** Serves as one of several processes, until whoever started it says otherwise or is gone. */
export async function serveAsWorker(config: Config): Promise<void> {
  const link = new Link(process)
  // A terminal sends these to every process; the one that started this says what comes of it.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  const counting = new Counting()
  const starting = begin(config, link, counting)

  const end = async (way: 'close' | 'retire') => {
    await (await starting)[way]()
    return counting.counted()
  }
  link.answer(ASKED.counted, () => counting.counted())
  link.answer('stop', () => end('close'))
  link.answer('retire', () => end('retire'))
  link.answer('exit', () => process.exit())
  process.on('SIGTERM', () => end('retire').finally(() => process.exit()))

  try {
    const { address } = await starting
    await link.ask('ready', { address } satisfies WorkerReady)
    saveCode()
  } catch (error) {
    await link.ask('failed', toError(error).message)
    process.exit(1)
  }
}

async function begin(config: Config, link: Link, counting: Counting) {
  const orders = await link.ask<WorkerOrders>(ASKED.begin)
  return startServer(config, { databaseUrl: orders.databaseUrl, shared: sharedOf(link, orders, counting) })
}

function sharedOf(link: Link, { place, sealingKey }: WorkerOrders, counting: Counting): Shared {
  return {
    machineRates: { spend: (spending) => link.ask(ASKED.spend, spending) },
    sealing: sealingKey === undefined ? undefined : sealingWith(sealingKey),
    sumMetrics(own) {
      counting.own = own
      return () => link.ask(ASKED.metrics)
    },
    isLeader: place === 1,
  }
}

/** What this process counts, once there is something. */
class Counting {
  own: (() => Promise<Counted>) | undefined

  async counted() {
    return this.own?.()
  }
}
