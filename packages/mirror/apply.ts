import type { Database, Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { deleteGone } from './delete-rows.ts'
import { type HiddenFlag, resetFlag } from './hidden-flags.ts'
import { type AssignedPlaces, assignPlaces, keepOrder } from './places.ts'
import * as staging from './stage.ts'
import { inOrder, readShapes, type TableShape } from './table-shapes.ts'
import {
  type Conflict,
  idsOf,
  presentIds,
  problemsOf,
  type Row,
  reasonOfRefusal,
  type Writing,
  writeConflicts,
  writeRows,
} from './write-rows.ts'

type Options = {
  /** Whether the copy is of one campus, so that references to other rows are missing. */
  readonly isNarrowed: boolean
  /** Resources by table. Reports name them. */
  readonly listed: ReadonlyMap<string, string>
  /** Tables that are not copied. */
  readonly unmirrored: ReadonlySet<string>
  /** Hidden flags of the lists that were read, and whether the source lists records by them. */
  readonly flags: readonly { readonly flag: HiddenFlag; readonly isListed: boolean }[]
}

/** Numbers of changed rows, and the events and exams whose places the copy assigned. */
export type Applied = {
  readonly written: number
  readonly deleted: number
  readonly assigned: readonly AssignedPlaces[]
}

const CHUNK = 5000
/** Maximum number of rows of a table that are tried again after a unique violation. */
const MAX_CONFLICTS = 5000

/** Writes all staged rows in one transaction, without webhooks and journals. Records refused rows in `mirror_problems`. */
export async function applyStaged(database: Database, options: Options): Promise<Applied> {
  return database.transaction(async (tx) => {
    await sql`select set_config('campus.webhooks', 'off', true), set_config('campus.journals', 'off', true)`.execute(
      tx.kysely,
    )
    const shapes = await readShapes(tx)
    const tables = await stagedTables(tx)
    const order = inOrder(shapes, tables)
    const deleteAll = () => deleteGone(tx, order.toReversed(), { shapes, listed: options.listed })
    let deleted = await deleteAll()
    let written = 0
    const addProblems = (table: string, problems: readonly staging.Problem[]) =>
      staging.addProblems(tx, options.listed.get(table) ?? table, problems)
    const later: { readonly writing: Writing; readonly rows: readonly Row[] }[] = []
    for (const [at, table] of order.entries()) {
      const shape = shapes.get(table)
      if (!shape?.hasId) continue
      const writing = { table, shape, comeLater: new Set(order.slice(at)), missing: missingOf(options, shape) }
      const conflicts: Conflict[] = []
      for (let after = 0; ; ) {
        const rows = await stagedRows(tx, table, after)
        if (rows.length === 0) break
        after = rows.at(-1)?.id ?? after
        const outcome = await writeRows(tx, rows, writing)
        const retried = outcome.conflicts.slice(0, MAX_CONFLICTS - conflicts.length)
        await addProblems(table, [...outcome.problems, ...problemsOf(outcome.conflicts.slice(retried.length))])
        conflicts.push(...retried)
        later.push({ writing, rows: outcome.later })
        written += outcome.written
      }
      const resolved = await writeConflicts(tx, conflicts, writing)
      await addProblems(table, resolved.problems)
      written += resolved.written
    }
    for (const { writing, rows } of later) {
      const present = await presentIds(tx, writing.table, idsOf(rows))
      // The reasons why the other rows were not written are recorded already.
      const known = rows.filter(({ id }) => present.has(id))
      const outcome = await writeRows(tx, known, { ...writing, comeLater: new Set() })
      await addProblems(writing.table, [...outcome.problems, ...problemsOf(outcome.conflicts)])
    }
    await applyLists(tx, shapes, order)
    deleted += await deleteAll()
    const assigned: AssignedPlaces[] = []
    for (const { flag, isListed } of options.flags) {
      if (isListed) {
        written += await resetFlag(tx, flag)
        if (flag.keepsOrder) await keepOrder(tx, flag)
        continue
      }
      const places = await assignPlaces(tx, flag)
      written += places.written
      assigned.push(...places.assigned)
    }
    await setSequences(
      tx,
      order.filter((table) => shapes.get(table)?.hasId),
    )
    for (const staged of ['mirror_rows', 'mirror_lists', 'mirror_gone'])
      await sql`delete from ${sql.raw(staged)}`.execute(tx.kysely)
    await sql`update mirror_places set pass = null, after = 0, page = 1`.execute(tx.kysely)
    await sql`update mirror_source set finished_at = now()`.execute(tx.kysely)
    return { written, deleted, assigned }
  })
}

const missingOf =
  ({ isNarrowed, unmirrored }: Options, { required }: TableShape): Writing['missing'] =>
  ({ column, to }, id) => {
    if (isNarrowed) return required.has(column) ? staging.OUTSIDE : undefined
    return required.has(column) || !unmirrored.has(to) ? `${column}: ${id} is not there` : undefined
  }

async function stagedTables(tx: Handle): Promise<ReadonlySet<string>> {
  const rows = await tx.kysely
    .selectFrom('mirror_rows')
    .select('relation')
    .union(tx.kysely.selectFrom('mirror_lists').select('relation'))
    .union(tx.kysely.selectFrom('mirror_gone').select('relation'))
    .execute()
  return new Set(rows.map(({ relation }) => relation))
}

async function stagedRows(tx: Handle, table: string, after: number) {
  const { rows } = await sql<Row>`
    select id, columns from mirror_rows where relation = ${table} and id > ${after} order by id limit ${CHUNK}`.execute(
    tx.kysely,
  )
  return rows
}

/** Writes rows of join tables, deletes rows that belonged to one record, and ends links. */
async function applyLists(
  tx: Handle,
  shapes: ReadonlyMap<string, TableShape>,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) {
    const shape = shapes.get(table)
    const kinds = await tx.kysely
      .selectFrom('mirror_lists')
      .select(['foreign_key as foreignKey', 'sort', 'key'])
      .distinct()
      .where('relation', '=', table)
      .orderBy('foreign_key')
      .execute()
    for (const { foreignKey, sort: kind, key } of kinds) {
      if (!shape?.columns.has(foreignKey) || !shape.columns.has(key)) continue
      const list = { table, foreignKey, key }
      if (kind === 'joined') await applyJoined(tx, list, shape)
      else if (kind === 'owned') await sql`delete from ${sql.id(table)} t using ${unlisted(list)}`.execute(tx.kysely)
      else await applyLinks(tx, list, shape)
    }
  }
}

type List = { readonly table: string; readonly foreignKey: string; readonly key: string }

const unlisted = ({ table, foreignKey, key }: List) =>
  sql`mirror_lists l where l.relation = ${table} and l.foreign_key = ${foreignKey} and t.${sql.id(foreignKey)} = l.holder
   and not l.rows @> jsonb_build_array(jsonb_build_object(${key}::text, t.${sql.id(key)}))`

async function applyLinks(tx: Handle, list: List, shape: TableShape): Promise<void> {
  const { table, foreignKey } = list
  const link = sql.id(foreignKey)
  if (!shape.required.has(foreignKey))
    await sql`update ${sql.id(table)} t set ${link} = null from ${unlisted(list)}`.execute(tx.kysely)
  await reasonOfRefusal(tx, () =>
    sql`update ${sql.id(table)} t set ${link} = l.holder from mirror_lists l, jsonb_array_elements(l.rows) r
       where l.relation = ${table} and l.foreign_key = ${foreignKey} and t.id = (r ->> 'id')::integer
         and t.${link} is distinct from l.holder`.execute(tx.kysely),
  )
}

async function applyJoined(tx: Handle, list: List, shape: TableShape): Promise<void> {
  const { table, foreignKey, key } = list
  await sql`delete from ${sql.id(table)} t using ${unlisted(list)}`.execute(tx.kysely)
  const { rows: lists } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(r) as name from mirror_lists l, jsonb_array_elements(l.rows) r
    where l.relation = ${table} and l.foreign_key = ${foreignKey}`.execute(tx.kysely)
  const columns = lists.map(({ name }) => name).filter((column) => shape.columns.has(column))
  if (columns.length === 0) return
  const there = shape.references
    .filter(({ column }) => columns.includes(column))
    .map(({ column, to }) => sql`and exists (select from ${sql.id(to)} o where o.id = r.${sql.id(column)})`)
  const source = sql`mirror_lists l, jsonb_populate_recordset(null::${sql.id(table)}, l.rows) r
    where l.relation = ${table} and l.foreign_key = ${foreignKey}`
  const same = sql`t.${sql.id(foreignKey)} = r.${sql.id(foreignKey)} and t.${sql.id(key)} = r.${sql.id(key)}`
  const rest = columns.filter((column) => column !== foreignKey && column !== key)
  for (const column of rest)
    await sql`update ${sql.id(table)} t set ${sql.id(column)} = r.${sql.id(column)} from ${source} and ${same}
       and t.${sql.id(column)} is distinct from r.${sql.id(column)}`.execute(tx.kysely)
  const names = columns.map((column) => sql.id(column))
  await sql`insert into ${sql.id(table)} (${sql.join(names)}) select ${sql.join(names.map((name) => sql`r.${name}`))} from ${source}
     and not exists (select from ${sql.id(table)} t where ${same}) ${sql.join(there, sql` `)}
     order by l.holder on conflict do nothing`.execute(tx.kysely)
}

/** Advances sequences beyond the ids that were read. */
async function setSequences(tx: Handle, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), greatest((select max(id) from ${sql.id(table)}), 1))
       where pg_get_serial_sequence(${`"${table}"`}, 'id') is not null`.execute(tx.kysely)
}
