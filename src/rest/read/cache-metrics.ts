import type { Registry } from 'prom-client'
import type { CachedAnswers, CacheFigures } from './cached-answers.ts'

/** Adds what the cache of this process has done and holds. The library of metrics is loaded by whoever has a registry. */
export async function tellOfCache(registry: Registry, answers: CachedAnswers): Promise<void> {
  const { Counter, Gauge } = await import('prom-client')
  const registers = [registry]
  const count = (name: string, help: string, read: (figures: CacheFigures) => number) =>
    new Counter({
      name: `campus_response_cache_${name}_total`,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read(answers.figures))
      },
    })
  const gauge = (name: string, help: string, read: (figures: CacheFigures) => number) =>
    new Gauge({
      name: `campus_response_cache_${name}`,
      help,
      registers,
      collect() {
        this.set(read(answers.figures))
      },
    })
  count('hits', 'Answers sent from memory.', ({ hits }) => hits)
  count('misses', 'Answers made anew where the route keeps them.', ({ misses }) => misses)
  count('evictions', 'Answers dropped for want of room.', ({ evictions }) => evictions)
  gauge('bytes', 'What the answers in memory take.', ({ bytes }) => bytes)
  gauge('entries', 'Answers in memory.', ({ entries }) => entries)
}
