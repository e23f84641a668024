import { MemoryRates } from './memory-rates.ts'
import type { RateStore } from './rate-store.ts'
import { RefusalCache } from './refusal-cache.ts'

/** Where an application counts, and what has to be done for it before it listens and after. */
type OpenRates = { readonly store: RateStore; start(): Promise<void>; stop(): Promise<void> }

type Options = {
  readonly redisUrl: string | undefined
  /** Counts for the processes of this machine; the memory of this one where it is alone. */
  readonly machine: RateStore | undefined
  readonly onStateChange: (message: string) => void
}

/** Counts over all machines where they share a server for that, else over the processes of this one. */
export async function openRates({ redisUrl, machine, onStateChange }: Options): Promise<OpenRates> {
  const insurance = machine ?? new MemoryRates()
  if (redisUrl === undefined) {
    const store = machine ? new RefusalCache(machine) : insurance
    return { store, async start() {}, async stop() {} }
  }
  const { RedisRates } = await import('./redis-rates.ts') // It is needed where there are several machines.
  const redis = new RedisRates({ url: redisUrl, insurance, onStateChange })
  return { store: new RefusalCache(redis), start: () => redis.start(), stop: () => redis.stop() }
}
