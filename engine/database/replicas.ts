import { codeOf } from '../base/caught.ts'
import { stopAll } from '../base/stop-all.ts'
import type { Changes, Replayed } from './changes.ts'
import { heartbeatOf } from './functions/replicas.ts'
import type { Handle } from './handle.ts'
import type { PoolFigures } from './pool.ts'
import { PrimaryHeartbeats } from './primary-heartbeats.ts'
import { type Needed, Replica, type ReplicaOptions } from './replica.ts'
import type { Snapshot } from './snapshot.ts'
import { mayWrite } from './writes.ts'

export type Reader = Handle & {
  /** Throws DatabaseAway and DatabaseBusy. */
  openSnapshot(): Promise<Snapshot>
  /** Maximum age of the rows in milliseconds, if they may be stale. */
  readonly age?: number
}

export type ReplicaFigures = {
  readonly replicas: readonly (PoolFigures & { readonly isUsed: boolean })[]
  readonly reads: { readonly replica: number; readonly primary: number }
}

type Options = Omit<ReplicaOptions, 'url' | 'name' | 'onFollows'> & {
  readonly urls: readonly string[]
  readonly changes: Changes
  readonly primary: Reader
}

/** Maximum age of rows for `Prefer: stale-ok`. */
const MAX_AGE_MILLISECONDS = 5_000
/** Part of the maximum age that a statement may wait for a connection. */
const WAIT_MILLISECONDS = 1_000
/** SQLSTATE of a statement that took too long. The primary does not repeat it. */
const CANCELED = '57014'

/** Maximum age of the heartbeat that a replica must have replayed. The longer time is for stale rows. */
const FOLLOWED_MILLISECONDS = 2_500
const STALE_FOLLOWED_MILLISECONDS = MAX_AGE_MILLISECONDS + 1_500

/** Replaces the stored heartbeat of any process, unless that is later in the log. */
const HEARTBEAT = `
  with log as materialized (select pg_current_wal_insert_lsn() - '0/0' as log_end), written as (
    insert into replicated_epoch (epoch) select $1 || '#' || log_end from log
    on conflict (is_only) do update set epoch = excluded.epoch
    where split_part(replicated_epoch.epoch, '#', 1) <> $1
      or ${heartbeatOf('replicated_epoch.epoch')} < ${heartbeatOf('excluded.epoch')}
  )
  select log_end from log`

/** Runs reads on standbys that have replayed what is needed, or on the primary if none has or a standby fails. */
export class Replicas {
  readonly #options: Options
  readonly #replicas: readonly Replica[]
  readonly #heartbeats: PrimaryHeartbeats
  #next = 0
  #reads = { replica: 0, primary: 0 }

  constructor(options: Options) {
    const { urls, changes, primary, ...common } = options
    this.#options = options
    this.#heartbeats = new PrimaryHeartbeats(async (epoch) => Number((await primary.rows(HEARTBEAT, [epoch]))[0]?.[0]))
    this.#replicas = urls.map(
      (url, at) =>
        new Replica({ ...common, url, name: `replica ${at + 1}`, onFollows: (epoch) => this.#sendHeartbeat(epoch) }),
    )
  }

  /**
   * Returns a reader of a replica that has replayed all known changes of these tables or groups of rows (`rowNames`), or of all tables.
   * Falls back to the primary. Returns undefined if the changes are unknown.
   */
  reader(names: Iterable<string> | undefined): Reader | undefined {
    const needed = this.#options.changes.replayedWith(names)
    return needed && this.#readerWith(needed, FOLLOWED_MILLISECONDS)
  }

  /** Returns a reader for rows that may be some seconds old, or undefined if no replica is recent enough. */
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
    await this.#heartbeats.stop()
  }

  #readerWith(replayed: Replayed, followedMilliseconds: number): Reader {
    const { primary } = this.#options
    const read = async <T>(there: (replica: Replica, needed: Needed) => Promise<T>, here: () => Promise<T>) => {
      const heartbeat = this.#heartbeats.oldestWithin(replayed.epoch, followedMilliseconds)
      const replica = heartbeat === undefined ? undefined : this.#choose(replayed)
      if (heartbeat !== undefined && replica) {
        try {
          const result = await there(replica, { ...replayed, heartbeat })
          this.#reads.replica += 1
          return result
        } catch (error) {
          if (codeOf(error) === CANCELED) throw error
        }
      }
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

  /** Writes a heartbeat if it is due, even if idle for a replica that does not know the primary's epoch yet. */
  #sendHeartbeat(followed: string | null): void {
    const { epoch } = this.#options.changes.replayedWith() ?? {}
    if (epoch !== undefined) this.#heartbeats.writeIfDue(epoch, { evenIfIdle: epoch !== followed })
  }
}
