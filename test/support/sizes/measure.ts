/** Cost of an action for the thread, in milliseconds. */
export type Cost = {
  /** Processor time of this process alone. */
  readonly total: number
  /** The most that went by without the event loop coming round: by the clock or of processor time, whichever is less. */
  readonly held: number
}

/** Measures what happens in this thread until the work is done. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  let held = 0
  let isDone = false
  const begun = now()
  let last = begun
  const comeRound = () => {
    const at = now()
    held = Math.max(held, between(last, at))
    last = at
    if (!isDone) setImmediate(comeRound)
  }
  setImmediate(comeRound)
  await work()
  isDone = true
  const end = now()
  return { total: end.used - begun.used, held: Math.max(held, between(last, end)) }
}

/** The least of several costs: what is more than that was the collector's, the compiler's or the cache's. */
export const minOf = (costs: readonly Cost[]): Cost => ({
  total: Math.min(...costs.map(({ total }) => total)),
  held: Math.min(...costs.map(({ held }) => held)),
})

/** Milliseconds that `referenceJob` takes on the machine of the figures in the documents, with nothing else running. */
const REFERENCE_MILLISECONDS = 25

/** How much slower than the machine of the documents this one is just now; 1 where it is not. */
export function slowness(): number {
  const times = Array.from({ length: 5 }, () => {
    const begun = now()
    referenceJob()
    return between(begun, now())
  })
  return Math.max(1, Math.min(...times) / REFERENCE_MILLISECONDS)
}

/** Creates objects, joins texts and compares, as the service does. */
function referenceJob(): void {
  const list = Array.from({ length: 40_000 }, (_, at) => ({ id: at, name: `name ${(at * 7_919) % 40_000}` }))
  const read: typeof list = JSON.parse(JSON.stringify(list))
  read.sort((one, other) => (one.name < other.name ? -1 : 1))
}

type Reading = { readonly used: number; readonly clock: number }

function now(): Reading {
  const { user, system } = process.threadCpuUsage()
  return { used: (user + system) / 1000, clock: performance.now() }
}

/** A busy machine adds to the time by the clock, and a kernel that counts by ticks to that of the processor. */
const between = (one: Reading, other: Reading) => Math.min(other.used - one.used, other.clock - one.clock)
