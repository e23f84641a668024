import type { Values } from '../../actions.ts'
import { sessionSetting } from '../../base/service.ts'
import { slugOf } from '../../base/text/slugs.ts'
import type { Handle, RowsOptions } from '../../database/handle.ts'
import { insertRows } from '../../database/insert-rows.ts'
import type { Links, Resource } from '../declare/declaration.ts'
import type { SqlValue } from '../declare/fields/kinds.ts'
import { quote } from '../declare/identifiers.ts'
import { type Query, SqlBuilder } from '../declare/sql-builder.ts'
import { refuseImmutable } from './immutable-fields.ts'

export async function insertRecord(tx: Handle, resource: Resource, values: Values, now: Date): Promise<number> {
  const { accepts = [] } = resource.payload ?? {}
  const columns = columnsOfNew(resource, await withSlug(tx, resource, values), now)
  const { text: insert, values: given } = insertQuery(resource, columns)
  // Skips ids of the sequence that clients have chosen.
  const passes = accepts.includes('id') && columns.id === undefined
  for (;;) {
    const [row] = await tx.rows(`${insert}${passes ? ' on conflict (id) do nothing' : ''} returning id`, given)
    if (row) return Number(row[0])
  }
}

function insertQuery({ table }: Resource, columns: Values): Query {
  const builder = new SqlBuilder()
  const names = Object.keys(columns)
  const marks = names.map((name) => bare(builder, columns[name] ?? null))
  const rest = names.length === 0 ? 'default values' : `(${names.map(quote).join(', ')}) values (${marks.join(', ')})`
  return { text: `insert into ${quote(table)} ${rest}`, values: builder.values }
}

/** Returns the insert of a record without other statements (`areInsertedTogether`). Sets `INSERTED_ID`. */
export function insertAndRemember(resource: Resource, values: Values, now: Date): Query {
  const insert = insertQuery(resource, columnsOfNew(resource, values, now))
  return {
    text: `${insert.text} returning set_config('${sessionSetting('made')}', id::text, true)`,
    values: insert.values,
  }
}

/** SQL for the id of the last record inserted by `insertAndRemember` in the transaction. */
export const INSERTED_ID = 'inserted_id()'

export async function insertRecords(tx: Handle, resource: Resource, records: readonly Values[], now: Date) {
  const rows = records.map((values, place) => ({ place, columns: columnsOfNew(resource, values, now) }))
  const ids: number[] = []
  // Rows with the same columns share a statement, so that other columns take their defaults.
  for (const alike of Map.groupBy(rows, ({ columns }) => Object.keys(columns).toSorted().join(' ')).values()) {
    const names = Object.keys(alike[0]?.columns ?? {})
    const inserted = await insertRows(
      tx,
      resource.table,
      alike.map(({ columns }) => Object.fromEntries(names.map((name) => [name, columns[name]]))),
    )
    for (const [at, { place }] of alike.entries()) ids[place] = Number(inserted[at]?.[0])
  }
  return ids
}

/** Chosen ids and slugs need a statement for each record. */
export const areInsertedTogether = ({ payload }: Resource): boolean =>
  payload?.slugFrom === undefined && !payload?.accepts.includes('id')

const columnsOfNew = (resource: Resource, values: Values, now: Date) => ({
  ...timesOf(resource, ['created_at', 'updated_at', ...(resource.payload?.beginsNow ?? [])], now),
  ...columnsOf(resource, values),
})

/** Returns the id, which the values may have changed. May end the transaction. */
export async function updateRecord(
  tx: Handle,
  resource: Resource,
  id: number,
  values: Values,
  now: Date,
  options: RowsOptions,
): Promise<number> {
  const columns = { ...timesOf(resource, ['updated_at'], now), ...columnsOf(resource, values) }
  if (Object.keys(columns).length === 0) return id
  await refuseImmutable(tx, resource, id, values)
  const builder = new SqlBuilder()
  const sets = Object.entries(columns).map(([name, value]) => `${quote(name)} = ${bare(builder, value)}`)
  const [row] = await tx.rows(
    `update ${quote(resource.table)} set ${sets.join(', ')} where id = ${bare(builder, id)} returning id`,
    builder.values,
    options,
  )
  return Number(row?.[0])
}

export async function deleteRecord(tx: Handle, resource: Resource, id: number): Promise<void> {
  await tx.rows(`delete from ${quote(resource.table)} where id = $1`, [id])
}

export async function replaceLinks(tx: Handle, links: Links, id: number, ids: readonly number[], times: Values) {
  const [table, foreignKey, otherKey] = [quote(links.table), quote(links.foreignKey), quote(links.otherKey)]
  await tx.rows(`delete from ${table} where ${foreignKey} = $1 and ${otherKey} <> all($2::int[])`, [id, ids])
  const more = Object.keys(times).map((name) => `, ${quote(name)}`)
  const marks = more.map((_, index) => `, $${index + 3}::timestamptz`)
  await tx.rows(
    `insert into ${table} (${foreignKey}, ${otherKey}${more.join('')})
     select $1, wanted${marks.join('')} from unnest($2::int[]) wanted
     where not exists (select 1 from ${table} where ${foreignKey} = $1 and ${otherKey} = wanted)`,
    [id, ids, ...Object.values(times)],
  )
}

async function withSlug(tx: Handle, resource: Resource, values: Values): Promise<Values> {
  const { slugFrom: from, numbersSlugs } = resource.payload ?? {}
  if (!from || values.slug != null) return values
  const slug = slugOf(String(values[from]))
  return { ...values, slug: numbersSlugs ? await freeSlug(tx, resource, slug) : slug }
}

async function freeSlug(tx: Handle, { table }: Resource, slug: string): Promise<string> {
  const rows = await tx.rows(
    `select slug from ${quote(table)} where slug = $1 or (starts_with(slug, $1 || '-') and substr(slug, length($1) + 2) ~ '^\\d{1,9}$')`,
    [slug],
  )
  const taken = new Set(rows.map(([present]) => present))
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`
    if (!taken.has(candidate)) return candidate
  }
}

export function timesOf(resource: Resource, names: readonly string[], now: Date): Record<string, SqlValue> {
  return Object.fromEntries(names.filter((name) => resource.stored(name)).map((name) => [name, now.toISOString()]))
}

/** Returns the columns of values. Leaves out values without a column. */
export function columnsOf(resource: Resource, values: Values): Record<string, SqlValue> {
  const columns: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(values)) {
    if (Object.hasOwn(resource.payload?.extra ?? {}, name)) continue
    const stored = resource.stored(name)
    if (stored?.storing) Object.assign(columns, stored.storing.columns(value))
    else columns[stored?.column ?? name] = value
  }
  return columns
}

/** Adds a parameter without a cast, which takes the type of its column. */
export function bare(builder: SqlBuilder, value: SqlValue): string {
  builder.values.push(value)
  return `$${builder.values.length}`
}
