import { MemoryRates } from './memory-rates.ts'
import type { RateStore } from './rate-store.ts'
import { RefusalCache } from './refusal-cache.ts'

type OpenRates = { readonly store: RateStore; start(): Promise<void>; stop(): Promise<void> }

type Options = {
  readonly redisUrl: string | undefined
  /** Counts for the processes of this machine. Undefined if there is only one. */
  readonly machine: RateStore | undefined
  readonly onStateChange: (message: string) => void
}

export async function openRates({ redisUrl, machine, onStateChange }: Options): Promise<OpenRates> {
  const insurance = machine ?? new MemoryRates()
  if (redisUrl === undefined) {
    const store = machine ? new RefusalCache(machine) : insurance
    return { store, async start() {}, async stop() {} }
  }
  const { RedisRates } = await import('./redis-rates.ts') // Needed only with several machines.
  const redis = new RedisRates({ url: redisUrl, insurance, onStateChange })
  return { store: new RefusalCache(redis), start: () => redis.start(), stop: () => redis.stop() }
}
