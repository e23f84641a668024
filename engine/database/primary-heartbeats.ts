const INTERVAL_MILLISECONDS = 1_000
/** Heartbeats end this time after the last read of a replica. */
const IDLE_MILLISECONDS = 10_000
const RETAINED_MILLISECONDS = 10_000

/** Writes a heartbeat of an epoch. Resolves to the end of the log before it. */
type Write = (epoch: string) => Promise<number>

/**
 * Writes a heartbeat to the primary every second while replicas are read. A replica without recent heartbeats follows
 * another server.
 */
export class PrimaryHeartbeats {
  readonly #write: Write
  #epoch: string | undefined
  #written: readonly { readonly at: number; readonly logEnd: number }[] = []
  #lastReadAt = Number.NEGATIVE_INFINITY
  #lastWrittenAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | undefined

  constructor(write: Write) {
    this.#write = write
  }

  /**
   * Returns the log position of the oldest heartbeat of the last `milliseconds`. A usable replica has replayed this
   * position.
   */
  oldestWithin(epoch: string, milliseconds: number): number | undefined {
    const now = performance.now()
    this.#lastReadAt = now
    this.writeIfDue(epoch)
    if (epoch !== this.#epoch) return undefined
    return this.#written.find(({ at }) => now - at <= milliseconds)?.logEnd
  }

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

  async stop(): Promise<void> {
    await this.#writing
  }
}
