import { type Kysely, sql } from 'kysely'
import { serviceVersion } from '../base/service.ts'
import { DatabaseUnusable } from './errors.ts'
import type { AnyDatabase } from './tables.ts'

export class SchemaTooNew extends DatabaseUnusable {
  constructor(migration: string) {
    super(`a newer release has changed the database (${migration}), and this one would show what is no longer so`)
    this.name = 'SchemaTooNew'
  }
}

/**
 * Returns SQL for the latest migration after `newest` that former releases cannot serve beside. The array is an index lookup, unlike a
 * join, and is read only if there are later migrations.
 */
export const incompatibleAfter = (newest: string): string =>
  `(select max(name) from kysely_migration
     where name > ${newest} and name <> all(array(select name from compatible_migrations)))`

/** Returns the latest of these migrations that former releases cannot serve beside, or undefined. */
export async function incompatibleAmong<T>(kysely: Kysely<T>, names: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`
    select max(name) as name from unnest(${names}::text[]) as given (name)
    where not exists (select from compatible_migrations c where c.name = given.name)
  `.execute(kysely)
  return rows[0]?.name ?? undefined
}

export async function noteCompatible<T>(tx: Kysely<T>, name: string): Promise<void> {
  await sql`insert into compatible_migrations (name) values (${name}) on conflict do nothing`.execute(tx)
}

/** Reports whether a newer release has applied its functions, triggers and indexes, which must stay. */
export async function isOfNewerRelease(db: AnyDatabase): Promise<boolean> {
  const { rows } = await sql<{ isNewer: boolean }>`
    select ${numbersOf(sql`version`)} > ${numbersOf(sql`${serviceVersion()}::text`)} as "isNewer" from schema_release
  `.execute(db)
  return rows[0]?.isNewer === true
}

export async function isOfThisRelease(db: AnyDatabase): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`select version from schema_release`.execute(db)
  return rows[0]?.version === serviceVersion()
}

export async function noteRelease(db: AnyDatabase): Promise<void> {
  await sql`
    update schema_release set version = ${serviceVersion()}
    where ${numbersOf(sql`version`)} < ${numbersOf(sql`${serviceVersion()}::text`)}
  `.execute(db)
}

/** Returns SQL for a version as an array: `1.10.0-rc.1` is {1,10,0}. */
export const numbersOf = (version: ReturnType<typeof sql>) =>
  sql`string_to_array(substring(${version} from '^\\d+(?:\\.\\d+)*'), '.')::int[]`
