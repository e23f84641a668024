/** What something cost the thread, in milliseconds of its processor time. Other processes do not count. */
export type Cost = {
  readonly total: number
  /** The most that went by without the event loop coming round. */
  readonly held: number
}

/** Measures what happens in this thread until the work is done. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  let held = 0
  let isDone = false
  const begun = used()
  let last = begun
  const come = () => {
    const now = used()
    held = Math.max(held, now - last)
    last = now
    if (!isDone) setImmediate(come)
  }
  setImmediate(come)
  await work()
  isDone = true
  const end = used()
  return { total: end - begun, held: Math.max(held, end - last) }
}

/** The least of several costs: what is more than that was the collector's, the compiler's or the cache's. */
export const leastOf = (costs: readonly Cost[]): Cost => ({
  total: Math.min(...costs.map(({ total }) => total)),
  held: Math.min(...costs.map(({ held }) => held)),
})

function used(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
