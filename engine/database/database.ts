import type pg from 'pg'
import { toError } from '../base/caught.ts'
import { stopAll } from '../base/stop-all.ts'
import { withAdvisoryLock } from './advisory-lock.ts'
import { Availability } from './availability.ts'
import type { BulkConnection } from './bulk-connection.ts'
import { Changes } from './changes.ts'
import type { Connection } from './connection.ts'
import { openKysely } from './driver.ts'
import { DUE_HINT, DueHints } from './due-hints.ts'
import { isRetryable } from './errors.ts'
import { sendAfter } from './following-query.ts'
import type { Handle } from './handle.ts'
import { Listener } from './listener.ts'
import type { Migrations } from './migrations.ts'
import { Pool, type PoolFigures } from './pool.ts'
import { isOfAnotherSession } from './pooling-mode.ts'
import { PreparedNames } from './prepared-names.ts'
import { type Reader, type ReplicaFigures, Replicas } from './replicas.ts'
import { namedFirst, runRows } from './run-rows.ts'
import { DatabaseServer } from './server.ts'
import { prepareSession, type Sending, settingsAlong } from './session-settings.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { newestMigration } from './squashed-migrations.ts'
import { Statements } from './statements.ts'
import { Transaction } from './transaction.ts'
import { newProcess, WriterLease } from './writer-lease.ts'
import { mayWrite } from './writes.ts'

export type { Handle } from './handle.ts'
export type { Reader } from './replicas.ts'
export type { Snapshot } from './snapshot.ts'

export type Database = Handle & {
  readonly changes: Changes
  /** Handle without a time limit, for migrations and sweeps. */
  readonly background: Handle
  readonly statements: Statements
  figures(): DatabaseFigures
  /** Resolves when a newer release has changed the database incompatibly. The database is then unavailable for good. */
  readonly superseded: Promise<Error>
  check(): Promise<void>
  untilBack(signal: AbortSignal): Promise<void>
  wasAwayWithin(milliseconds: number): boolean
  /**
   * Runs `work` in a transaction, and again after a retryable error. `work` must only use the handle `tx`. The change feed records
   * `actor`, such as `user:12`, as the author of the changes.
   */
  transaction<T>(work: (tx: Handle) => Promise<T>, actor?: string): Promise<T>
  /** Notifies other processes of each later commit to the table, so that they read its changes immediately. */
  hintAt(table: string): void
  /**
   * Opens a snapshot for long reads. The number of snapshots is limited, so that requests do not wait for connections. The caller must
   * close it. Throws DatabaseAway and DatabaseBusy.
   */
  openSnapshot(): Promise<Snapshot>
  readonly replicas: Pick<Replicas, 'reader' | 'staleReader'> | undefined
  inBulk<T>(work: (connection: BulkConnection) => Promise<T>): Promise<T>
  exclusively<T>(lock: number, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type DatabaseFigures = {
  readonly pools: readonly PoolFigures[]
  readonly isAway: boolean
  readonly hasWriterLease: boolean
  readonly replicas: ReplicaFigures | undefined
}

type DatabaseOptions = {
  readonly migrations: Migrations
  /** URL with one host or several. */
  readonly url: string
  /** URL that bypasses a pooler by transactions. Undefined if `url` keeps sessions. */
  readonly directUrl?: string | undefined
  readonly replicaUrls?: readonly string[] | undefined
  readonly poolSize?: number
  /** Maximum time of a statement outside background work. Unlimited by default. */
  readonly statementSeconds?: number | undefined
  readonly onWarning?: ((message: string) => void) | undefined
}

const MAX_ATTEMPTS = 4

const MIN_CONNECTIONS = 2
const BACKGROUND_POOL = { name: 'background', size: 2, idleMilliseconds: 10_000 }
const SNAPSHOT_POOL = { name: 'snapshots', size: 2, idleMilliseconds: 10_000 }
/** Share of request connections reserved for reading. The other ones may all wait for commits, which one flush serves together. */
const SHARE_FOR_READING = 0.3
/** Sorting ten million rows takes a while. */
const SNAPSHOT_STATEMENT_SECONDS = 120
/** Time after which a connection is closed if the server has not ended a slow statement itself. */
const GIVE_UP_AFTER_SECONDS = 5

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, directUrl, replicaUrls = [], poolSize = 10, statementSeconds, onWarning = () => {} } = options
  const changes: Changes = new Changes((since) => listener.readChanges(since))
  const process = newProcess()
  const availability = new Availability({
    onLost: ({ message }) => onWarning(`${message}. What needs it is answered 503 until it is back.`),
    onBack: (seconds) => onWarning(`The database is back after ${seconds} s.`),
  })
  const statements = new Statements()
  const untilEnded = (servedBy: number, signal: AbortSignal) => listener.untilEnded(servedBy, signal)
  const server = new DatabaseServer(directUrl ?? url)
  // Commands do not send enough statements to need a pooler.
  const isPooled = directUrl !== undefined && statementSeconds !== undefined
  const prepareChosen = async (client: Connection, seconds?: number) => {
    await prepareSession(client, { seconds, process })
    await server.verify(client)
  }
  const prepareForRequests = isPooled ? async () => {} : prepareChosen
  const requests = { address: isPooled ? () => url : () => server.url }
  const statementMilliseconds = statementSeconds && (statementSeconds + GIVE_UP_AFTER_SECONDS) * 1000
  const common = { address: () => server.url, availability, statements, untilEnded, process }
  const pool = new Pool({
    ...common,
    ...requests,
    name: 'requests',
    size: poolSize,
    writers: writersOf(poolSize),
    idleMilliseconds: 60_000,
    min: MIN_CONNECTIONS,
    statementMilliseconds,
    prepare: (client) => prepareForRequests(client, statementSeconds),
  })
  // Commands use one pool for everything, since a stopping server accepts no further connections.
  const background =
    statementSeconds === undefined ? pool : new Pool({ ...common, ...BACKGROUND_POOL, prepare: prepareChosen })
  const snapshots =
    statementSeconds === undefined
      ? pool
      : new Pool({
          ...common,
          ...requests,
          ...SNAPSHOT_POOL,
          statementMilliseconds: (SNAPSHOT_STATEMENT_SECONDS + GIVE_UP_AFTER_SECONDS) * 1000,
          prepare: (client) => prepareForRequests(client, SNAPSHOT_STATEMENT_SECONDS),
        })
  const pools = [...new Set([pool, background, snapshots])]
  const onSilence = (error: Error) => {
    for (const one of pools) one.cut(error)
  }
  const lease = new WriterLease(process, statementSeconds !== undefined)
  const listener = new Listener({
    server,
    changes,
    availability,
    statements,
    lease,
    newestMigration: await newestMigration(options.migrations),
    prepare: prepareChosen,
    onSilence,
  })
  await listener.start()

  const names = new PreparedNames()
  const inSessions: Sending = { names, settings: [] }
  // A pooler's sessions may have other prepared statements under the same name, or none.
  const sendingFor = (seconds?: number): Sending =>
    isPooled ? { names: new PreparedNames(0), settings: settingsAlong({ seconds, process }) } : inSessions
  const sending = sendingFor(statementSeconds)
  const snapshotSending = sendingFor(statementSeconds && SNAPSHOT_STATEMENT_SECONDS)
  const handle = poolHandle(pool, sending, changes)
  const primary: Reader = {
    ...handle,
    openSnapshot: () => openSnapshot(snapshots, snapshotSending),
  }
  const replicas =
    replicaUrls.length === 0
      ? undefined
      : new Replicas({
          urls: replicaUrls,
          changes,
          primary,
          statements,
          names,
          onWarning,
          statementMilliseconds,
          size: poolSize,
          prepare: (client) => prepareSession(client, { seconds: statementSeconds }),
          snapshotSettings: settingsAlong({ seconds: SNAPSHOT_STATEMENT_SECONDS }),
        })
  replicas?.start()
  const hints = new DueHints(changes, () => handle.rows(DUE_HINT))
  return {
    ...handle,
    changes,
    statements,
    superseded: listener.superseded,
    figures: () => ({
      pools: pools.map((one) => one.figures),
      isAway: availability.error !== undefined,
      hasWriterLease: lease.isHeld,
      replicas: replicas?.figures,
    }),
    background: poolHandle(background, background === pool ? sending : inSessions, changes),
    async check() {
      await listener.check()
      await pool.check()
    },
    untilBack: (signal) => availability.untilBack(signal),
    wasAwayWithin: (milliseconds) => availability.wasAwayWithin(milliseconds),
    async transaction(work, actor) {
      const result = await transact({ pool, sending, changes, actor: hints.isFed ? actor : undefined }, work)
      hints.afterCommit()
      return result
    },
    hintAt: (table) => hints.add(table),
    openSnapshot: primary.openSnapshot,
    replicas,
    async inBulk(work) {
      const { openBulkConnection } = await import('./bulk-connection.ts') // Seldom needed.
      const connection = await openBulkConnection(server.url)
      try {
        return await work(connection)
      } finally {
        await connection.close()
      }
    },
    exclusively: (lock, work) => withAdvisoryLock(server.url, lock, work),
    async close() {
      await stopAll([
        () => hints.close(),
        () => replicas?.stop(),
        () => listener.stop(),
        ...pools.map((one) => () => one.end()),
      ])
    },
  }
}

/** Leaves at least one connection to readers, if there are several. */
const writersOf = (poolSize: number) => Math.max(1, poolSize - Math.max(1, Math.floor(poolSize * SHARE_FOR_READING)))

function poolHandle(pool: Pool, { names, settings }: Sending, changes: Changes): Handle {
  return {
    kysely: openKysely(async () => lentOnDemand(pool, settings, changes)),
    isOfOneState: false,
    // After an error, a prepared plan may not fit its tables any more, so the connection is closed.
    rows(text, values = [], { first } = {}) {
      const run = (client: pg.PoolClient) =>
        runRows(client, names, text, values, { before: [...settings, ...namedFirst(names, first)] })
      if (!(mayWrite(text) || (first && mayWrite(first.text)))) return pool.use('reading', run)
      const write = changes.write()
      const runWrite = (client: pg.PoolClient) => {
        write.begin()
        return run(client)
      }
      return pool.use('writing', runWrite, { onEnd: write.end })
    },
  }
}

function lentOnDemand(pool: Pool, settings: Sending['settings'], changes: Changes) {
  const write = changes.write()
  let lent: Promise<pg.PoolClient> | undefined
  return {
    async query(text: string, values: unknown[]) {
      const isWrite = mayWrite(text)
      lent ??= pool.lend(isWrite ? 'writing' : 'reading', write.end)
      const client = await lent
      if (isWrite) write.begin()
      return settings.length === 0 ? client.query(text, values) : sendAfter(client, settings, text, values)
    },
    release() {
      lent?.then(
        (client) => client.release(),
        () => {},
      )
    },
  }
}

type Transacting = {
  readonly pool: Pool
  readonly sending: Sending
  readonly changes: Changes
  readonly actor: string | undefined
}

async function transact<T>(
  { pool, sending, changes, actor }: Transacting,
  work: (tx: Handle) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const write = changes.write()
    const client = await pool.lend('writing', write.end)
    const transaction = new Transaction(client, sending, { actor, onCommit: write.begin })
    let broken: Error | undefined
    try {
      const result = await work(transaction.handle)
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.rollback().catch((rollbackError: Error) => {
        broken = rollbackError
      })
      // The session has prepared statements of another client.
      if (isOfAnotherSession(error)) broken = toError(error)
      if (transaction.isCommitted) throw error
      if (!(attempt < MAX_ATTEMPTS && isRetryable(error))) throw error
    } finally {
      client.release(broken)
    }
  }
}
