import type { Handle } from '@campus/engine/database/database'
import { booleanKind } from '@campus/engine/rest/declare/fields/kinds'
import { EVENTS, EXAMS } from '@campus/intranet/school/domain/events/places'
import { sql } from 'kysely'
import type { MirroredList } from './lists.ts'

/** A boolean column that no record shows and that the list can be filtered by, such as `waiting`. */
export type HiddenFlag = {
  readonly table: string
  readonly column: string
  readonly filter: string
  /** Default value of the column. The source is asked for the records with the other value. */
  readonly usual: boolean
  /** Whether the order by `updated_at` is kept, although no record shows that time. */
  readonly keepsOrder: boolean
}

/** Key among staged columns for the position of a record in its list by `updated_at`. No table has a column of this name. */
export const POSITION = 'position by updated_at'

const REGISTRATIONS: readonly string[] = [EVENTS.registrations, EXAMS.registrations]

/** Returns the boolean columns that the records of a list hide and that the list can be filtered by. */
export async function hiddenFlags(db: Handle, { resource, isByIds }: MirroredList): Promise<readonly HiddenFlag[]> {
  const { table, index, fields, answers } = resource
  const filters: readonly string[] = [...(index.filter ?? index.sort), ...Object.keys(index.customFilters ?? {})]
  const shown = new Set(resource.representationFields(answers?.index ?? 'record').map(([name]) => name))
  const hidden = Object.entries(fields).filter(
    ([name, { stored, guard }]) =>
      stored?.kind === booleanKind && !stored.nullable && !guard && !shown.has(name) && filters.includes(name),
  )
  if (hidden.length === 0 || !isByIds || !filters.includes('id')) return []
  const { rows } = await sql<{ column: string; usual: boolean }>`
    select a.attname as column, pg_get_expr(d.adbin, d.adrelid) = 'true' as usual
    from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${table}::regclass`.execute(db.kysely)
  return hidden.flatMap(([name, { stored }]) => {
    const column = stored?.column ?? name
    const usual = rows.find((row) => row.column === column)?.usual
    if (usual === undefined) return []
    const keepsOrder =
      REGISTRATIONS.includes(table) &&
      column === 'waiting' &&
      !shown.has('updated_at') &&
      index.sort.includes('updated_at')
    return [{ table, column, filter: name, usual, keepsOrder }]
  })
}

/** Forgets staged values of a flag, such as those of a run that was interrupted. */
export async function forgetFlag(db: Handle, { table, column }: HiddenFlag): Promise<void> {
  await sql`update mirror_rows set columns = columns - ${column}::text - ${POSITION}::text
    where relation = ${table} and columns ?| array[${column}::text, ${POSITION}::text]`.execute(db.kysely)
}

/** Gives the usual value of a flag to rows that the source no longer lists with the other one. Returns the number of rows changed. */
export async function resetFlag(db: Handle, { table, column, usual }: HiddenFlag): Promise<number> {
  const { rows } = await sql`
    update ${sql.id(table)} t set ${sql.id(column)} = ${usual} where ${sql.id(column)} <> ${usual} and not exists (
      select from mirror_rows m where m.relation = ${table} and m.id = t.id and m.columns ? ${column}::text)
    returning 1`.execute(db.kysely)
  return rows.length
}
