import { defined } from '../../base/defined.ts'
import type { Database, Handle } from '../../database/database.ts'
import { deleteGone } from './delete-rows.ts'
import * as staging from './stage.ts'
import { inOrder, type Reference, readShapes, type TableShape } from './table-shapes.ts'
import { attempt, presentIds, writeRows } from './write-rows.ts'

type Options = {
  /** Only what belongs to a campus is copied, so that references to the rest lead nowhere. */
  readonly isNarrowed: boolean
  /** Table → the resource whose lists show its rows, where there is one; reports name it. */
  readonly listed: ReadonlyMap<string, string>
  /** Tables of which nothing is copied. */
  readonly unmirrored: ReadonlySet<string>
}

/** How many rows changed. */
export type Applied = { readonly written: number; readonly deleted: number }

const CHUNK = 5000

/**
 * Writes everything that was read, in one transaction, without webhooks and journals of what happened elsewhere. What
 * cannot be written is recorded in `mirror_problems`.
 */
export async function applyStaged(database: Database, options: Options): Promise<Applied> {
  return database.transaction(async (tx) => {
    await tx.rows("select set_config('campus.webhooks', 'off', true), set_config('campus.journals', 'off', true)")
    const shapes = await readShapes(tx)
    const tables = await stagedTables(tx)
    const order = inOrder(shapes, tables)
    let deleted = await deleteGone(tx, [...order].reverse(), { shapes, listed: options.listed })
    let written = 0
    const later: { table: string; rows: Awaited<ReturnType<typeof writeRows>>['later'] }[] = []
    for (const [at, table] of order.entries()) {
      const shape = shapes.get(table)
      if (!shape?.hasId) continue
      const comeLater = new Set(order.slice(at))
      const missing = missingOf(options, shape)
      for (let after = 0; ; ) {
        const rows = await stagedRows(tx, table, after)
        if (rows.length === 0) break
        after = rows.at(-1)?.id ?? after
        const outcome = await writeRows(tx, rows, { table, shape, comeLater, missing })
        await staging.addProblems(tx, options.listed.get(table) ?? table, outcome.problems)
        later.push({ table, rows: outcome.later })
        written += outcome.written
      }
    }
    for (const { table, rows } of later) {
      const shape = defined(shapes.get(table))
      const missing = missingOf(options, shape)
      const present = await presentIds(
        tx,
        table,
        rows.map(({ id }) => id),
      )
      // Why the others were not written is recorded already.
      const known = rows.filter(({ id }) => present.has(id))
      const outcome = await writeRows(tx, known, { table, shape, comeLater: new Set(), missing })
      await staging.addProblems(tx, options.listed.get(table) ?? table, outcome.problems)
    }
    await applyLists(tx, shapes, order)
    deleted += await deleteGone(tx, [...order].reverse(), { shapes, listed: options.listed })
    await setSequences(
      tx,
      order.filter((table) => shapes.get(table)?.hasId),
    )
    for (const staged of ['mirror_rows', 'mirror_lists', 'mirror_gone']) await tx.rows(`delete from ${staged}`)
    await tx.rows('update mirror_places set pass = null, after = 0, page = 1')
    await tx.rows('update mirror_source set finished_at = now()')
    return { written, deleted }
  })
}

const missingOf =
  ({ isNarrowed, unmirrored }: Options, { required }: TableShape) =>
  ({ column, to }: Reference, id: unknown) => {
    if (required.has(column)) return isNarrowed ? staging.OUTSIDE : `${column}: ${id} is not there`
    return isNarrowed || unmirrored.has(to) ? undefined : `${column}: ${id} is not there`
  }

async function stagedTables(tx: Handle): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(
    'select relation from mirror_rows union select relation from mirror_lists union select relation from mirror_gone',
  )
  return new Set(rows.map(([table]) => String(table)))
}

async function stagedRows(tx: Handle, table: string, after: number) {
  const rows = await tx.rows(
    `select id, columns from mirror_rows where relation = $1 and id > $2 order by id limit ${CHUNK}`,
    [table, after],
  )
  return rows.map(([id, columns]) => ({ id: Number(id), columns: JSON.parse(String(columns)) }))
}

/** Rows of join tables, rows that belong to one record alone, and links that have ended. */
async function applyLists(
  tx: Handle,
  shapes: ReadonlyMap<string, TableShape>,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) {
    const shape = shapes.get(table)
    const kinds = await tx.rows(
      'select distinct foreign_key, sort, key from mirror_lists where relation = $1 order by 1',
      [table],
    )
    for (const [foreignKey, sort, key] of kinds) {
      if (!shape?.columns.has(String(foreignKey)) || !shape.columns.has(String(key))) continue
      const list = { table, foreignKey: String(foreignKey), key: String(key) }
      if (sort === 'joined') await applyJoined(tx, list, shape)
      else if (sort === 'owned')
        await tx.rows(`delete from "${table}" t ${whereUnlisted(list)}`, [table, list.foreignKey])
      else await applyLinks(tx, list, shape)
    }
  }
}

type List = { readonly table: string; readonly foreignKey: string; readonly key: string }

const whereUnlisted = ({ foreignKey, key }: List) =>
  `using mirror_lists l where l.relation = $1 and l.foreign_key = $2 and t."${foreignKey}" = l.holder
   and not l.rows @> jsonb_build_array(jsonb_build_object('${key}', t."${key}"))`

async function applyLinks(tx: Handle, list: List, shape: TableShape): Promise<void> {
  const { table, foreignKey } = list
  const values = [table, foreignKey]
  const from = whereUnlisted(list).replace(/^using/, 'from')
  if (!shape.required.has(foreignKey)) await tx.rows(`update "${table}" t set "${foreignKey}" = null ${from}`, values)
  await attempt(tx, () =>
    tx.rows(
      `update "${table}" t set "${foreignKey}" = l.holder from mirror_lists l, jsonb_array_elements(l.rows) r
       where l.relation = $1 and l.foreign_key = $2 and t.id = (r ->> 'id')::integer
         and t."${foreignKey}" is distinct from l.holder`,
      values,
    ),
  )
}

async function applyJoined(tx: Handle, list: List, shape: TableShape): Promise<void> {
  const { table, foreignKey, key } = list
  await tx.rows(`delete from "${table}" t ${whereUnlisted(list)}`, [table, foreignKey])
  const lists = await tx.rows(
    `select distinct jsonb_object_keys(r) from mirror_lists l, jsonb_array_elements(l.rows) r where l.relation = $1 and l.foreign_key = $2`,
    [table, foreignKey],
  )
  const columns = lists.map(([column]) => String(column)).filter((column) => shape.columns.has(column))
  if (columns.length === 0) return
  const there = shape.references
    .filter(({ column }) => columns.includes(column))
    .map(({ column, to }) => `exists (select from "${to}" o where o.id = r."${column}")`)
  const source = `mirror_lists l, jsonb_populate_recordset(null::"${table}", l.rows) r
    where l.relation = $1 and l.foreign_key = $2`
  const same = `t."${foreignKey}" = r."${foreignKey}" and t."${key}" = r."${key}"`
  const rest = columns.filter((column) => column !== foreignKey && column !== key)
  for (const column of rest)
    await tx.rows(
      `update "${table}" t set "${column}" = r."${column}" from ${source} and ${same}
       and t."${column}" is distinct from r."${column}"`,
      [table, foreignKey],
    )
  const names = columns.map((column) => `"${column}"`).join(', ')
  await tx.rows(
    `insert into "${table}" (${names}) select ${columns.map((column) => `r."${column}"`).join(', ')} from ${source}
     and not exists (select from "${table}" t where ${same}) ${there.map((one) => `and ${one}`).join(' ')}
     order by l.holder on conflict do nothing`,
    [table, foreignKey],
  )
}

/** What is made here from now on gets ids beyond those that were read. */
async function setSequences(tx: Handle, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await tx.rows(
      `select setval(pg_get_serial_sequence('"${table}"', 'id'), greatest((select max(id) from "${table}"), 1))
       where pg_get_serial_sequence('"${table}"', 'id') is not null`,
    )
}
