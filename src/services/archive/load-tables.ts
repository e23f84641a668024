import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { defined } from '../../base/defined.ts'
import type { BulkConnection, Rows } from '../../database/bulk-connection.ts'
import { recountAll } from '../../database/bulk-work.ts'
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

/**
 * Empties the tables, and removes their foreign keys and indexes and disables their triggers. Gives the function that
 * restores them.
 */
export async function prepareTables(rows: Rows, names: readonly string[]): Promise<() => Promise<void>> {
  const [indexes, keys] = [await rows(INDEXES, [names]), await rows(FOREIGN_KEYS, [names])]
  for (const [table, name] of keys) await rows(`alter table ${table} drop constraint ${name}`)
  for (const [name] of indexes) await rows(`drop index ${name}`)
  for (const name of names) await rows(`alter table "${name}" disable trigger user`)
  await rows(`truncate ${names.map((name) => `"${name}"`).join(', ')}`)
  return async () => {
    for (const [, definition] of indexes) await rows(String(definition))
    for (const [table, name, definition] of keys)
      await rows(`alter table ${table} add constraint ${name} ${definition}`)
  }
}

/** Lets triggers run again, and counts what they would have counted. */
export async function resumeTriggers(rows: Rows): Promise<void> {
  for (const [table, name] of await rows(DISABLED_TRIGGERS)) await rows(`alter table ${table} enable trigger ${name}`)
  await recountAll(rows)
}

/** Which of the tables the database has, each with all columns. Throws ArchiveError where one lacks a column. */
export async function matchTables(
  rows: Rows,
  archived: readonly ArchivedTable[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map(
    (await findTables(rows)).map(({ name, columns }) => [name, columns.map((column) => column.name)]),
  )
  const matched = new Map<string, readonly string[]>()
  for (const { name, columns } of archived) {
    const own = found.get(name)
    const names = columns.map((column) => column.name)
    const missing = own && names.find((column) => !own.includes(column))
    if (missing) throw new ArchiveError(`It has a column that ${name} lacks here: ${missing}.`)
    if (own) matched.set(name, names)
  }
  return matched
}

/** Changes a row before it is stored. */
export type Change = (row: (string | null)[]) => void

type Target = {
  readonly table: string
  readonly columns: readonly string[]
  /** Undefined where rows are stored as they are. */
  readonly change: Change | undefined
}

/** Puts lines of JSON, each an array of the columns' values, into a table. Throws ArchiveError where a line is none. */
export async function loadRows(
  connection: BulkConnection,
  { table, columns, change }: Target,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const names = columns.map((column) => `"${column}"`).join(', ')
  const sink = connection.copyIn(`copy "${table}" (${names}) from stdin (encoding 'utf8')`)
  const stored = finished(sink)
  stored.catch(() => {}) // It is heard below, or what failed before it.
  try {
    for await (const lines of wholeLines(content)) {
      if (!endsLine(lines)) throw new ArchiveError('It is damaged: a line of it is not whole.')
      const copied = change ? undefined : copiedLines(lines, columns.length)
      const text = copied ?? copyText(lines.toString(), columns.length, change)
      if (!sink.write(text)) await Promise.race([once(sink, 'drain'), stored])
    }
    sink.end()
    await stored
  } catch (error) {
    sink.destroy()
    throw error
  }
}

/** The same of whatever JSON it is, and with changes; slower. */
function copyText(lines: string, width: number, change: Change = () => {}): string {
  let text = ''
  for (const line of lines.split('\n')) {
    if (line === '') continue
    const row = readRow(line)
    if (row?.length !== width) throw new ArchiveError('It is damaged: a row of it is none.')
    change(row)
    text += `${row.map(copyValue).join('\t')}\n`
  }
  return text
}

/** Undefined where the line is none of texts and nulls. */
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
