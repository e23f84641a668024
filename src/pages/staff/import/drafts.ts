import { sql } from 'kysely'
import { isRecord } from '../../../base/narrow.ts'
import type { Handle } from '../../../database/database.ts'
import { notFound } from '../../../errors.ts'
import type { ImportReport } from '../../../rest/import/import-file.ts'
import type { Mapping } from '../../../rest/import/mapping.ts'
import type { Table } from '../../../rest/import/table.ts'
import type { PersonPageContext } from '../../page-context.ts'

/** A new record of an import, and when it was written: another time means that somebody has changed it since. */
export type Made = { readonly id: number; readonly updatedAt: string }

/** A table that somebody is about to import, or has imported. */
export type Draft = {
  readonly id: string
  readonly resource: string
  readonly name: string
  readonly table: Table
  readonly mapping: Mapping
  readonly report: ImportReport | undefined
  readonly made: readonly Made[]
  readonly ranAt: Date | null
  readonly undoneAt: Date | null
}

type New = Pick<Draft, 'resource' | 'name' | 'mapping'> & {
  /** The table as JSON. */
  readonly table: Uint8Array
}

/** Maximum number of drafts of a user. */
const MAX_DRAFTS = 20

/** Stores a draft, and returns its id. Deletes the oldest drafts above the limit, those that were not imported first. */
export async function createDraft(
  { person, session, dependencies }: PersonPageContext,
  { resource, name, table, mapping }: New,
): Promise<string> {
  const { database, sealer, clock } = dependencies
  return database.transaction(async (tx) => {
    // Concurrent uploads wait here, so that all of them are counted.
    await tx.kysely.selectFrom('users').select('id').where('id', '=', person.id).forNoKeyUpdate().execute()
    await tx.kysely.deleteFrom('import_drafts').where('id', 'in', excessOf(tx, person.id)).execute()
    const { id } = await tx.kysely
      .insertInto('import_drafts')
      .values({
        ...{ user_id: person.id, session_id: session.id, resource, name, created_at: clock.now() },
        ...{ sealed_table: sealer.seal(table), mapping: JSON.stringify(mapping) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** Selects the drafts that must go before another is stored. */
const excessOf = ({ kysely }: Handle, userId: number) =>
  kysely
    .selectFrom('import_drafts')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy(sql`ran_at is null`)
    .orderBy('created_at', 'desc')
    .offset(MAX_DRAFTS - 1)

/**
 * Finds a draft of the person. Until it is imported, only the session that uploaded the table may see and change it. Throws
 * 404.
 */
export async function findDraft(context: PersonPageContext): Promise<Draft> {
  const { database, sealer } = context.dependencies
  const id = context.params.id ?? ''
  const row = /^[0-9a-f-]{36}$/.test(id)
    ? await database.kysely
        .selectFrom('import_drafts')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', '=', context.person.id)
        .where(({ eb, or }) => or([eb('session_id', '=', context.session.id), eb('ran_at', 'is not', null)]))
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('There is no such import of yours.')
  const { resource, name, mapping, report, made, ran_at: ranAt, undone_at: undoneAt } = row
  return {
    ...{ id, resource, name, ranAt, undoneAt },
    table: JSON.parse(sealer.open(row.sealed_table)),
    mapping: asRead<Mapping>(mapping),
    report: report === null ? undefined : asRead<ImportReport>(report),
    made: made === null ? [] : asRead<readonly Made[]>(made),
  }
}

/** JSON that this page wrote. */
function asRead<T>(value: unknown): T
function asRead(value: unknown): unknown {
  return typeof value === 'string' && !isRecord(value) ? JSON.parse(value) : value
}

type Changes = Partial<Pick<Draft, 'table' | 'mapping' | 'report' | 'made' | 'ranAt' | 'undoneAt'>>

/** Changes a draft. */
export async function updateDraft(context: PersonPageContext, id: string, changes: Changes): Promise<void> {
  const { database, sealer } = context.dependencies
  const { table, mapping, report, made, ranAt, undoneAt } = changes
  await database.kysely
    .updateTable('import_drafts')
    .set({
      ...(table && { sealed_table: sealer.seal(JSON.stringify(table)) }),
      ...(mapping && { mapping: JSON.stringify(mapping) }),
      ...('report' in changes && { report: report === undefined ? null : JSON.stringify(report) }),
      ...(made && { made: JSON.stringify(made) }),
      ...(ranAt && { ran_at: ranAt }),
      ...(undoneAt && { undone_at: undoneAt }),
    })
    .where('id', '=', id)
    .execute()
}
