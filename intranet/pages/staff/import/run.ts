import { Readable } from 'node:stream'
import type { Handle } from '@campus/engine/database/database'
import { Semaphore } from '@campus/engine/database/semaphore'
import { currentPerson, runForEveryone } from '@campus/engine/database/turns'
import { HttpError, unprocessable } from '@campus/engine/errors'
import { quote } from '@campus/engine/rest/declare/identifiers'
import type { ImportOptions, ImportReport } from '@campus/engine/rest/import/import-file'
import { UnreadableFile } from '@campus/engine/rest/import/row'
import type { Table } from '@campus/engine/rest/import/table'
import { say } from '../../html.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { staffCaller } from '../records/caller.ts'
import { type Routed, recordRoute } from '../records/resource.ts'
import { claimRun, type Draft, type Made, recordRun } from './drafts.ts'

/** Limits each process to one trial or import, since each holds a table in memory and a write connection for seconds. */
const importTurns = new Semaphore({ permits: 1, maxWaiting: 10, milliseconds: 30_000 })

/** Throws DatabaseBusy after a long wait. */
export async function inImportTurn<T>(work: () => Promise<T>): Promise<T> {
  await importTurns.acquire(currentPerson())
  try {
    // Other people wait for this work, so it must not wait behind this person's other queries.
    return await runForEveryone(work)
  } finally {
    importTurns.release()
  }
}

type Importing = Pick<Draft, 'mapping' | 'timeZone'> & { readonly table: Table }

/** Imports a table and rolls the import back. Throws 403, and 422 for a fault that concerns no single row. */
export const tryDraft = async (
  context: PersonPageContext,
  resource: Routed,
  importing: Importing,
): Promise<ImportReport> =>
  importTable(context, resource, importing, { isTrial: true, caller: await staffCaller(context) })

/**
 * Imports a draft, and marks it as imported in the same transaction. Returns undefined if the draft was changed or
 * imported after it was read. Throws like `tryDraft`.
 */
export async function runDraft(
  context: PersonPageContext,
  resource: Routed,
  draft: Draft,
  table: Table,
): Promise<ImportReport | undefined> {
  const caller = await staffCaller(context)
  const now = context.dependencies.clock.now()
  const unclaimed = new Error('the draft was changed or imported meanwhile')
  let created: number[] = []
  return importTable(
    context,
    resource,
    { table, mapping: draft.mapping, timeZone: draft.timeZone },
    {
      caller: {
        ...caller,
        async onWrite(tx, written) {
          if (written.action === 'create') created.push(written.id)
          await caller.onWrite?.(tx, written)
        },
      },
      async onBegin(tx) {
        created = []
        if (!(await claimRun(tx, draft, now))) throw unclaimed
      },
      async onEnd(tx, report) {
        await recordRun(tx, draft, { report, made: await madeOf(tx, resource, created) })
      },
    },
  ).catch((error) => {
    if (error !== unclaimed) throw error
    return undefined
  })
}

async function importTable(
  { dependencies }: PersonPageContext,
  resource: Routed,
  { table, mapping, timeZone }: Importing,
  options: Pick<ImportOptions, 'caller' | 'isTrial' | 'onBegin' | 'onEnd'>,
): Promise<ImportReport> {
  const { importFile, staging } = dependencies
  const file = await staging.receive(Readable.from(linesOf(table)), Number.POSITIVE_INFINITY)
  if (!file) throw new Error('a table without a size limit was not staged')
  try {
    return await importFile({
      ...{ resource: resource.name, file: file.path, format: 'ndjson', mapping, timeZone, takes: 'all or nothing' },
      ...options,
    })
  } catch (error) {
    if (error instanceof UnreadableFile) throw unprocessable({ mapping: [error.text] })
    throw error
  } finally {
    await staging.drop(file.path)
  }
}

function* linesOf({ columns, rows }: Table): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(cellsOf(columns, row))}\n`
}

/** An empty cell is null. */
const cellsOf = (columns: readonly string[], row: readonly string[]) =>
  Object.fromEntries(columns.map((name, at) => [name, row[at] === '' ? null : (row[at] ?? null)]))

type Rows = Pick<Handle, 'rows'>

/** Skips records that no longer exist. */
async function madeOf({ rows }: Rows, resource: Routed, ids: readonly number[]): Promise<readonly Made[]> {
  const found = await rows(
    `select id, ${hasTimes(resource) ? 'updated_at' : 'null'}::text from ${quote(resource.table)} where id = any($1::int[]) order by id`,
    [[...ids]],
  )
  return found.map(([id, updatedAt]) => ({ id: Number(id), updatedAt: String(updatedAt) }))
}

const hasTimes = (resource: Routed) => resource.stored('updated_at') !== undefined

/** `touched` counts records that somebody changed, `refused` has the reasons of refused deletions. */
export type Undone = { readonly deleted: number; readonly touched: number; readonly refused: readonly string[] }

/** Deletes the unchanged records through the API, the newest first. Skips records that no longer exist. */
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
    if (!now.has(id)) continue
    if (now.get(id) !== updatedAt) {
      touched += 1
      continue
    }
    try {
      await api.ask(caller, { method: 'DELETE', path: recordRoute(resource), params: { id } })
      deleted += 1
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      refused.push(say('{name}: {value}', { name: id, value: error.message }))
    }
  }
  return { deleted, touched, refused }
}
