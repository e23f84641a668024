import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { defined } from '@campus/engine/base/defined'
import type { BulkConnection, Rows } from '@campus/engine/database/bulk-connection'
import { recountAll } from '@campus/engine/database/bulk-work'
import { identifier } from '@campus/engine/database/literal'
import { findTables } from './contents.ts'
import { copiedLines } from './copy-text.ts'
import { type ArchivedTable, ArchiveError } from './format.ts'
import { endsLine, wholeLines } from './lines.ts'

const INDEXES = `select i.indexrelid::regclass, pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and c.relname = any($1)
    and not exists (select from pg_constraint where conindid = i.indexrelid) order by i.indexrelid`
const FOREIGN_KEYS = `select conrelid::regclass, format('%I', conname), pg_get_constraintdef(k.oid)
  from pg_constraint k join pg_class c on c.oid = conrelid
  where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and contype = 'f' order by k.oid`
const DISABLED_TRIGGERS = `select tgrelid::regclass, format('%I', tgname) from pg_trigger where not tgisinternal and tgenabled = 'D'`

/** Empties tables, drops their foreign keys and indexes, and disables their triggers. Returns a function that creates keys and indexes again. */
export async function prepareTables(rows: Rows, names: readonly string[]): Promise<() => Promise<void>> {
  const [indexes, keys] = [await rows(INDEXES, [names]), await rows(FOREIGN_KEYS, [names])]
  for (const [table, name] of keys) await rows(`alter table ${table} drop constraint ${name}`)
  for (const [name] of indexes) await rows(`drop index ${name}`)
  for (const name of names) await rows(`alter table ${identifier(name)} disable trigger user`)
  await rows(`truncate ${names.map(identifier).join(', ')}`)
  return async () => {
    for (const [, definition] of indexes) await rows(String(definition))
    for (const [table, name, definition] of keys)
      await rows(`alter table ${table} add constraint ${name} ${definition}`)
  }
}

/** Enables the triggers again, and recounts the rows that were loaded without them. */
export async function resumeTriggers(rows: Rows): Promise<void> {
  for (const [table, name] of await rows(DISABLED_TRIGGERS)) await rows(`alter table ${table} enable trigger ${name}`)
  await recountAll(rows)
}

/** A table that is in both the archive and the database. */
export type MatchedTable = {
  /** Columns in the order of the archive. */
  readonly columns: readonly string[]
  /** Columns that the database does not have. */
  readonly missing: readonly string[]
}

/** Returns the tables that are in both the archive and the database, by name. */
export async function matchTables(
  rows: Rows,
  archived: readonly ArchivedTable[],
): Promise<ReadonlyMap<string, MatchedTable>> {
  const found = new Map(
    (await findTables(rows)).map(({ name, columns }) => [name, columns.map((column) => column.name)]),
  )
  const matched = new Map<string, MatchedTable>()
  for (const { name, columns: all } of archived) {
    const own = found.get(name)
    const columns = all.map((column) => column.name)
    if (own) matched.set(name, { columns, missing: columns.filter((column) => !own.includes(column)) })
  }
  return matched
}

/** Changes a row before it is stored. */
export type Change = (row: (string | null)[]) => void

type Target = MatchedTable & {
  readonly table: string
  readonly change: Change | undefined
}

/** Stores lines of JSON, each an array of values, in a table. Throws ArchiveError if a line is not valid. */
export async function loadRows(
  connection: BulkConnection,
  { table, columns, missing, change }: Target,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const stored = columns.filter((column) => !missing.includes(column))
  const sink = connection.copyIn(
    `copy ${identifier(table)} (${stored.map(identifier).join(', ')}) from stdin (encoding 'utf8')`,
  )
  const ended = finished(sink)
  let refusal: unknown
  ended.catch((error) => {
    refusal = error
  })
  try {
    for await (const lines of wholeLines(content)) {
      if (refusal) break
      if (!endsLine(lines)) throw new ArchiveError('It is damaged: a line of it is not whole.')
      const isCopied = !change && missing.length === 0
      const copied = isCopied ? copiedLines(lines, columns.length) : undefined
      const text = copied ?? copyText(lines.toString(), { columns, missing, change })
      if (!sink.write(text)) await Promise.race([once(sink, 'drain'), ended])
    }
    if (!refusal) sink.end()
    await ended
  } catch (error) {
    sink.destroy()
    // The sink reports the reason once. Each later write fails with another error.
    throw refusal ?? error
  }
}

/** Calls `take` with each row of lines of JSON, and stores nothing. Skips lines that are no row, which a restore reports. */
export async function readRows(content: AsyncIterable<Buffer>, take: Change): Promise<void> {
  for await (const lines of wholeLines(content))
    for (const line of lines.toString().split('\n')) {
      const row = readRow(line)
      if (row) take(row)
    }
}

/** Returns the COPY text of lines of any JSON, with changes. Slower than `copiedLines`. */
function copyText(lines: string, { columns, missing, change }: Omit<Target, 'table'>): string {
  const isStored = columns.map((column) => !missing.includes(column))
  let text = ''
  for (const line of lines.split('\n')) {
    if (line === '') continue
    const row = readRow(line)
    if (row?.length !== columns.length) throw new ArchiveError('It is damaged: a row of it is none.')
    change?.(row)
    text += `${row
      .filter((_, at) => isStored[at])
      .map(copyValue)
      .join('\t')}\n`
  }
  return text
}

/** Returns undefined unless the line is an array of texts and nulls. */
function readRow(line: string): (string | null)[] | undefined {
  try {
    const row: unknown = JSON.parse(line)
    const isRow = Array.isArray(row) && row.every((value) => value === null || typeof value === 'string')
    return isRow ? row : undefined
  } catch {
    return undefined
  }
}

const SPECIAL = /[\\\n\r\t]/g
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function copyValue(value: string | null): string {
  if (value === null) return '\\N'
  return value.replace(SPECIAL, (character) => defined(ESCAPED[character]))
}
