import type { ShowProgress } from '@campus/engine/base/progress'
import type { Database } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { Config } from '../settings/config.ts'
import type { Part } from './part.ts'

/** Advisory lock under which a new database is filled. */
export const FIRST_START_LOCK = 1_128_353_875

type FillOptions = {
  readonly parts: readonly Part[]
  readonly options: Readonly<Record<string, unknown>>
  readonly showProgress: ShowProgress
}

/** Lets the parts fill an unused database. Of several servers that start together, only the first does. */
export async function fillIfNew(
  config: Config,
  database: Database,
  { parts, options, showProgress }: FillOptions,
): Promise<void> {
  const fills = parts.flatMap(({ fillNew }) => fillNew ?? [])
  if (fills.length === 0 || (await wasFilled(database))) return
  await database.exclusively(FIRST_START_LOCK, async () => {
    const { rows } = await sql`select where exists (${sql.raw(USED)})`.execute(database.kysely)
    if (rows.length > 0) return
    for (const fillNew of fills) await fillNew({ config, database, options, showProgress })
  })
}

/** An unused database has no rows in these tables. A copy of another service may have begun without users. */
const USED = ['users', 'applications', 'campus', 'mirror_source']
  .map((table) => `select from ${table}`)
  .join(' union all ')

/** Whether the database is used, and no other server is just filling it. */
async function wasFilled({ kysely }: Database): Promise<boolean> {
  const { rows } = await sql`
    select where exists (${sql.raw(USED)}) and not exists (
       select from pg_locks where locktype = 'advisory' and objid = ${FIRST_START_LOCK} and database = (
         select oid from pg_database where datname = current_database()))`.execute(kysely)
  return rows.length > 0
}
