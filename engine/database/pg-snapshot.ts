/** A parsed `pg_current_snapshot()`. Transaction ids stay far below 2^53. */
export type PgSnapshot = {
  /** First transaction id that is not visible. */
  readonly xmax: number
  /** Earlier transactions that are not visible, because they are running. */
  readonly running: readonly number[]
}

export function parsePgSnapshot(text: string): PgSnapshot {
  const [, xmax, running = ''] = text.split(':')
  return { xmax: Number(xmax), running: running === '' ? [] : running.split(',').map(Number) }
}

export const covers = (later: PgSnapshot, earlier: PgSnapshot): boolean =>
  earlier.xmax <= later.xmax && later.running.every((xid) => xid >= earlier.xmax || earlier.running.includes(xid))
