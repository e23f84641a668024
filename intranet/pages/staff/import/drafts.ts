import { isDeepStrictEqual } from 'node:util'
import type { Handle } from '@campus/engine/database/database'
import { isLeaseOver } from '@campus/engine/database/lease-ends'
import { lockRow } from '@campus/engine/database/lock-row'
import { notFound } from '@campus/engine/errors'
import type { ImportReport } from '@campus/engine/rest/import/import-file'
import type { Mapping } from '@campus/engine/rest/import/mapping'
import type { ReadTable } from '@campus/engine/rest/import/read-table'
import type { Table } from '@campus/engine/rest/import/table'
import { type ExpressionBuilder, sql } from 'kysely'
import type { DB } from '../../../schema.ts'
import type { Sealer } from '../../../services/sealing/sealer.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { type Preview, previewOf, shownOf } from './preview.ts'

/** A record that an import created, and its `updated_at`. A later time means that somebody has changed the record since. */
export type Made = { readonly id: number; readonly updatedAt: string }

export type Draft = {
  readonly id: string
  /** Increases when the table, the mapping or the report changes. */
  readonly revision: number
  /** Identifies a version of the table: the first characters of the sealed table, which are random. */
  readonly tableId: string
  readonly resource: string
  readonly name: string
  readonly preview: Preview
  readonly mapping: Mapping
  /** The zone of times without a zone. */
  readonly timeZone: string
  readonly report: ImportReport | undefined
  readonly made: readonly Made[]
  readonly ranAt: Date | null
  readonly undoneAt: Date | null
}

type New = Pick<Draft, 'resource' | 'name' | 'mapping' | 'timeZone'> & { readonly table: ReadTable }

export const MAX_DRAFTS = 20

/** Stores a draft, and returns its id. Deletes the oldest drafts above the limit, those that were not imported first. */
export async function createDraft(
  { person, session, dependencies }: PersonPageContext,
  { resource, name, table, mapping, timeZone }: New,
): Promise<string> {
  const { database, sealer, clock } = dependencies
  const { columns, samples, rows, notes } = table
  const sealedTable = sealer.seal('import_drafts.sealed_table', table.json)
  return database.transaction(async (tx) => {
    // Locks the user, so that concurrent uploads count each other's drafts.
    await lockRow(tx, 'users', person.id)
    await tx.kysely.deleteFrom('import_drafts').where('id', 'in', excessOf(tx, person.id)).execute()
    const { id } = await tx.kysely
      .insertInto('import_drafts')
      .values({
        ...{ user_id: person.id, session_id: session.id, resource, name, created_at: clock.now() },
        sealed_table: sealedTable,
        sealed_preview: sealPreview(sealer, sealedTable, { columns, samples, rows, notes, faulty: [] }),
        mapping: JSON.stringify(mapping),
        time_zone: timeZone,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/**
 * Selects the drafts to delete. Skips locked drafts: an import locks its draft and may wait for the user's row, so
 * waiting could deadlock.
 */
const excessOf = ({ kysely }: Handle, userId: number) =>
  kysely
    .selectFrom('import_drafts')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy(sql`ran_at is null`)
    .orderBy('created_at', 'desc')
    .offset(MAX_DRAFTS - 1)
    .forUpdate()
    .skipLocked()

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Matches drafts that a session may open: those that it uploaded, and those that were imported. */
const isOpenTo =
  (sessionId: number) =>
  ({ eb, or }: ExpressionBuilder<DB, 'import_drafts'>) =>
    or([eb('session_id', '=', sessionId), eb('ran_at', 'is not', null)])

/** Finds a draft without its table. Until the import, only the session that uploaded the table has access. Throws 404. */
export async function findDraft(context: PersonPageContext): Promise<Draft> {
  const { database, sealer } = context.dependencies
  const id = context.params.id ?? ''
  const row = UUID.test(id)
    ? await database.kysely
        .selectFrom('import_drafts')
        .select(['resource', 'name', 'mapping', 'report', 'made', 'revision', 'ran_at', 'undone_at'])
        .select(['sealed_preview', 'time_zone'])
        .select(sql<string>`left(sealed_table, ${sql.lit(TABLE_ID_CHARACTERS)})`.as('table_id'))
        .where('id', '=', id)
        .where('user_id', '=', context.person.id)
        .where(isOpenTo(context.session.id))
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('You have no such import.')
  const { resource, name, mapping, made, revision, ran_at: ranAt, undone_at: undoneAt } = row
  const report = row.report === null ? undefined : asRead<ImportReport>(row.report)
  return {
    ...{ id, revision, tableId: row.table_id, resource, name, report, ranAt, undoneAt },
    preview: openPreview(sealer, row) ?? previewOf(await openTable(context, { id }), report),
    mapping: asRead<Mapping>(mapping),
    // Drafts of the former release have no zone. It reads their times in UTC.
    timeZone: row.time_zone ?? 'UTC',
    made: made === null ? [] : asRead<readonly Made[]>(made),
  }
}

export const listDrafts = ({ dependencies: { database }, person, session }: PersonPageContext, resource: string) =>
  database.kysely
    .selectFrom('import_drafts')
    .select(['id', 'name', 'created_at', 'ran_at', 'undone_at'])
    .where('user_id', '=', person.id)
    .where('resource', '=', resource)
    .where(isOpenTo(session.id))
    .orderBy('created_at', 'desc')
    .limit(MAX_DRAFTS)
    .execute()

/** Decrypts and parses a table, which may take much time and memory. Throws 404. */
export async function openTable({ dependencies }: PersonPageContext, { id }: Pick<Draft, 'id'>): Promise<Table> {
  const { database, sealer } = dependencies
  const row = await database.kysely
    .selectFrom('import_drafts')
    .select('sealed_table')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('You have no such import.')
  return JSON.parse(sealer.open(row.sealed_table))
}

const TABLE_ID_CHARACTERS = 16

/** A preview with the id of its table, since the former release replaces tables without updating previews. */
type StoredPreview = Preview & { readonly tableId: string }

function sealPreview(sealer: Sealer, sealedTable: string, preview: Preview): string {
  const stored: StoredPreview = { ...preview, tableId: sealedTable.slice(0, TABLE_ID_CHARACTERS) }
  return sealer.seal('import_drafts.sealed_preview', JSON.stringify(stored))
}

/** Returns undefined if the draft has no preview or the preview belongs to another table. */
function openPreview(
  sealer: Sealer,
  row: { readonly sealed_preview: string | null; readonly table_id: string },
): Preview | undefined {
  if (row.sealed_preview === null) return undefined
  const { tableId, ...preview }: StoredPreview = JSON.parse(sealer.open(row.sealed_preview))
  return tableId === row.table_id ? preview : undefined
}

function asRead<T>(value: unknown): T
function asRead(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}

type Trial = Pick<Draft, 'mapping' | 'timeZone'> & {
  readonly table: Table
  readonly isChanged: boolean
  readonly report: ImportReport
}

/**
 * Stores the result of a trial, and returns the draft's revision. Stores nothing and returns undefined if the draft was
 * changed or imported after it was read.
 */
export async function saveTrial(
  { dependencies }: PersonPageContext,
  draft: Draft,
  { table, isChanged, mapping, timeZone, report }: Trial,
): Promise<number | undefined> {
  const { database, sealer } = dependencies
  const shown = shownOf(report)
  const preview = previewOf(table, shown)
  const isSame =
    !isChanged &&
    isDeepStrictEqual([draft.preview, draft.mapping, draft.timeZone, draft.report], [preview, mapping, timeZone, shown])
  const revision = isSame ? draft.revision : draft.revision + 1
  const sealedTable = isChanged ? sealer.seal('import_drafts.sealed_table', JSON.stringify(table)) : undefined
  const { numUpdatedRows } = await database.kysely
    .updateTable('import_drafts')
    .set({
      ...{ revision, mapping: JSON.stringify(mapping), report: JSON.stringify(shown) },
      time_zone: timeZone,
      ...(sealedTable !== undefined && { sealed_table: sealedTable }),
      sealed_preview: sealPreview(sealer, sealedTable ?? draft.tableId, preview),
    })
    .where('id', '=', draft.id)
    .where('revision', '=', draft.revision)
    .where('ran_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? revision : undefined
}

/** Marks a draft as imported. Returns false if the draft was changed or imported after it was read. */
export async function claimRun({ kysely }: Handle, { id, revision }: Draft, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('import_drafts')
    .set({ ran_at: now })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('ran_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function recordRun(
  { kysely }: Handle,
  { id }: Draft,
  { report, made }: { readonly report: ImportReport; readonly made: readonly Made[] },
): Promise<void> {
  await kysely
    .updateTable('import_drafts')
    .set({ report: JSON.stringify(report), made: JSON.stringify(made) })
    .where('id', '=', id)
    .execute()
}

/** If a process dies while it undoes an import, another attempt can begin after this time. */
const UNDO_LEASE = `interval '10 minutes'`

/** Leases the right to undo an import. Returns false if the import was undone or another request holds the lease. */
export async function leaseUndo({ dependencies }: PersonPageContext, { id }: Draft): Promise<boolean> {
  const { numUpdatedRows } = await dependencies.database.kysely
    .updateTable('import_drafts')
    .set({ undo_leased_until: sql`clock_timestamp() + ${sql.raw(UNDO_LEASE)}` })
    .where('id', '=', id)
    .where('ran_at', 'is not', null)
    .where('undone_at', 'is', null)
    .where(sql<boolean>`${sql.raw(isLeaseOver('undo_leased_until', UNDO_LEASE))}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks the import as undone at `undoneAt`, or leaves it imported if `undoneAt` is null. */
export async function endUndo(
  { dependencies }: PersonPageContext,
  { id }: Draft,
  undoneAt: Date | null,
): Promise<void> {
  await dependencies.database.kysely
    .updateTable('import_drafts')
    .set({ undo_leased_until: null, undone_at: undoneAt })
    .where('id', '=', id)
    .execute()
}
