import { Readable } from 'node:stream'
import type { Database, Handle } from '@campus/engine/database/database'
import { inBatches, updateInBatches } from '@campus/engine/database/in-batches'
import { unavailable } from '@campus/engine/errors'
import type { Staging } from '@campus/engine/http/staging'
import type { StagedFile } from '@campus/engine/http/uploaded-file'
import { sql } from 'kysely'
import type { FileStore } from './file-store.ts'

/** Retention of unused files. Until then an older copy of the database can be restored. */
export const UNUSED_RETENTION_HOURS = 24

export type StoredFile = {
  readonly id: number
  readonly digest: string
  readonly bytes: number
  readonly contentType: string
  readonly storedAt: Date
}

/** Key of a file in its store. It contains the row id, so that a deleted file never shares a key with a new one. */
export const keyOf = ({ id, digest }: Pick<StoredFile, 'id' | 'digest'>) => `${digest.slice(0, 2)}/${digest}-${id}`

type Dependencies = { readonly database: Database; readonly store: FileStore; readonly now: Date }
type Swept = Omit<Dependencies, 'database'> & { readonly database: Handle }

const STILL_NEEDED_OR_NEWLY_UNUSED = sql<Date | null>`case when stored_files.unused_since is not null then excluded.unused_since end`

/** Stores a staged file, unless one with the same content is stored, and returns its id. The file is unused until `needFiles`. */
export async function storeFile(
  { database, store, now }: Dependencies,
  file: StagedFile,
  contentType: string,
): Promise<number> {
  const { kysely } = database
  const { digest, bytes } = file
  const row = await kysely
    .insertInto('stored_files')
    .values({ digest, bytes, content_type: contentType, created_at: now, unused_since: now })
    .onConflict((conflict) =>
      conflict
        .column('digest')
        .where('doomed_at', 'is', null)
        // Keeps a needed file, and restarts the retention of an unused one.
        .doUpdateSet({ unused_since: STILL_NEEDED_OR_NEWLY_UNUSED }),
    )
    .returning(['id', 'stored_at'])
    .executeTakeFirstOrThrow()
  if (row.stored_at) return row.id
  await store.put(keyOf({ id: row.id, digest }), file, contentType)
  await kysely.updateTable('stored_files').set({ stored_at: now }).where('id', '=', row.id).execute()
  return row.id
}

/** Stores bytes that the service made, and returns the id. */
export async function storeBytes(
  { staging, ...dependencies }: Dependencies & { readonly staging: Staging },
  bytes: Buffer,
  contentType: string,
): Promise<number> {
  const file = await staging.receive(Readable.from([bytes]), Number.POSITIVE_INFINITY)
  if (!file) throw new Error('a file of our own cannot be staged')
  try {
    return await storeFile(dependencies, file, contentType)
  } finally {
    await staging.drop(file.path)
  }
}

/**
 * Marks files as needed, in the transaction that needs them. Throws 503 if one is being deleted, which happens only in a
 * transaction that began a day ago.
 */
export async function needFiles({ kysely }: Handle, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const found = await kysely
    .updateTable('stored_files')
    .set({ unused_since: null })
    .where(
      'id',
      'in',
      [...new Set(ids)].sort((one, other) => one - other),
    )
    .where('doomed_at', 'is', null)
    .where('stored_at', 'is not', null)
    .returning('id')
    .execute()
  if (found.length !== new Set(ids).size) throw unavailable('The file is not there any more; please send it again.')
}

/** Returns undefined if there is no file to serve. */
export async function findStoredFile({ kysely }: Handle, id: number): Promise<StoredFile | undefined> {
  const row = await kysely
    .selectFrom('stored_files')
    .select(['id', 'digest', 'bytes', 'content_type', 'stored_at'])
    .where('id', '=', id)
    .where('doomed_at', 'is', null)
    .executeTakeFirst()
  if (!row?.stored_at) return undefined
  const { digest, bytes, content_type: contentType, stored_at: storedAt } = row
  return { id: row.id, digest, bytes: Number(bytes), contentType, storedAt }
}

/** Returns the columns that refer to files, quoted for SQL. */
export const fileReferences = ({ rows }: Pick<Handle, 'rows'>) =>
  rows(
    `select k.conrelid::regclass, format('%I', a.attname)
     from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where k.contype = 'f' and k.confrelid = 'stored_files'::regclass order by 1, 2`,
  )

/**
 * Removes files that have been unused for a day. Unused files are first marked. Those that stay unused are doomed by a
 * statement that orders itself with transactions that need the file. Only doomed files are removed.
 */
export async function sweepFiles({ database, store, now }: Swept): Promise<void> {
  const cutoff = new Date(now.getTime() - UNUSED_RETENTION_HOURS * 3_600_000)
  const references = await fileReferences(database)
  const unused = references.map(([table, column]) => `not exists (select from ${table} where ${column} = t.id)`)
  const isUnused = ['doomed_at is null', ...unused].join(' and ')
  await updateInBatches(database, 'stored_files', {
    set: sql`unused_since = ${now}`,
    matches: sql`unused_since is null and ${sql.raw(isUnused)}`,
  })
  await updateInBatches(database, 'stored_files', {
    set: sql`doomed_at = ${now}`,
    matches: sql`unused_since < ${cutoff} and ${sql.raw(isUnused)}`,
  })
  await inBatches((maxRows) => removeDoomed(database, store, maxRows))
}

async function removeDoomed({ kysely }: Pick<Handle, 'kysely'>, store: Pick<FileStore, 'remove'>, maxRows: number) {
  const doomed = await kysely
    .selectFrom('stored_files')
    .select(['id', 'digest'])
    .where('doomed_at', 'is not', null)
    .limit(maxRows)
    .execute()
  for (const file of doomed) {
    await store.remove(keyOf(file))
    await kysely.deleteFrom('stored_files').where('id', '=', file.id).execute()
  }
  return doomed.length
}
