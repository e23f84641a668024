/** Interval of heartbeats. */
const INTERVAL_MILLISECONDS = 1_000
/** Time without reads of replicas after which no heartbeat is written. */
const IDLE_MILLISECONDS = 10_000
const RETAINED_MILLISECONDS = 10_000

/** Writes a heartbeat to the primary of this epoch. Resolves to the end of the write-ahead log before the heartbeat. */
type Write = (epoch: string) => Promise<number>

/**
 * Writes a heartbeat to the primary's log every second while replicas are read. A replica that has replayed a recent
 * heartbeat follows the primary. A replica of another promoted server never gets one, however far it has replayed.
 */
export class PrimaryHeartbeats {
  readonly #write: Write
  #epoch: string | undefined
  /** The oldest first. */
  #written: readonly { readonly at: number; readonly logEnd: number }[] = []
  #lastReadAt = Number.NEGATIVE_INFINITY
  #lastWrittenAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | undefined

  constructor(write: Write) {
    this.#write = write
  }

  /**
   * Returns the oldest heartbeat of the last `milliseconds`, which a replica must have replayed to be read. Returns undefined
   * if there is none.
   */
  oldestWithin(epoch: string, milliseconds: number): number | undefined {
    const now = performance.now()
    this.#lastReadAt = now
    this.writeIfDue(epoch)
    if (epoch !== this.#epoch) return undefined
    return this.#written.find(({ at }) => now - at <= milliseconds)?.logEnd
  }

  /** Writes the next heartbeat if it is due. `evenIfIdle` writes it although no replica is read. */
  writeIfDue(epoch: string, { evenIfIdle = false } = {}): void {
    const now = performance.now()
    if (this.#writing || now - this.#lastWrittenAt < INTERVAL_MILLISECONDS) return
    if (!evenIfIdle && now - this.#lastReadAt > IDLE_MILLISECONDS) return
    this.#lastWrittenAt = now
    this.#writing = this.#write(epoch)
      .then((logEnd) => {
        const former = epoch === this.#epoch ? this.#written.filter(({ at }) => now - at <= RETAINED_MILLISECONDS) : []
        this.#written = [...former, { at: now, logEnd }]
        this.#epoch = epoch
      })
      .catch(() => {}) // The next call tries again.
      .finally(() => {
        this.#writing = undefined
      })
  }

  /** Resolves when no heartbeat is being written. */
  async stop(): Promise<void> {
    await this.#writing
  }
}
