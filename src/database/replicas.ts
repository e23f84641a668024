import { codeOf } from '../base/caught.ts'
import { stopAll } from '../base/stop-all.ts'
import type { Changes, Replayed } from './changes.ts'
import { markOf } from './functions/replicas.ts'
import type { Handle } from './handle.ts'
import type { PoolFigures } from './pool.ts'
import { PrimaryMarks } from './primary-marks.ts'
import { type Needed, Replica, type ReplicaOptions } from './replica.ts'
import type { Snapshot } from './snapshot.ts'
import { mayWrite } from './writes.ts'

/** Where what only reads is sent. */
export type Reader = Handle & {
  /** Throws DatabaseAway and DatabaseBusy. */
  openSnapshot(): Promise<Snapshot>
  /** How old what it shows may be, in milliseconds, where it need not be the latest. */
  readonly age?: number
}

export type ReplicaFigures = {
  readonly replicas: readonly (PoolFigures & { readonly isUsed: boolean })[]
  /** Statements that only read, by where they were answered. */
  readonly reads: { readonly replica: number; readonly primary: number }
}

type Options = Omit<ReplicaOptions, 'url' | 'name' | 'onFollows'> & {
  readonly urls: readonly string[]
  readonly changes: Changes
  readonly primary: Reader
}

/** What a replica need not have replayed to be read by those who do not mind. */
export const MAX_AGE_MILLISECONDS = 5_000
/** Of that, what a statement may wait for a connection. */
const WAIT_MILLISECONDS = 1_000
/** A statement that took too long there would take as long at the primary. */
const CANCELED = '57014'

/** A replica must have followed the primary within this time, or within the longer time for what may be old. */
const FOLLOWED_MILLISECONDS = 2_500
const STALE_FOLLOWED_MILLISECONDS = MAX_AGE_MILLISECONDS + 1_500

/** Marks are written in the order of the log, by whichever process. */
const MARK = `
  with log as materialized (select pg_current_wal_insert_lsn() - '0/0' as log_end), marked as (
    insert into replicated_epoch (epoch) select $1 || '#' || log_end from log
    on conflict (is_only) do update set epoch = excluded.epoch
    where split_part(replicated_epoch.epoch, '#', 1) <> $1
      or ${markOf('replicated_epoch.epoch')} < ${markOf('excluded.epoch')}
  )
  select log_end from log`

/**
 * The servers that follow the primary. Each statement says up to where the log must be replayed for it, and of which primary; a replica
 * that is not as far, or fails in any way, is passed over for the primary, which nobody notices.
 */
export class Replicas {
  readonly #options: Options
  readonly #replicas: readonly Replica[]
  readonly #marks: PrimaryMarks
  #next = 0
  #reads = { replica: 0, primary: 0 }

  constructor(options: Options) {
    const { urls, changes, primary, ...common } = options
    this.#options = options
    this.#marks = new PrimaryMarks(async (epoch) => Number((await primary.rows(MARK, [epoch]))[0]?.[0]))
    this.#replicas = urls.map(
      (url, at) =>
        new Replica({ ...common, url, name: `replica ${at + 1}`, onFollows: (epoch) => this.#renewMark(epoch) }),
    )
  }

  /**
   * For what depends on these, tables or groups of rows (`rowNames`), or on whatever there is: a replica that has every change of
   * them that was acknowledged before the last validation, else the primary. Undefined where that is not known.
   */
  reader(names: Iterable<string> | undefined): Reader | undefined {
    const needed = this.#options.changes.replayedWith(names)
    return needed && this.#readerWith(needed, FOLLOWED_MILLISECONDS)
  }

  /** For what may be some seconds old. Undefined where none is so near. */
  staleReader(): Reader | undefined {
    const { changes } = this.#options
    const { epoch } = changes.replayedWith() ?? {}
    if (epoch === undefined) return undefined
    const newest = Math.max(...this.#replicas.map((replica) => replica.replayedOf(epoch)))
    const found = changes.recentlyReplayed(newest)
    if (!found || found.age > MAX_AGE_MILLISECONDS - WAIT_MILLISECONDS) return undefined
    return { ...this.#readerWith(found, STALE_FOLLOWED_MILLISECONDS), age: found.age }
  }

  get figures(): ReplicaFigures {
    const replicas = this.#replicas.map((replica) => ({ ...replica.figures, isUsed: replica.isUsed }))
    return { replicas, reads: { ...this.#reads } }
  }

  start(): void {
    for (const replica of this.#replicas) replica.start()
  }

  async stop(): Promise<void> {
    await stopAll(this.#replicas.map((replica) => () => replica.stop()))
    await this.#marks.stop()
  }

  #readerWith(replayed: Replayed, followedMilliseconds: number): Reader {
    const { primary } = this.#options
    const read = async <T>(there: (replica: Replica, needed: Needed) => Promise<T>, here: () => Promise<T>) => {
      const mark = this.#marks.needed(replayed.epoch, followedMilliseconds)
      if (mark !== undefined) return this.#read({ ...replayed, mark }, there, here)
      this.#reads.primary += 1
      return here()
    }
    return {
      kysely: primary.kysely,
      isOfOneState: false,
      rows: (text, values = [], options) => {
        if (options || mayWrite(text)) return primary.rows(text, values, options)
        return read(
          (replica, needed) => replica.rows(text, values, needed),
          () => primary.rows(text, values),
        )
      },
      openSnapshot: () => read((replica, needed) => replica.openSnapshot(needed), primary.openSnapshot),
    }
  }

  async #read<T>(
    needed: Needed,
    there: (replica: Replica, needed: Needed) => Promise<T>,
    here: () => Promise<T>,
  ): Promise<T> {
    const replica = this.#choose(needed)
    if (replica) {
      try {
        const result = await there(replica, needed)
        this.#reads.replica += 1
        return result
      } catch (error) {
        if (codeOf(error) === CANCELED) throw error
      }
    }
    this.#reads.primary += 1
    return here()
  }

  /** One after the other in turn. */
  #choose(needed: Replayed): Replica | undefined {
    const { length } = this.#replicas
    for (let step = 0; step < length; step += 1) {
      const at = (this.#next + step) % length
      const replica = this.#replicas[at]
      if (!replica?.mayHave(needed)) continue
      this.#next = at + 1
      return replica
    }
    return undefined
  }

  /** Writes the name of the primary where those who follow it find it, and the next mark. */
  #renewMark(followed: string | null): void {
    const { epoch } = this.#options.changes.replayedWith() ?? {}
    if (epoch !== undefined) this.#marks.renew(epoch, epoch !== followed)
  }
}
