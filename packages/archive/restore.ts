import { Readable } from 'node:stream'
import type { Progress } from '@campus/engine/base/progress'
import { printable } from '@campus/engine/base/text/printable'
import { tryAdvisoryLock } from '@campus/engine/database/advisory-lock'
import type { BulkConnection, Rows } from '@campus/engine/database/bulk-connection'
import { takeRoom } from '@campus/engine/database/bulk-work'
import type { Database } from '@campus/engine/database/database'
import type { DeclaredStorage } from '@campus/engine/database/declared-storage'
import { isDatabaseAway, isDatabaseBusy, isDatabaseFull, reasonOf } from '@campus/engine/database/errors'
import { beginEpoch, migrate, migrateAsFarAs } from '@campus/engine/database/migrate'
import { knownMigrations, type Migrations } from '@campus/engine/database/migrations'
import { clearRestoreMarker, type RestoreMarker, setRestoreMarker } from '@campus/engine/database/restore-marker'
import { currentMigrations } from '@campus/engine/database/squashed-migrations'
import type { Staging } from '@campus/engine/http/staging'
import { deleteSealed, KEYED_FOR_A_WHILE, type LostSecrets, recordKey } from '@campus/intranet/server/lost-secrets'
import type { FileStore } from '@campus/intranet/services/attachments/file-store'
import { keyOf } from '@campus/intranet/services/attachments/stored-files'
import type { Kysely } from 'kysely'
import { FILES_TABLE } from './archived-files.ts'
import { findMigrations, findSchool } from './contents.ts'
import type { Opening } from './encryption.ts'
import { ArchiveError, type Head } from './format.ts'
import { loadRows, type MatchedTable, matchTables, prepareTables, readRows, resumeTriggers } from './load-tables.ts'
import { type Contents, type ReadOptions, readArchive } from './read-archive.ts'
import { fitOf, NEEDS_KEY, type Resealing, resealing, SealedCount, type SecretsFit } from './secrets.ts'
import { isSystemError } from './streams.ts'

export type Restoring = {
  readonly database: Database
  readonly store: FileStore
  readonly staging: Staging
  /** The key of the installation, if it has one yet. */
  readonly secretKey: Buffer | undefined
  /** Stores the key of the archive as the installation's own. */
  readonly adoptKey: (key: Buffer) => Promise<void>
  readonly opening: Opening | undefined
  readonly storage: DeclaredStorage
  /** The lock under which servers fill a new database. */
  readonly lock: number
  /** Whether this is a trial copy, which calls no webservice and sends no mail. */
  readonly isTrial?: boolean
  /** Deletes the archive's secrets, whose key is lost. Requires `secretKey`. */
  readonly withoutSecrets?: boolean
  readonly now: Date
  readonly progress: Progress
}

export type Restored = {
  readonly contents: Contents
  /** Migrations that brought the archive's tables to this version. */
  readonly migrations: readonly string[]
  /** Tables, and columns as `table.column`, of the archive that the database does not have. */
  readonly leftOut: readonly string[]
  /** An earlier restore into this database that did not end. */
  readonly former: RestoreMarker | undefined
  /** Deleted secrets, if they were to be left out. */
  readonly lost: LostSecrets | undefined
  /** Whether secrets are sealed with another key than in the archive. */
  readonly isResealed: boolean
  /** Number of secrets that their own key could not open, and that stay unusable. */
  readonly unopened: number
}

/** Checks a whole archive, then fills an empty database from it in one transaction. Throws ArchiveError. */
export async function restore(path: string, restoring: Restoring): Promise<Restored> {
  const { database, storage, opening, progress } = restoring
  const reading = { opening, progress }
  const { fit, ...checked } = await checkArchive(
    path,
    storage.migrations,
    { ...reading, step: 'checked' },
    restoring.secretKey,
  )
  refuseUnfit(fit, restoring.withoutSecrets === true)
  return database.inBulk(async (connection) => {
    const { rows } = connection
    await claimDatabase(connection, storage.migrations, checked.head, restoring.lock)
    const former = await setRestoreMarker(rows, path, restoring.now)
    const restored = await fill(connection, path, checked, restoring).catch(async (cause) => {
      const error = unusable(cause)
      // A refused archive has changed nothing, so this restore's marker goes. The marker of an earlier, unfinished restore stays.
      if (error instanceof ArchiveError && !former) await clearRestoreMarker(rows)
      throw error
    })
    await rows('analyze')
    return { ...restored, former }
  })
}

export type Checked = Contents & {
  /** Whether the archive's secrets can be opened here. */
  readonly fit: SecretsFit
}

/** Reads a whole archive as a restore does, and changes nothing. Throws ArchiveError. */
export async function checkArchive(
  path: string,
  migrations: Migrations,
  reading: ReadOptions,
  secretKey: Buffer | undefined,
): Promise<Checked> {
  const sealed = new SealedCount()
  const contents = await readArchive(path, reading, {
    async head(head) {
      await refuseNewer(migrations, head)
      sealed.head(head)
    },
    async table(table, content) {
      const count = sealed.counterOf(table)
      if (count) await readRows(content, count)
    },
  })
  return { ...contents, fit: fitOf(contents.head, secretKey, sealed.count) }
}

function refuseUnfit(fit: SecretsFit, withoutSecrets: boolean): void {
  if (fit === 'missing' && !withoutSecrets) throw new ArchiveError(NEEDS_KEY)
  if (fit === 'none' && withoutSecrets)
    throw new ArchiveError('It has no secrets that need a key. Omit --without-secrets.')
  if (fit !== 'missing' && withoutSecrets)
    throw new ArchiveError('Its secrets can be restored: the key is here, or in the archive. Omit --without-secrets.')
}

async function fill(
  connection: BulkConnection,
  path: string,
  contents: Contents,
  restoring: Restoring,
): Promise<Omit<Restored, 'former'>> {
  const { head } = contents
  const { rows } = connection
  const { opening, progress, secretKey, adoptKey, isTrial, withoutSecrets, now } = restoring
  return connection.kysely.transaction().execute(async (tx) => {
    await takeRoom(rows)
    const tables = await makeTables(rows, tx, restoring.storage.migrations, head)
    const secrets = resealing(head.secrets, secretKey)
    const putOn = await prepareTables(rows, [...tables.keys()])
    const taking = takingOf(connection, tables, { ...restoring, secrets })
    await readArchive(path, { opening, progress, step: 'restored' }, taking)
    if (secrets.isNeeded) await rows(`truncate ${KEYED_FOR_A_WHILE.join(', ')}`)
    await setSequences(rows, head)
    progress('indexes', 0, 1)
    await putOn()
    const migrations = await migrate(tx, restoring.storage, { countsLater: true })
    await resumeTriggers(rows)
    await beginEpoch(tx)
    await recordKey(rows, secretKey ?? secrets.adopted)
    const lost = withoutSecrets && secretKey ? await deleteSealed(rows, secretKey, now) : undefined
    if (isTrial) await disableOutgoing(connection)
    if (secrets.adopted) await adoptKey(secrets.adopted)
    await clearRestoreMarker(rows)
    const leftOut = head.tables.flatMap(({ name }) => {
      const matched = tables.get(name)
      return matched ? matched.missing.map((column) => `${name}.${column}`) : [name]
    })
    return { contents, migrations, leftOut, lost, isResealed: secrets.isNeeded, unopened: secrets.unopened() }
  })
}

/** Turns errors that are not of the database or the disk into an ArchiveError. */
function unusable(error: unknown): unknown {
  const isElsewhere = isDatabaseAway(error) || isDatabaseBusy(error) || isDatabaseFull(error) || isSystemError(error)
  if (error instanceof ArchiveError || isElsewhere) return error
  return new ArchiveError(`It cannot be restored: ${printable(reasonOf(error))}.`, { cause: error })
}

/** Prevents calls and mails of a trial copy to the campuses and people of the original. */
async function disableOutgoing({ kysely }: BulkConnection): Promise<void> {
  await kysely.updateTable('endpoints').set({ active: false }).where('active', '=', true).execute()
  await kysely.deleteFrom('mails').where('decided_at', 'is', null).execute()
}

async function refuseNewer(own: Migrations, { migrations, service }: Head): Promise<void> {
  const known = await knownMigrations(own)
  const seen = await currentMigrations(own, migrations).catch((cause) => Promise.reject(unusable(cause)))
  const unknown = seen.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new ArchiveError(
    `It is of a newer version (${service}, ${unknown.at(-1)}): restore it with that version, or a later one.`,
  )
}

/** Locks the database, and refuses a database with rows or of another version. */
async function claimDatabase(
  { kysely, rows }: BulkConnection,
  own: Migrations,
  { migrations }: Head,
  lock: number,
): Promise<void> {
  if (!(await tryAdvisoryLock(kysely, lock)))
    throw new ArchiveError('Somebody else is just filling this database; restore into an empty one.')
  const seen = await findMigrations(rows)
  const school = seen.length > 0 ? await findSchool(rows) : undefined
  if (school) {
    throw new ArchiveError(
      `The database holds a school already (${school.rows} rows in ${school.table}): restore into an empty one.`,
    )
  }
  const there = await currentMigrations(own, seen)
  const archived = await currentMigrations(own, [...migrations].sort())
  if (seen.length > 0 && there.join() !== archived.join()) {
    throw new ArchiveError('The database is empty, but of another version than the archive: restore into a new one.')
  }
}

/** Creates the tables of the archive's version, unless they exist. */
async function makeTables<T>(
  rows: Rows,
  tx: Kysely<T>,
  own: Migrations,
  { migrations, tables }: Head,
): Promise<ReadonlyMap<string, MatchedTable>> {
  if ((await findMigrations(rows)).length === 0) await migrateAsFarAs(tx, own, await currentMigrations(own, migrations))
  const matched = await matchTables(rows, tables)
  if (matched.size === 0) throw new ArchiveError('It has no table of this service.')
  return matched
}

function takingOf(
  connection: BulkConnection,
  tables: ReadonlyMap<string, MatchedTable>,
  { store, staging, secrets }: Restoring & { readonly secrets: Resealing },
) {
  const files = new Map<string, { readonly id: number; readonly contentType: string }>()
  return {
    async table(table: string, content: AsyncIterable<Buffer>): Promise<void> {
      const matched = tables.get(table)
      if (!matched) return
      const { columns } = matched
      const noting = (row: readonly (string | null)[]) => noteFile(columns, row)
      const change = table === FILES_TABLE ? noting : secrets.changeOf(table, columns)
      await loadRows(connection, { table, ...matched, change }, content)
    },
    async file(digest: string, content: AsyncIterable<Buffer>): Promise<void> {
      const file = files.get(digest)
      const staged = file && (await staging.receive(Readable.from(content), Number.MAX_SAFE_INTEGER))
      if (!file || !staged) return
      if (staged.digest === digest) await store.put(keyOf({ id: file.id, digest }), staged, file.contentType)
      await staging.drop(staged.path)
    },
  }

  function noteFile(columns: readonly string[], row: readonly (string | null)[]): void {
    const value = (column: string) => String(row[columns.indexOf(column)])
    files.set(value('digest'), { id: Number(value('id')), contentType: value('content_type') })
  }
}

async function setSequences(rows: Rows, { sequences }: Head): Promise<void> {
  const values = Object.entries(sequences).map(([name, [value, isUsed]]) => ({ name, value, isUsed }))
  await rows(
    `select setval(to_regclass(name), value, "isUsed") from json_to_recordset($1) as kept (name text, value bigint, "isUsed" boolean)
     where to_regclass(name) is not null`,
    [JSON.stringify(values)],
  )
}
