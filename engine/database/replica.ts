import { backoffMilliseconds } from '../base/backoff.ts'
import { codeOf } from '../base/caught.ts'
import { pauseFor } from '../base/pause-for.ts'
import { Availability } from './availability.ts'
import type { Replayed } from './changes.ts'
import { Connection } from './connection.ts'
import { DatabaseAway } from './errors.ts'
import { NOT_REPLAYED } from './functions/replicas.ts'
import { Pool, type PoolFigures, type PoolOptions } from './pool.ts'
import { PreparedNames } from './prepared-names.ts'
import { runRows } from './run-rows.ts'
import type { Sending } from './session-settings.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import type { TextRow } from './text-query.ts'

export type ReplicaOptions = Pick<PoolOptions, 'name' | 'size' | 'prepare' | 'statements' | 'statementMilliseconds'> & {
  readonly url: string
  readonly names: PreparedNames
  readonly snapshotSettings: Sending['settings']
  readonly onWarning: (message: string) => void
  /** Called after each check, with the epoch of the server that the replica follows. */
  readonly onFollows: (epoch: string | null) => void
}

/** End of the log, and heartbeat of the primary, that a replica must have replayed. */
export type Needed = Replayed & { readonly heartbeat: number }

const BACKOFF = { first: 250, max: 5_000 }
/** Together, both bound how long reads wait for a replica that does not answer. */
const ASK_EVERY_MILLISECONDS = 250
const ANSWER_MILLISECONDS = 750
/** Time for which a replica that was behind is not asked for rows as new. */
const BEHIND_MILLISECONDS = 20

const QUESTION = `select pg_is_in_recovery(), pg_last_wal_replay_lsn() - '0/0', (select split_part(epoch, '#', 1) from replicated_epoch)`
const GUARD = 'select require_replayed($1, $2)'

/** A standby that is read instead of the primary while it answers and has replayed enough. */
export class Replica {
  readonly #options: ReplicaOptions
  readonly #pool: Pool
  readonly #availability: Availability
  readonly #stopping = new AbortController()
  #watching: Promise<void> | undefined
  /** Aborted when the replica is lost, and replaced when it is back. */
  #using = new AbortController()
  #follows: string | null = null
  #replayed = 0
  #behind = { logEnd: Number.POSITIVE_INFINITY, until: 0 }

  constructor(options: ReplicaOptions) {
    const { url, name, size, prepare, statements, statementMilliseconds, onWarning } = options
    const host = hostOf(url)
    this.#options = options
    this.#availability = new Availability({
      onLost: ({ reason }) => onWarning(`The replica ${host} is not used (${reason}). The primary is read instead.`),
      onBack: (seconds) => onWarning(`The replica ${host} is used again after ${seconds} s.`),
    })
    this.#pool = new Pool({
      name,
      size,
      prepare,
      statements,
      statementMilliseconds,
      address: () => url,
      availability: this.#availability,
      idleMilliseconds: 0,
      // The result of an abandoned statement is not used.
      untilEnded: async () => {},
    })
  }

  get figures(): PoolFigures {
    return this.#pool.figures
  }

  get isUsed(): boolean {
    return this.#availability.error === undefined && this.#follows !== null
  }

  replayedOf(epoch: string): number {
    return this.isUsed && this.#follows === epoch ? this.#replayed : 0
  }

  mayHave({ epoch, logEnd }: Replayed): boolean {
    if (!this.isUsed || this.#follows !== epoch || this.#pool.isFull) return false
    return logEnd < this.#behind.logEnd || performance.now() >= this.#behind.until
  }

  start(): void {
    this.#watching = this.#watch()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#watching
    await this.#pool.end()
  }

  rows(text: string, values: readonly unknown[], needed: Needed): Promise<TextRow[]> {
    return this.#use(needed, () =>
      this.#pool.use(
        'reading',
        (client) => runRows(client, this.#options.names, text, values, { before: [this.#guard(needed)] }),
        { isSound: (error) => codeOf(error) === NOT_REPLAYED },
      ),
    )
  }

  openSnapshot(needed: Needed): Promise<Snapshot> {
    const { names, snapshotSettings: settings } = this.#options
    const { text, values } = this.#guard(needed)
    return this.#use(
      needed,
      () => openSnapshot(this.#pool, { names, settings }, (client) => runRows(client, names, text, values)),
      (late) => late.close(new DatabaseAway('the replica was lost')),
    )
  }

  #guard({ epoch, heartbeat, logEnd }: Needed) {
    return { text: GUARD, values: [`${epoch}#${heartbeat}`, logEnd], name: this.#options.names.of(GUARD) }
  }

  /** Rejects when the replica is lost, and calls `drop` with a late result. */
  async #use<T>(needed: Replayed, work: () => Promise<T>, drop: (late: T) => void = () => {}): Promise<T> {
    const { signal } = this.#using
    const lost = Promise.withResolvers<never>()
    const working = work()
    const onLost = () => {
      lost.reject(new DatabaseAway('the replica was lost'))
      working.then(drop, () => {})
    }
    signal.addEventListener('abort', onLost)
    try {
      const result = await Promise.race([working, lost.promise])
      this.#replayed = Math.max(this.#replayed, needed.logEnd)
      return result
    } catch (error) {
      if (codeOf(error) === NOT_REPLAYED)
        this.#behind = { logEnd: needed.logEnd, until: performance.now() + BEHIND_MILLISECONDS }
      throw error
    } finally {
      signal.removeEventListener('abort', onLost)
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const client = new Connection({ address: () => this.#options.url, statementMilliseconds: ANSWER_MILLISECONDS })
      try {
        await client.connect()
        await this.#options.prepare(client)
        for (; !signal.aborted; await pauseFor(ASK_EVERY_MILLISECONDS, signal)) {
          await this.#ask(client)
          attempt = 0
        }
      } catch (error) {
        this.#lose(error)
      } finally {
        await client.end().catch(() => {})
      }
      await pauseFor(backoffMilliseconds(attempt, BACKOFF), signal)
    }
  }

  async #ask(client: Connection): Promise<void> {
    const [row = []] = await runRows(client, new PreparedNames(), QUESTION, [])
    const [isStandby, replayed, follows = null] = row
    if (isStandby !== 't') throw new DatabaseAway('it is not a standby')
    if (follows !== this.#follows) this.#replayed = 0
    this.#follows = follows
    this.#replayed = Math.max(this.#replayed, Number(replayed))
    if (this.#using.signal.aborted) this.#using = new AbortController()
    this.#availability.regain()
    this.#options.onFollows(follows)
  }

  #lose(error: unknown): void {
    if (this.#stopping.signal.aborted) return
    const away = this.#availability.lose(error)
    this.#follows = null
    this.#using.abort()
    this.#pool.cut(away)
  }
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? 'without an address'
