import { Readable } from 'node:stream'
import { verbatim } from '../../../base/languages/say.ts'
import { HttpError, unprocessable } from '../../../errors.ts'
import { quote } from '../../../rest/declare/identifiers.ts'
import type { ImportReport } from '../../../rest/import/import-file.ts'
import { UnreadableFile } from '../../../rest/import/row.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { staffCaller } from '../records/caller.ts'
import { type Routed, recordRoute } from '../records/resource.ts'
import type { Draft, Made } from './drafts.ts'

/** What an import came to, and the records that it made. */
type Run = { readonly report: ImportReport; readonly isCommitted: boolean; readonly made: readonly Made[] }

/** Imports a draft with the rights of the person, or tries to and takes everything back. Throws 403, and 422 for what is no matter of single rows. */
export async function runDraft(
  context: PersonPageContext,
  resource: Routed,
  { table, mapping }: Pick<Draft, 'table' | 'mapping'>,
  { isTrial }: { readonly isTrial: boolean },
): Promise<Run> {
  const { database, importFile, staging } = context.dependencies
  const caller = await staffCaller(context)
  const created: number[] = []
  const lines = table.rows.map((row) => `${JSON.stringify(cellsOf(table.columns, row))}\n`)
  const file = await staging.receive(Readable.from(lines), Number.POSITIVE_INFINITY)
  if (!file) throw new Error('a table of our own cannot be staged')
  try {
    const report = await importFile({
      ...{ resource: resource.name, file: file.path, format: 'ndjson', mapping, takes: 'all or nothing', isTrial },
      caller: {
        ...caller,
        async onWrite(tx, written) {
          if (written.action === 'create') created.push(written.id)
          await caller.onWrite?.(tx, written)
        },
      },
    })
    const isCommitted = !isTrial && report.faulty === 0
    return { report, isCommitted, made: isCommitted ? await madeOf(database, resource, created) : [] }
  } catch (error) {
    if (error instanceof UnreadableFile) throw unprocessable({ mapping: [verbatim(error.message)] })
    throw error
  } finally {
    await staging.drop(file.path)
  }
}

/** An empty cell is null. */
const cellsOf = (columns: readonly string[], row: readonly string[]) =>
  Object.fromEntries(columns.map((name, at) => [name, row[at] === '' ? null : (row[at] ?? null)]))

type Rows = Pick<PersonPageContext['dependencies']['database'], 'rows'>

/** The records with when they were written; none of those that are gone. */
async function madeOf({ rows }: Rows, resource: Routed, ids: readonly number[]): Promise<readonly Made[]> {
  const found = await rows(
    `select id, ${hasTimes(resource) ? 'updated_at' : 'null'}::text from ${quote(resource.table)} where id = any($1::int[]) order by id`,
    [[...ids]],
  )
  return found.map(([id, updatedAt]) => ({ id: Number(id), updatedAt: String(updatedAt) }))
}

const hasTimes = (resource: Routed) => resource.stored('updated_at') !== undefined

/** What became of each record that an import had made. */
export type Undone = { readonly deleted: number; readonly touched: number; readonly refused: readonly string[] }

/** Deletes what an import made and nobody has touched since, by the API's own route, the last first. */
export async function undoDraft(context: PersonPageContext, resource: Routed, made: readonly Made[]): Promise<Undone> {
  const { database, api } = context.dependencies
  const caller = await staffCaller(context)
  const present = await madeOf(
    database,
    resource,
    made.map(({ id }) => id),
  )
  const now = new Map(present.map(({ id, updatedAt }) => [id, updatedAt]))
  let [deleted, touched] = [0, 0]
  const refused: string[] = []
  for (const { id, updatedAt } of made.toReversed()) {
    if (now.get(id) !== updatedAt) {
      touched += 1
      continue
    }
    try {
      await api.ask(caller, { method: 'DELETE', path: recordRoute(resource), params: { id } })
      deleted += 1
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      refused.push(`${id}: ${error.message}`)
    }
  }
  return { deleted, touched, refused }
}
