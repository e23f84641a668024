import { codeOf, toError } from '@campus/engine/base/caught'
import type { Handle } from '@campus/engine/database/database'
import { inSavepoint } from '@campus/engine/database/savepoint'
import { type RawBuilder, sql } from 'kysely'
import type { Problem } from './stage.ts'
import type { Reference, TableShape } from './table-shapes.ts'

export type Row = { readonly id: number; readonly columns: Readonly<Record<string, unknown>> }

const BATCH = 500

type Written = {
  readonly written: number
  readonly problems: readonly Problem[]
  /** Rows that violate a unique constraint, since another row still has one of their values. */
  readonly conflicts: readonly Conflict[]
  /** References to rows that are written later. */
  readonly later: readonly Row[]
}

export type Conflict = { readonly row: Row; readonly reason: string }

export const problemsOf = (conflicts: readonly Conflict[]): readonly Problem[] =>
  conflicts.map(({ row: { id }, reason }) => ({ id, reason }))

export type Writing = {
  readonly table: string
  readonly shape: TableShape
  /** Tables that are written later. References to them that may be null are set last. */
  readonly comeLater: ReadonlySet<string>
  /** Returns the problem of a reference to a missing row, or undefined if that is expected. */
  readonly missing: (reference: Reference, id: unknown) => string | undefined
}

/** Inserts or changes rows by their ids, and reports the rows that the database refused. */
export async function writeRows(tx: Handle, rows: readonly Row[], writing: Writing): Promise<Written> {
  const problems: Problem[] = []
  const conflicts: Conflict[] = []
  const later: Row[] = []
  let written = 0
  for (let at = 0; at < rows.length; at += BATCH) {
    const some = await resolveReferences(tx, rows.slice(at, at + BATCH), writing, { problems, later })
    const known = await presentIds(tx, writing.table, idsOf(some))
    const whole = some.filter((row) => known.has(row.id) || !isLinkAlone(row, writing.shape))
    for (const group of alike(whole, ({ id }) => known.has(id))) {
      const statement = known.has(group[0]?.id ?? 0) ? updateStatement : insertStatement
      const columns = Object.keys(group[0]?.columns ?? {})
      const outcome = await writeGroup(tx, group, (sent) => statement(writing, columns, sent))
      written += outcome.written
      problems.push(...outcome.problems)
      conflicts.push(...outcome.conflicts)
    }
  }
  return { written, problems, conflicts, later }
}

/** Reports whether only the parent of a row is known, which is not enough for a new row. */
function isLinkAlone({ columns }: Row, { references }: TableShape): boolean {
  const names = Object.keys(columns)
  return names.every((name) => references.some(({ column }) => column === name)) && names.length < 2
}

/** Groups rows that one statement can write. */
function alike(rows: readonly Row[], isKnown: (row: Row) => boolean): readonly (readonly Row[])[] {
  return [...Map.groupBy(rows, (row) => `${isKnown(row)} ${Object.keys(row.columns).sort().join(' ')}`).values()]
}

type Statement = (writing: Writing, columns: readonly string[], rows: string) => RawBuilder<unknown>

const list = (of: 'r' | 't', columns: readonly string[]) => sql.join(columns.map((column) => sql.id(of, column)))

const given = (table: string, rows: string) => sql`jsonb_populate_recordset(null::${sql.id(table)}, ${rows}::jsonb) r`

const insertStatement: Statement = ({ table }, columns, rows) => {
  const names = ['id', ...columns]
  return sql`insert into ${sql.id(table)} (${sql.join(names.map((name) => sql.id(name)))})
    select ${list('r', names)} from ${given(table, rows)} order by r.id returning 1`
}

/** Changes only rows with other values. */
const updateStatement: Statement = ({ table }, columns, rows) =>
  columns.length === 0
    ? sql`select 1 where false`
    : sql`update ${sql.id(table)} t set ${sql.join(columns.map((name) => sql`${sql.id(name)} = ${sql.id('r', name)}`))}
       from ${given(table, rows)}
       where t.id = r.id and (${list('t', columns)}) is distinct from (${list('r', columns)}) returning 1`

/** Writes all rows at once, or one by one if the database refuses one. */
async function writeGroup(
  tx: Handle,
  rows: readonly Row[],
  statement: (rows: string) => RawBuilder<unknown>,
): Promise<Omit<Written, 'later'>> {
  const problems: Problem[] = []
  const conflicts: Conflict[] = []
  let written = 0
  const write = (some: readonly Row[]) =>
    refusalOf(tx, async () => {
      const sent = JSON.stringify(some.map(({ id, columns }) => ({ ...columns, id })))
      const { rows: changed } = await statement(sent).execute(tx.kysely)
      written += changed.length
    })
  if ((await write(rows)) === undefined) return { written, problems, conflicts }
  for (const row of rows) {
    const refusal = await write([row])
    if (refusal?.code === UNIQUE_VIOLATION) conflicts.push({ row, reason: refusal.message })
    else if (refusal) problems.push({ id: row.id, reason: refusal.message })
  }
  return { written, problems, conflicts }
}

const UNIQUE_VIOLATION = '23505'
/** Maximum number of attempts. Each reverses the order of rows, so two resolve values that moved from row to row. */
const ROUNDS = 4

/** Writes rows again after unique violations: first one by one, then all at once, since rows may have exchanged values. */
export async function writeConflicts(
  tx: Handle,
  conflicts: readonly Conflict[],
  writing: Writing,
): Promise<Pick<Written, 'written' | 'problems'>> {
  const problems: Problem[] = []
  let written = 0
  let left = conflicts
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    const outcome = await writeRows(tx, left.map(({ row }) => row).toReversed(), writing)
    written += outcome.written
    problems.push(...outcome.problems)
    left = outcome.conflicts
  }
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    const outcome = await exchange(tx, left, writing)
    written += outcome.written
    if (outcome.refused.size === 0) return { written, problems }
    problems.push(...problemsOf(left.filter(({ row }) => outcome.refused.has(row.id))))
    left = left.filter(({ row }) => !outcome.refused.has(row.id))
  }
  return { written, problems: [...problems, ...problemsOf(left)] }
}

/** Rolls back the savepoint of an exchange in which rows were refused. */
class Refused extends Error {
  readonly ids: ReadonlySet<number>

  constructor(ids: ReadonlySet<number>) {
    super()
    this.ids = ids
  }
}

/** Writes rows that have each other's unique texts, all or none. Returns the ids of the rows that were refused. */
async function exchange(tx: Handle, conflicts: readonly Conflict[], writing: Writing) {
  const { table } = writing
  const rows = conflicts.map(({ row }) => row)
  const ids = idsOf(rows)
  const unique = await uniqueTexts(tx, table)
  const columns = unique.filter((column) => rows.every((row) => row.columns[column] !== undefined))
  if (columns.length === 0) return { written: 0, refused: new Set(ids) }
  try {
    return await inSavepoint(tx, async () => {
      const away = sql.join(columns.map((column) => sql`${sql.id(column)} = 'moving-' || id`))
      await sql`update ${sql.id(table)} set ${away} where id = any(${ids}::int[])`.execute(tx.kysely)
      const outcome = await writeRows(tx, rows, writing)
      const refused = new Set([...idsOf(outcome.problems), ...outcome.conflicts.map(({ row }) => row.id)])
      if (refused.size > 0) throw new Refused(refused)
      return { written: outcome.written, refused }
    })
  } catch (error) {
    if (error instanceof Refused) return { written: 0, refused: error.ids }
    if (REFUSED.test(codeOf(error))) return { written: 0, refused: new Set(ids) }
    throw error
  }
}

/** Returns the text columns of unique indexes, including columns within expressions. */
async function uniqueTexts(tx: Handle, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ column: string }>`
    select distinct a.attname as column from pg_index i join pg_attribute a on a.attrelid = i.indrelid
    where i.indrelid = ${table}::regclass and i.indisunique and a.attnum > 0 and a.atttypid = 'text'::regtype
      and a.attgenerated = '' and (a.attnum = any(i.indkey) or exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
          and d.refobjid = i.indrelid and d.refobjsubid = a.attnum))`.execute(tx.kysely)
  return rows.map(({ column }) => column)
}

/** Runs a statement in a savepoint. Returns the reason if the database refused its values. */
export const reasonOfRefusal = async (tx: Handle, work: () => Promise<unknown>): Promise<string | undefined> =>
  (await refusalOf(tx, work))?.message

async function refusalOf(tx: Handle, work: () => Promise<unknown>) {
  try {
    await inSavepoint(tx, work)
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (!REFUSED.test(code)) throw error
    return { code, message: toError(error).message }
  }
}

/** SQLSTATE classes of invalid values and violated constraints. */
const REFUSED = /^2[23]/

/** Sets references to missing rows to null where that is allowed, and leaves out the other rows that have one. */
async function resolveReferences(
  tx: Handle,
  rows: readonly Row[],
  { shape, comeLater, missing }: Writing,
  { problems, later }: { readonly problems: Problem[]; readonly later: Row[] },
): Promise<readonly Row[]> {
  let settled = rows.map(({ id, columns }) => ({ id, columns: writable(columns, shape) }))
  for (const reference of shape.references) {
    const { column, to } = reference
    const isRequired = shape.required.has(column)
    if (comeLater.has(to) && !isRequired) {
      settled = settled.map((row) => {
        if (row.columns[column] == null) return row
        later.push({ id: row.id, columns: { [column]: row.columns[column] } })
        const { [column]: _, ...columns } = row.columns
        return { ...row, columns }
      })
      continue
    }
    const present = await presentIds(
      tx,
      to,
      settled.map(({ columns }) => columns[column]),
    )
    settled = settled.flatMap((row) => {
      const id = row.columns[column]
      if (id == null || present.has(Number(id))) return [row]
      const reason = missing(reference, id)
      if (reason !== undefined) problems.push({ id: row.id, reason })
      return isRequired ? [] : [{ ...row, columns: { ...row.columns, [column]: null } }]
    })
  }
  return settled
}

const writable = (columns: Row['columns'], shape: TableShape) =>
  Object.fromEntries(
    Object.entries(columns).filter(
      // A column that must not be null uses its default.
      ([column, value]) => shape.columns.has(column) && !(value === null && shape.required.has(column)),
    ),
  )

export const idsOf = (rows: readonly { readonly id: number }[]): readonly number[] => rows.map(({ id }) => id)

/** Returns the ids of existing rows. */
export async function presentIds(tx: Handle, table: string, ids: readonly unknown[]): Promise<ReadonlySet<number>> {
  const distinct = [...new Set(ids.filter((id) => typeof id === 'number'))]
  if (distinct.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.id(table)} where id in (select jsonb_array_elements(${JSON.stringify(distinct)}::jsonb)::integer)`.execute(
    tx.kysely,
  )
  return new Set(rows.map(({ id }) => id))
}
