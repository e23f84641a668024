/** How often the log is marked while replicas are read, and for how long after the last read. */
const EVERY_MILLISECONDS = 1_000
const WANTED_MILLISECONDS = 10_000
const RETAINED_MILLISECONDS = 10_000

/** Marks the log of the primary of this epoch. Resolves to the end of the log before the mark. */
type WriteMark = (epoch: string) => Promise<number>

/**
 * Marks the log of the primary every second while replicas are read. A replica that shows a late mark follows the primary. One
 * that follows a server which was promoted beside the primary never gets a later mark, however far it has replayed.
 */
export class PrimaryMarks {
  readonly #write: WriteMark
  #epoch: string | undefined
  /** The oldest first. */
  #marks: readonly { readonly at: number; readonly logEnd: number }[] = []
  #wantedAt = Number.NEGATIVE_INFINITY
  #writtenAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | undefined

  constructor(write: WriteMark) {
    this.#write = write
  }

  /** The mark that a replica must show so that it followed the primary within the last milliseconds; undefined if unknown. */
  needed(epoch: string, milliseconds: number): number | undefined {
    const now = performance.now()
    this.#wantedAt = now
    this.renew(epoch)
    if (epoch !== this.#epoch) return undefined
    return this.#marks.find(({ at }) => now - at <= milliseconds)?.logEnd
  }

  /** Writes the next mark if its time has come. `isWanted` says that a replica waits for one. */
  renew(epoch: string, isWanted = false): void {
    const now = performance.now()
    if (this.#writing || now - this.#writtenAt < EVERY_MILLISECONDS) return
    if (!isWanted && now - this.#wantedAt > WANTED_MILLISECONDS) return
    this.#writtenAt = now
    this.#writing = this.#write(epoch)
      .then((logEnd) => {
        const former = epoch === this.#epoch ? this.#marks.filter(({ at }) => now - at <= RETAINED_MILLISECONDS) : []
        this.#marks = [...former, { at: now, logEnd }]
        this.#epoch = epoch
      })
      .catch(() => {}) // It is tried again soon.
      .finally(() => {
        this.#writing = undefined
      })
  }

  /** Resolves when no mark is being written. */
  async stop(): Promise<void> {
    await this.#writing
  }
}
