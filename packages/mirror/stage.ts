import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { ReadRecord } from './record-reader.ts'

/** Progress of the mirror in one list. */
export type Position = {
  /** Null before the first read, and `done` when this run has read the list. */
  readonly pass: 'whole' | 'changes' | 'done' | null
  readonly after: number
  readonly page: number
  /** Time from which changes are read. */
  readonly since: string | null
  /** The latest change when the pass began. */
  readonly newest: string | null
  /** The latest change that earlier runs have read. */
  readonly readUpTo: string | null
}

const PASSES = ['whole', 'changes', 'done'] as const
const START: Position = { pass: null, after: 0, page: 1, since: null, newest: null, readUpTo: null }

export async function positionOf(db: Handle, resource: string): Promise<Position> {
  const row = await db.kysely
    .selectFrom('mirror_places')
    .select(['pass', 'after', 'page', 'since', 'newest', 'read_up_to as readUpTo'])
    .where('resource', '=', resource)
    .executeTakeFirst()
  return row ? { ...row, pass: PASSES.find((pass) => pass === row.pass) ?? null } : START
}

export async function putPosition(db: Handle, resource: string, { readUpTo, ...position }: Position): Promise<void> {
  const columns = { ...position, read_up_to: readUpTo }
  await db.kysely
    .insertInto('mirror_places')
    .values({ resource, ...columns })
    .onConflict((conflict) => conflict.column('resource').doUpdateSet(columns))
    .execute()
}

/** Stores rows until they are written. Merges the columns of a row if several records have parts of it. */
export async function stage(db: Handle, records: readonly ReadRecord[]): Promise<void> {
  const rows = JSON.stringify(merged(records.flatMap((one) => one.rows)))
  await sql`insert into mirror_rows (relation, id, columns)
     select relation, id, columns from jsonb_to_recordset(${rows}) as r (relation text, id integer, columns jsonb)
     on conflict (relation, id) do update set columns = mirror_rows.columns || excluded.columns`.execute(db.kysely)
  const lists = new Map(
    records.flatMap((one) => one.lists).map((list) => [`${list.table} ${list.foreignKey} ${list.holder}`, list]),
  )
  await sql`insert into mirror_lists (relation, foreign_key, holder, sort, key, rows)
     select "table", "foreignKey", holder, sort, key, rows from jsonb_to_recordset(${JSON.stringify([...lists.values()])})
       as r ("table" text, "foreignKey" text, holder integer, sort text, key text, rows jsonb)
     on conflict (relation, foreign_key, holder) do update set sort = excluded.sort, key = excluded.key, rows = excluded.rows`.execute(
    db.kysely,
  )
  await sql`delete from mirror_gone g using jsonb_to_recordset(${rows}) as r (relation text, id integer)
     where g.relation = r.relation and g.id = r.id`.execute(db.kysely)
}

type Row = { readonly relation: string; readonly id: number; readonly columns: Readonly<Record<string, unknown>> }

function merged(rows: ReadRecord['rows']): readonly Row[] {
  const byKey = new Map<string, Row>()
  for (const { table: relation, id, columns } of rows) {
    const key = `${relation} ${id}`
    byKey.set(key, { relation, id, columns: { ...byKey.get(key)?.columns, ...columns } })
  }
  return [...byKey.values()]
}

/** Marks rows with ids from `from` to `to`, stored or staged, that the source does not list. */
export async function markGone(
  db: Handle,
  { table, from, to, listed }: { table: string; from: number; to: number; listed: readonly number[] },
): Promise<void> {
  const others = sql`id between ${from} and ${to} and id <> all(${listed}::int[])`
  await sql`insert into mirror_gone (relation, id)
     select ${table}, id from ${sql.id(table)} where ${others} on conflict do nothing`.execute(db.kysely)
  await sql`delete from mirror_rows where relation = ${table} and ${others}`.execute(db.kysely)
  await sql`delete from mirror_problems where resource = ${table} and ${others}`.execute(db.kysely)
}

/** The reason why a record differs from the source. */
export type Problem = { readonly id: number; readonly reason: string }

/** Reason for records with a value that the source hides for now. Later runs read them again. */
export const VEILED = 'something of it is hidden as yet'
/** Reason for records that refer to a campus that is not mirrored. */
export const OUTSIDE = 'belongs to another campus'

/** Marks stored rows that this run did not read. Only for lists that are read page by page. */
export async function markUnread(db: Handle, table: string): Promise<void> {
  await sql`insert into mirror_gone (relation, id)
     select ${table}, id from ${sql.id(table)} t
     where not exists (select from mirror_rows r where r.relation = ${table} and r.id = t.id) on conflict do nothing`.execute(
    db.kysely,
  )
}

/** Counts stored, staged and refused records of a list in a range of ids. */
export async function countKnown(
  db: Handle,
  resource: string,
  table: string,
  from: number,
  to: number,
): Promise<number> {
  const within = sql`id between ${from} and ${to}`
  const { rows } = await sql<{ count: string }>`
    select count(*) from (
       (select id from ${sql.id(table)} where ${within}
        except select id from mirror_gone where relation = ${table} and ${within})
       union select id from mirror_rows where relation = ${table} and ${within}
       union select id from mirror_problems where resource = ${resource} and ${within}
     ) known`.execute(db.kysely)
  return Number(rows[0]?.count)
}

/** Returns the greatest stored or staged id of a table. */
export async function greatestKnown(db: Handle, table: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select greatest((select max(id) from ${sql.id(table)}), (select max(id) from mirror_rows where relation = ${table}), 0) as id`.execute(
    db.kysely,
  )
  return Number(rows[0]?.id)
}

/** Returns records of a list that could not be read or written completely. */
export async function idsWithProblems(db: Handle, resource: string): Promise<readonly number[]> {
  const rows = await db.kysely
    .selectFrom('mirror_problems')
    .select('id')
    .where('resource', '=', resource)
    .where('reason', '<>', OUTSIDE)
    .orderBy('id')
    .limit(1000)
    .execute()
  return rows.map(({ id }) => id)
}

export async function putProblems(
  db: Handle,
  resource: string,
  read: readonly number[],
  problems: readonly Problem[],
): Promise<void> {
  await sql`delete from mirror_problems where resource = ${resource} and id in (select jsonb_array_elements(${JSON.stringify(read)}::jsonb)::integer)`.execute(
    db.kysely,
  )
  await addProblems(db, resource, problems)
}

export async function addProblems(db: Handle, resource: string, problems: readonly Problem[]): Promise<void> {
  if (problems.length === 0) return
  await sql`insert into mirror_problems (resource, id, reason)
     select ${resource}, id, string_agg(reason, '; ') from jsonb_to_recordset(${JSON.stringify(problems)}) as p (id integer, reason text) group by id
     on conflict (resource, id) do update set reason = excluded.reason`.execute(db.kysely)
}
