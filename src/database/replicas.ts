import { codeOf } from '../base/caught.ts'
import { stopAll } from '../base/stop-all.ts'
import type { Changes, Replayed } from './changes.ts'
import type { Handle } from './handle.ts'
import type { PoolFigures } from './pool.ts'
import { Replica, type ReplicaOptions } from './replica.ts'
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

const MARK = `insert into replicated_epoch (epoch) values ($1)
  on conflict (is_only) do update set epoch = excluded.epoch where replicated_epoch.epoch <> excluded.epoch`

/**
 * The servers that follow the primary. Each statement says up to where the log must be replayed for it, and of which primary; a replica
 * that is not as far, or fails in any way, is passed over for the primary, which nobody notices.
 */
export class Replicas {
  readonly #options: Options
  readonly #replicas: readonly Replica[]
  #next = 0
  #marking: Promise<unknown> | undefined
  #reads = { replica: 0, primary: 0 }

  constructor(options: Options) {
    const { urls, changes, primary, ...common } = options
    this.#options = options
    this.#replicas = urls.map(
      (url, at) => new Replica({ ...common, url, name: `replica ${at + 1}`, onFollows: (epoch) => this.#mark(epoch) }),
    )
  }

  /**
   * For what depends on these, tables or groups of rows (`rowNames`), or on whatever there is: a replica that has every change of
   * them that was acknowledged before the last validation, else the primary. Undefined where that is not known.
   */
  reader(names: Iterable<string> | undefined): Reader | undefined {
    const needed = this.#options.changes.replayedWith(names)
    return needed && this.#readerWith(needed)
  }

  /** For what may be some seconds old. Undefined where none is so near. */
  staleReader(): Reader | undefined {
    const { changes } = this.#options
    const { epoch } = changes.replayedWith() ?? {}
    if (epoch === undefined) return undefined
    const newest = Math.max(...this.#replicas.map((replica) => replica.replayedOf(epoch)))
    const found = changes.recentlyReplayed(newest)
    if (!found || found.age > MAX_AGE_MILLISECONDS - WAIT_MILLISECONDS) return undefined
    return { ...this.#readerWith(found), age: found.age }
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
    await this.#marking
  }

  #readerWith(needed: Replayed): Reader {
    const { primary } = this.#options
    return {
      kysely: primary.kysely,
      isOfOneState: false,
      rows: (text, values = [], options) => {
        if (options || mayWrite(text)) return primary.rows(text, values, options)
        return this.#read(
          needed,
          (replica) => replica.rows(text, values, needed),
          () => primary.rows(text, values),
        )
      },
      openSnapshot: () => this.#read(needed, (replica) => replica.openSnapshot(needed), primary.openSnapshot),
    }
  }

  async #read<T>(needed: Replayed, there: (replica: Replica) => Promise<T>, here: () => Promise<T>): Promise<T> {
    const replica = this.#choose(needed)
    if (replica) {
      try {
        const result = await there(replica)
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

  /** Writes the name of the primary where those who follow it find it. */
  #mark(followed: string | null): void {
    const { changes, primary } = this.#options
    const { epoch } = changes.replayedWith() ?? {}
    if (epoch === undefined || epoch === followed) return
    this.#marking ??= primary
      .rows(MARK, [epoch])
      .catch(() => {}) // It is tried again soon.
      .finally(() => {
        this.#marking = undefined
      })
  }
}
