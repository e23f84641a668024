/**
 * Which transactions a look at the database saw, as `pg_current_snapshot()` says it: all that had ended. Their numbers stay
 * far below 2^53.
 */
export type PgSnapshot = {
  /** Transactions that began later are not visible. */
  readonly xmax: number
  /** Those that were under way. */
  readonly running: readonly number[]
}

/** Reads `xmin:xmax:xip,…`. */
export function parsePgSnapshot(text: string): PgSnapshot {
  const [, xmax, running = ''] = text.split(':')
  return { xmax: Number(xmax), running: running === '' ? [] : running.split(',').map(Number) }
}

/** Whether every transaction that `earlier` saw is seen by `later`, too. */
export const covers = (later: PgSnapshot, earlier: PgSnapshot): boolean =>
  earlier.xmax <= later.xmax && later.running.every((xid) => xid >= earlier.xmax || earlier.running.includes(xid))
