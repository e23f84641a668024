import { flushCompileCache } from 'node:module'
import { toError } from '@campus/engine/base/caught'
import type { Counted } from '@campus/engine/base/metrics/metrics'
import { InsuredRates } from '@campus/engine/http/rates/insured-rates'
import type { Config } from '../settings/config.ts'
import { sealingWith } from '../webhooks/sealing.ts'
import type { Shared } from './app/dependencies.ts'
import type { Part } from './part.ts'
import { IpcChannel } from './processes/ipc-channel.ts'
import { startServer } from './start-server.ts'
import { WORKER_MESSAGES, type WorkerReady, type WorkerStart } from './worker-messages.ts'

/** Serves as one of several processes, until the supervisor stops it or is gone. */
export async function serveAsWorker(config: Config, parts: readonly Part[]): Promise<void> {
  const channel = new IpcChannel(process)
  // A terminal sends these signals to every process. The supervisor handles them.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  const counting = new Counting()
  const starting = begin(config, parts, channel, counting)

  const end = async (way: 'close' | 'retire') => {
    await (await starting)[way]()
    return counting.counted()
  }
  channel.answer(WORKER_MESSAGES.counted, () => counting.counted())
  channel.answer('pulse', () => true)
  channel.answer('drain', async () => (await starting).drain())
  channel.answer('stop', () => end('close'))
  channel.answer('retire', () => end('retire'))
  channel.answer('exit', () => process.exit())
  process.on('SIGTERM', () => end('retire').finally(() => process.exit()))

  try {
    const { address } = await starting
    await channel.ask('ready', { address } satisfies WorkerReady)
    flushCompileCache()
  } catch (error) {
    await channel.ask('failed', toError(error).message)
    process.exit(1)
  }
}

async function begin(config: Config, parts: readonly Part[], channel: IpcChannel, counting: Counting) {
  const start = await channel.ask<WorkerStart>(WORKER_MESSAGES.begin)
  return startServer(config, { databaseUrl: start.databaseUrl, parts, shared: sharedOf(channel, start, counting) })
}

function sharedOf(channel: IpcChannel, { sealingKey }: WorkerStart, counting: Counting): Shared {
  return {
    machineRates: new InsuredRates({ spend: (spending) => channel.ask(WORKER_MESSAGES.spend, spending) }),
    sealing: sealingKey === undefined ? undefined : sealingWith(sealingKey),
    sumMetrics(own) {
      counting.own = own
      return () => channel.ask(WORKER_MESSAGES.metrics)
    },
  }
}

class Counting {
  own: (() => Promise<Counted>) | undefined

  async counted() {
    return this.own?.()
  }
}
